#!/usr/bin/env python3
"""The largest table that a server takes with its default limits: `largest.py PROGRAM` uploads one of 400,000 rows and 2,000,000
cells in a body of nearly 32 MiB, asks about it twice, and prints the time of each request and the peak memory of the server
and of its largest worker. It fails if a request is not answered, or if a worker takes more than twice the budget."""
import glob, http.client, json, os, subprocess, sys, time
from mutate import form

BUDGET = 1 << 30
QUESTION = "which name has the highest value?"


def largest():
    row = "a name of some length, number {0},{1},{2}.5,kind {3},{4}\n"
    rows = (row.format(at, at * 7 % 1000, at, at % 9, 1900 + at % 99).replace(", ", " ") for at in range(399_999))
    return ("name,value,other,kind,year\n" + "".join(rows)).encode()


def peaks(pid):
    """Peak of resident memory of a process, and of the largest of those that it started."""
    server, worker = 0, 0
    for path in glob.glob("/proc/[0-9]*/status"):
        try:
            status = dict(line.split(":", 1) for line in open(path))
            peak = int(status["VmHWM"].split()[0]) * 1024
        except (OSError, KeyError):
            continue
        if int(status["Pid"]) == pid:
            server = peak
        elif int(status["PPid"]) == pid:
            worker = max(worker, peak)
    return server, worker


def main(program):
    process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0", "--max-memory", str(BUDGET)], stdout=subprocess.PIPE)
    connection = http.client.HTTPConnection(process.stdout.readline().decode().split("//")[1].strip(), timeout=120)
    data, statuses, table = largest(), [], None
    for _ in range(3):
        begin = time.time()
        if table is None:
            connection.request("POST", "/api/ask", *form("largest.csv", data, "question", QUESTION))
        else:
            body = json.dumps({"table": {"id": table}, "question": QUESTION})
            connection.request("POST", "/api/ask", body, {"content-type": "application/json"})
        response = connection.getresponse()
        said = json.loads(response.read())
        table = said.get("table_id")
        statuses.append(response.status)
        print(f"status {response.status} in {time.time() - begin:.2f} s, {str(said.get('answer', said))[:80]}")
    server, worker = peaks(process.pid)
    process.terminate()
    process.wait()
    print(f"{len(data)} bytes: server {server >> 20} MiB, worker {worker >> 20} MiB, {worker / BUDGET:.2f} times the budget")
    return statuses == [200] * 3 and worker < 2 * BUDGET


if __name__ == "__main__":
    sys.exit(0 if main(os.path.abspath(sys.argv[1])) else 1)
