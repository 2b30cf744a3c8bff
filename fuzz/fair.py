#!/usr/bin/env python3
"""An ordinary client beside hostile ones: `fair.py PROGRAM [SECONDS]` starts a server, 600 connections that send their request
little by little and open again when they are closed, and two clients that send the heaviest tables and lists of questions without
a pause, all from one address. It prints how many questions of the ordinary client were answered and how fast, and fails below
95 % or above a p99 of 1 second."""
import asyncio, json, multiprocessing, os, subprocess, sys, time

QUESTION = {"table": {"id": "olympics"}, "question": "which city hosted the games after Paris in 1924?"}


def heavy():
    """The heaviest requests that the server takes: tables of many rows and of many lists, and many questions."""
    rows = "name,value,other,kind,year\n" + "".join(f"name {at},{at * 7 % 1000},{at}.5,k{at % 9},{1900 + at % 99}\n" for at in range(390_000))
    lists = "name,value\n" + "".join('"%s",1\n' % "\n".join(f"a{at * 300 + part}" for part in range(300)) for at in range(1_000))
    tables = [json.dumps({"table": {"csv": text}, "question": "which name has the highest value?"}) for text in (rows, lists)]
    questions = [f"which city hosted the games after the one in {1896 + at}, and not in Greece?" for at in range(100)]
    return [*tables, json.dumps({"table": QUESTION["table"], "questions": questions})]


def post(host, body):
    return (f"POST /api/ask HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body.encode())}\r\n\r\n{body}").encode()


async def answer(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    length = int(next(line.split(":")[1] for line in head.lower().split("\r\n") if line.startswith("content-length")))
    body = await reader.readexactly(length)
    return int(head.split()[1]), body


async def dribble(host, port, end):
    while time.time() < end:
        try:
            reader, writer = await asyncio.open_connection(host, port)
            for letter in "POST /api/ask HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100\r\n":
                writer.write(letter.encode())
                await writer.drain()
                await asyncio.sleep(0.5)
                if reader.at_eof() or time.time() > end:
                    break
            writer.close()
        except OSError:
            await asyncio.sleep(0.05)


async def weigh_down(host, port, end, bodies, counts):
    at = 0
    while time.time() < end:
        at += 1
        # Another question each time, and a table that was not sent before.
        body = bodies[at % len(bodies)].replace("name,value", f"name {at} {id(counts)},value", 1)
        try:
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(post(host, body))
            await writer.drain()
            status, _ = await answer(reader)
            counts[status] = counts.get(status, 0) + 1
            writer.close()
        except (OSError, asyncio.IncompleteReadError, StopIteration):
            counts["cut"] = counts.get("cut", 0) + 1


async def ordinary(host, port, end, times, statuses):
    while time.time() < end:
        start = time.time()
        try:
            reader, writer = await asyncio.open_connection(host, port)
            writer.write(post(host, json.dumps(QUESTION)))
            status, _ = await asyncio.wait_for(answer(reader), 10)
            writer.close()
        except (OSError, asyncio.IncompleteReadError, asyncio.TimeoutError, StopIteration) as error:
            status = type(error).__name__
        statuses[status] = statuses.get(status, 0) + 1
        if status == 200:
            times.append(time.time() - start)
        await asyncio.sleep(0.05)


async def hostile(host, port, end):
    counts, bodies = [{}, {}], heavy()
    tasks = [dribble(host, port, end) for _ in range(600)]
    await asyncio.gather(*tasks, *[weigh_down(host, port, end, bodies, one) for one in counts])
    print(f"heavy clients: {counts}")


def main(program, seconds):
    process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE)
    host, port = process.stdout.readline().decode().split("//")[1].strip().split(":")
    end, times, statuses = time.time() + seconds, [], {}
    # In a process of its own, so that the ordinary client measures the server and not the other clients.
    others = multiprocessing.Process(target=lambda: asyncio.run(hostile(host, port, end)))
    others.start()
    time.sleep(2)
    asyncio.run(ordinary(host, port, end, times, statuses))
    others.join()
    process.terminate()
    process.wait()
    times.sort()
    share = 100 * statuses.get(200, 0) / max(1, sum(statuses.values()))
    p50, p99 = (times[int(len(times) * part)] if times else 99 for part in (0.5, 0.99))
    print(f"ordinary client: {statuses}, {share:.1f} % answered, p50 {p50 * 1e3:.0f} ms, p99 {p99 * 1e3:.0f} ms")
    return share >= 95 and p99 < 1


if __name__ == "__main__":
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 30
    sys.exit(0 if main(os.path.abspath(sys.argv[1]), seconds) else 1)
