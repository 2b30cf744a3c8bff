#!/usr/bin/env python3
"""The cost of worker processes: `wall.py PROGRAM [OTHER]` asks the same question of two servers in turn, one with workers and
one that works in its own process (or that is another program), and prints the median time of each and of the difference, and the
CPU time of each, which says more on a busy machine. It fails if the median difference is 2 ms or more."""
import http.client, json, os, statistics, subprocess, sys, time
from hostile import cpu

QUESTIONS = ["which city hosted the games after Paris in 1924?", "how many times did the USA host?",
             "Greece held its last Summer Olympics in which year?"]
COUNT = 1_000


def start(program, *arguments):
    process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", *arguments], stdout=subprocess.PIPE)
    return process, http.client.HTTPConnection(process.stdout.readline().decode().split("//")[1].strip())


def ask(connection, question):
    body, begin = json.dumps({"table": {"id": "olympics"}, "question": question}), time.perf_counter()
    connection.request("POST", "/api/ask", body, {"content-type": "application/json"})
    response = connection.getresponse()
    response.read()
    assert response.status == 200, response.status
    return (time.perf_counter() - begin) * 1e3


program = os.path.abspath(sys.argv[1])
servers = [start(program), start(os.path.abspath(sys.argv[2])) if len(sys.argv) > 2 else start(program, "--in-process")]
times = [[ask(connection, QUESTIONS[at % 3]) for _, connection in servers] for at in range(COUNT + 50)][50:]
workers, other = [[pair[side] for pair in times] for side in (0, 1)]
difference = statistics.median(a - b for a, b in times)
print(f"p50 with workers {statistics.median(workers):.2f} ms, without {statistics.median(other):.2f} ms, difference {difference:.2f} ms")
used = [cpu(process.pid) / (COUNT + 50) * 1e3 for process, _ in servers]
print(f"CPU time a question, with the start of the server: {used[0]:.2f} ms and {used[1]:.2f} ms")
[process.terminate() for process, _ in servers]
sys.exit(0 if difference < 2 else 1)
