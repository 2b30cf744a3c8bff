#!/usr/bin/env python3
"""Hostile files through every door: `hostile.py PROGRAM [FOLDER ...]` gives the files of the corpus, of the folders, and large ones
that it makes to `show table`, to `ask` and to a server, each within an address space of 1 GB. It fails if one of them takes
more than 2 seconds of CPU, ends by a signal, prints a panic or a message of several lines, or if the server ends."""
import http.client, os, resource, subprocess, sys, tempfile
from mutate import HERE, form

KILOBYTES, SECONDS = 1_000_000, 2
QUESTION = "which name has the highest value?"


def large():
    """Files too large to be kept: cells of many parts and bytes, rows of one cell, pages of many tables, deep elements and repeated
    headings."""
    table = "<table><tr><td>1<td>2<tr><td>3<td>4</table>"
    yield "parts.csv", 'name,value\n"' + "a\n" * (2 << 20) + '",1\nb,2\n'
    yield "parts-allowed.csv", 'name,value\n"' + "a\n" * (1 << 18) + '",1\nb,2\n'
    yield "slashes.csv", 'name,value\n"' + "a/b; " * 200_000 + '",1\nb,2\n'
    yield "cell.csv", 'name,value\n"' + "x" * 30_000_000 + '",1\nb,2\n'
    yield "rows.csv", "name,value,year\n" + "".join(f"name {at},{at * 7 % 1000},{1900 + at % 99}\n" for at in range(390_000))
    yield "narrow.csv", "name\n" + "0\n" * 12_000_000
    yield "tables.html", table * 20_000
    yield "deep.html", table.ljust(1024) + ("<div>" * 202 + "</body><!---->") * 400
    yield "headings.html", "<h1><span>" * 200 + "x y " * 2_000_000 + "</span>" + table


def files(folders):
    for folder in [os.path.join(HERE, "corpus", "readers"), *folders]:
        for name in sorted(os.listdir(folder)):
            yield os.path.join(folder, name)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in large():
            path = os.path.join(folder, name)
            open(path, "w").write(text)
            yield path


def cpu(pid=None):
    """Seconds of CPU that children have taken, or a process that runs and those that it started."""
    if pid is None:
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        return used.ru_utime + used.ru_stime
    total = 0
    for one in filter(str.isdigit, os.listdir("/proc")):
        try:
            fields = open(f"/proc/{one}/stat").read().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(one) == pid or int(fields[1]) == pid:
            total += sum(map(int, fields[11:15]))
    return total / os.sysconf("SC_CLK_TCK")


def limited(*command, seconds="unlimited", **pipes):
    return subprocess.Popen(["bash", "-c", f'ulimit -v {KILOBYTES} -t {seconds}; exec "$0" "$@"', *command], **pipes)


def command(*words):
    """Runs a command; returns its seconds and what it said, or what is wrong."""
    before = cpu()
    process = limited(*words, seconds=10 * SECONDS, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    said = process.communicate()[1].decode(errors="replace").strip()
    seconds = cpu() - before
    fault = process.returncode not in (0, 1, 2) or "panicked" in said or said.count("\n") > 3 or seconds > SECONDS
    return seconds, f"exit {process.returncode} {said[:150]}", fault


def upload(process, address, path):
    before = cpu(process.pid)
    try:
        connection = http.client.HTTPConnection(address, timeout=60)
        connection.request("POST", "/api/ask", *form(os.path.basename(path), open(path, "rb").read()))
        response = connection.getresponse()
        said = f"status {response.status} {response.read()[:150].decode(errors='replace')}"
        fault = response.status >= 500
    except OSError as error:
        said, fault = repr(error), True
    # A worker that was ended is no longer there to be counted.
    seconds = max(0, cpu(process.pid) - before)
    return seconds, said, fault or seconds > SECONDS or process.poll() is not None


def main(program, folders):
    server = limited(program, "serve", "--listen", "127.0.0.1:0", stdout=subprocess.PIPE)
    address = server.stdout.readline().decode().split("//")[1].strip()
    faults, worst, count = 0, 0, 0
    for path in files(folders):
        count += 1
        doors = [command(program, "show", "table", path), command(program, "ask", path, QUESTION), upload(server, address, path)]
        worst = max(worst, *(seconds for seconds, _, _ in doors))
        print(os.path.basename(path), flush=True)
        for door, (seconds, said, fault) in zip(("show", "ask", "server"), doors):
            faults += fault
            print(f"    {door:6} {seconds:.2f} s{' FAULT' if fault else ''}  {said}")
    is_up = server.poll() is None
    server.terminate()
    server.wait()
    print(f"{count} files, {faults} faults, at most {worst:.2f} s of CPU, server {'up' if is_up else 'DOWN'}")
    return is_up and not faults


if __name__ == "__main__":
    sys.exit(0 if main(os.path.abspath(sys.argv[1]), sys.argv[2:]) else 1)
