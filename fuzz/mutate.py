#!/usr/bin/env python3
"""Changed files through the program: `mutate.py PROGRAM server COUNT [DRAW]` sends them to a server, with `show` or `ask` in place of
`server` they are given to `show table` or to `ask`; another number DRAW gives other files. Seeds are the small files of the corpus
and one of each format; pieces are flipped, cut, repeated, overwritten and put in, numbers become extreme ones, and the parts of
workbooks are changed inside the archive. Of the files that a server gets, one in four comes with a question, and the others with a
formula, which is cheaper. It fails if the server ends or answers with another 5xx than 503, if its memory grows after the first
fifth, or if a command aborts, hangs or prints a panic."""
import collections, gzip, http.client, io, os, random, re, resource, sqlite3, statistics, subprocess, sys, tempfile, threading, time, zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Files of the formats with types.
SOURCES = os.path.join(HERE, "..", "crates", "tabwise", "tests", "data", "sources")
EXTREMES = [b"0", b"-1", b"65536", b"1048577", b"2147483648", b"4294967295", b"99999999999", b"18446744073709551615",
            b"18446744073709551616", b"1e999", b"NaN", b""]
PIECES = [b'"', b"\n", b",", b";", b"|", b"\t", b"\0", b"\xef\xbb\xbf", b"\xff\xfe", b"[", b"{", b"}", b"<table>", b"<tr><td>",
          b"<td rowspan=65534 colspan=1000>", b"<div>" * 100, b"<!--", b"</body>", b"&#0;", b"a/b; c\n", b"---|---",
          b'<c r="XFD1048576"><v>1</v></c>', b"<si/>" * 1000, b'<mergeCell ref="A1:XFD1048576"/>',
          b'table:number-rows-repeated="1048576" ', b'table:number-columns-repeated="16384" ', b' uniqueCount="99999999999" ']
TEXTS = {
    "a.csv": b"City,Year,Host\nAthens,1896,first\nParis,1900,\n\"St.\nLouis\",1904,x\n",
    "b.tsv": b"City\tYear\nAthens\t1896\nParis\t1900\n",
    "c.json": b'[{"city": "Athens", "year": 1896}, {"city": "Paris", "year": 1900, "list": [1, 2]}]',
    "d.jsonl": b'{"city": "Athens", "year": 1896}\n{"city": "Paris", "year": 1900}\n',
    "e.md": b"# Games\n\n| City | Year |\n|---|---|\n| Athens | 1896 |\n| Paris | 1900 |\n",
    "f.html": b"<h1>Games</h1><table><caption>All</caption><tr><th rowspan=2>City<th>Year<tr><td colspan=2>1896<td>3</table>",
    "g.csv": "Größe;Wert\nÄ;1,5\nB;2\n".encode("latin-1"),
    "h.csv": "City,Year\nAthens,1896\n".encode("utf-16"),
}


def seeds():
    files = dict(TEXTS)
    files["i.csv.gz"] = gzip.compress(TEXTS["a.csv"])
    files["j.sqlite"] = database()
    for folder in [os.path.join(HERE, "corpus", "readers"), SOURCES]:
        for name in sorted(os.listdir(folder)):
            data = open(os.path.join(folder, name), "rb").read()
            if len(data) < 10_000:
                files[name] = data
    return list(files.items())


def database():
    """A small SQLite database."""
    connection = sqlite3.connect(":memory:")
    connection.execute("PRAGMA page_size = 512")
    connection.execute("CREATE TABLE games (city TEXT, year INTEGER, share REAL)")
    connection.executemany("INSERT INTO games VALUES (?, ?, ?)", [("Athens", 1896, 0.5), ("Paris", 1900, None)] * 20)
    connection.commit()
    return connection.serialize()


def change(data, rng):
    data = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        at = rng.randint(0, len(data))
        kind = rng.randrange(6)
        if kind == 0 and data:
            data[at % len(data)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at] = rng.choice(PIECES)
        elif kind == 2:
            del data[at:at + rng.randint(1, 30)]
        elif kind == 3:
            data[at:at] = data[at:at + rng.randint(1, 60)] * rng.choice([1, 2, 10, 200])
        elif kind == 4:
            # A number of a binary file.
            size = rng.choice([1, 2, 4, 8])
            data[at:at + size] = rng.choice([b"\0", b"\xff", b"\x7f"]) * size
        else:
            numbers = list(re.finditer(rb"\d+", bytes(data)))
            if numbers:
                number = rng.choice(numbers)
                data[number.start():number.end()] = rng.choice(EXTREMES)
    return bytes(data)


def mutant(name, data, rng):
    if data[:2] != b"PK" or rng.random() < 0.2:
        return change(data, rng)
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
        parts = [(part, archive.read(part)) for part in archive.namelist()]
    except Exception:
        return change(data, rng)
    if not parts or sum(len(part) for _, part in parts) > 1_000_000:
        return change(data, rng)
    chosen, out = rng.randrange(len(parts)), io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for at, (part, text) in enumerate(parts):
            archive.writestr(part, change(text, rng) if at == chosen else text)
    return out.getvalue()


def memory(pid):
    """Bytes of memory of its own that a process has, and those that it started have together."""
    server, workers = 0, 0
    for one in filter(str.isdigit, os.listdir("/proc")):
        try:
            status = dict(line.split(":", 1) for line in open(f"/proc/{one}/status"))
            size = int(status["RssAnon"].split()[0]) * 1024
            server += size if int(one) == pid else 0
            workers += size if int(status["PPid"]) == pid else 0
        except (OSError, KeyError):
            pass
    return server, workers


def form(name, data, field="question", text="which city has the highest year?"):
    boundary = b"----mutant%x" % random.getrandbits(64)
    body = b"".join([b"--", boundary, b'\r\ncontent-disposition: form-data; name="file"; filename="', name.encode(),
                     b'"\r\n\r\n', data, b"\r\n--", boundary, b'\r\ncontent-disposition: form-data; name="',
                     field.encode(), b'"\r\n\r\n', text.encode(), b"\r\n--", boundary, b"--\r\n"])
    return body, {"content-type": "multipart/form-data; boundary=" + boundary.decode()}


def is_flat(sizes):
    """Whether the last fifth of sizes is about as large as the second one; during the first, tables are gathered."""
    fifth = max(1, len(sizes) // 5)
    return statistics.median(sizes[-fifth:]) < 1.2 * statistics.median(sizes[fifth:2 * fifth])


SAMPLES = 50


def server(program, count, draw):
    process = subprocess.Popen([program, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    address = process.stdout.readline().decode().split("//")[1].strip()
    statuses, failures, sizes, done, lock = collections.Counter(), [], [], [0], threading.Lock()

    def run(thread):
        rng, files, connection = random.Random(f"{draw} {thread}"), seeds(), None
        while True:
            with lock:
                if done[0] >= count or process.poll() is not None:
                    return
                done[0] += 1
                number = done[0]
            if number % (count // SAMPLES or 1) == 0:
                of_server, of_workers = memory(process.pid)
                sizes.append(of_server + of_workers)
                print(f"{number} files, server {of_server >> 20} MB, workers {of_workers >> 20} MB", flush=True)
            name, data = rng.choice(files)
            data = mutant(name, data, rng)
            try:
                connection = connection or http.client.HTTPConnection(address, timeout=60)
                if number % 4 == 0:
                    connection.request("POST", "/api/ask", *form(name, data))
                else:
                    connection.request("POST", "/api/exec", *form(name, data, "formula", "count(Rows)"))
                response = connection.getresponse()
                response.read()
                status = response.status
                if response.getheader("connection") == "close":
                    connection = None
            except Exception as error:
                status, connection = type(error).__name__, None
            with lock:
                statuses[status] += 1
                if not isinstance(status, int) or status >= 500 and status != 503:
                    failures.append((status, name, data))

    start = time.time()
    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    alive = process.poll() is None
    process.terminate()
    said = process.stderr.read().decode(errors="replace")
    process.wait()
    print(f"{done[0]} files in {time.time() - start:.0f} s: {dict(statuses)}; server {'up' if alive else 'DOWN'}")
    print(f"memory of server and workers, MB{'' if is_flat(sizes) else ', GROWS'}:", *[size >> 20 for size in sizes])
    keep(failures)
    if said:
        print("said:", said[-2000:])
    return alive and not failures and not said and is_flat(sizes)


def run_command(words):
    """Runs a command; returns how it ended and what it said on standard error."""
    try:
        # Nothing is closed or set up between the two programs, which makes starting one cheap.
        ended = subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=300, close_fds=False)
        return ended.returncode, ended.stderr
    except subprocess.TimeoutExpired:
        return "hangs", b""


def commands(words, count, draw):
    """Gives files to a command, which is the words with a path in the place of `None`."""
    # Inherited by every command.
    resource.setrlimit(resource.RLIMIT_AS, (1_000_000 << 10, 1_000_000 << 10))
    failures, done, codes, lock = [], [0], collections.Counter(), threading.Lock()

    def run(thread):
        rng, files = random.Random(f"{draw} {thread}"), seeds()
        with tempfile.TemporaryDirectory() as folder:
            while True:
                with lock:
                    if done[0] >= count:
                        return
                    done[0] += 1
                    if done[0] % (count // SAMPLES or 1) == 0:
                        print(f"{done[0]} files, {len(failures)} failures", flush=True)
                name, data = rng.choice(files)
                data = mutant(name, data, rng)
                path = os.path.join(folder, name)
                open(path, "wb").write(data)
                code, said = run_command([word or path for word in words])
                with lock:
                    codes[code] += 1
                    if code not in (0, 1, 2) or b"panicked" in said:
                        failures.append((code, name, data))

    start = time.time()
    threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    print(f"{done[0]} files in {time.time() - start:.0f} s: exit codes {dict(codes)}; {len(failures)} failures")
    keep(failures)
    return not failures


def keep(failures):
    for at, (status, name, data) in enumerate(failures[:20]):
        path = os.path.join(tempfile.gettempdir(), f"mutant-{at}-{name}")
        open(path, "wb").write(data)
        print("failed:", status, path)


if __name__ == "__main__":
    program, how, count = os.path.abspath(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    draw = sys.argv[4] if len(sys.argv) > 4 else 0
    doors = {"server": lambda: server(program, count, draw),
             "show": lambda: commands([program, "show", "table", None], count, draw),
             "ask": lambda: commands([program, "ask", None, "which city has the highest year?"], count, draw)}
    sys.exit(0 if doors[how]() else 1)
