"""Far ends of sinks for kill-test: each can be killed and brought back, loses answers after it has taken the rows, and says
what it has. Loki and OTLP are receivers of this file; PostgreSQL and ClickHouse's engine are real."""
import collections, glob, gzip, http.server, json, os, random, shutil, signal, socket, subprocess, threading, time

here = os.path.dirname(os.path.abspath(__file__))


def body_of(handler):
    body = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
    return gzip.decompress(body) if handler.headers.get("Content-Encoding") == "gzip" else body


class Receiver:
    """An HTTP server that hands bodies to `take`, and loses a share of its answers."""
    def __init__(self):
        self.loss, self.port, self.server = 0.0, 0, None
        self.up()

    def up(self):
        end = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def log_message(self, *_):
                pass

            def do_POST(self):
                end.take(body_of(self))
                if random.random() < end.loss:
                    self.connection.close()
                    return
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

        class Server(http.server.ThreadingHTTPServer):
            allow_reuse_address = True
            daemon_threads = True

        self.server = Server(("127.0.0.1", self.port), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def down(self):
        self.server.shutdown()
        self.server.server_close()

    def close(self):
        self.down()


class Loki(Receiver):
    kind = "loki"

    def __init__(self):
        self.entries, self.twins = {}, 0
        super().__init__()

    def table(self):
        return f'url = "http://127.0.0.1:{self.port}"'

    def take(self, body):
        for stream in json.loads(body)["streams"]:
            labels = tuple(sorted(stream["stream"].items()))
            for at, line, metadata in stream["values"]:
                entry = (labels, at, line)
                self.twins += entry in self.entries
                self.entries[entry] = metadata["key"]

    def contents(self):
        return collections.Counter(json.loads(line)["content"] for _, _, line in self.entries)

    def problems(self):
        return [] if len(set(self.entries.values())) == len(self.entries) else ["two entries with one key"]


class OTLP(Receiver):
    """Rows are turns of four rows each, of which two are spans beside the root."""
    kind = "otlp"
    spacing = 250

    def __init__(self):
        from opentelemetry.proto.collector.trace.v1 import trace_service_pb2
        self.message = trace_service_pb2.ExportTraceServiceRequest
        self.spans, self.twins = {}, 0
        super().__init__()

    def table(self):
        return f'url = "http://127.0.0.1:{self.port}"'

    def take(self, body):
        request = self.message()
        request.ParseFromString(body)
        for resource in request.resource_spans:
            for scope in resource.scope_spans:
                for span in scope.spans:
                    self.twins += span.span_id in self.spans
                    self.spans[span.span_id] = (span.trace_id, span.name, {a.key: a.value.string_value for a in span.attributes})

    def contents(self):
        return collections.Counter("chat" if name.startswith("chat") else "root" for _, name, _ in self.spans.values())

    def expected(self, rows):
        return collections.Counter(chat=sum(row["kind"] == "llm_call" for row in rows), root=len(rows) // 4)

    def problems(self):
        roots = {trace for trace, name, _ in self.spans.values() if name.startswith("invoke_agent")}
        stray = sum(trace not in roots for trace, _, _ in self.spans.values())
        keys = {(name.split()[0], attributes["clanky.row_key"]) for _, name, attributes in self.spans.values()}
        return ([f"{stray} spans without a root"] if stray else []) + ([] if len(keys) == len(self.spans) else ["a row in two spans"])


class Lines:
    """A file: what can fail there is the run that writes it, and its folder, which is moved away and back."""
    kind = "ndjson"
    twins = 0

    def __init__(self):
        self.loss = 0.0
        self.folder = f"/tmp/kill-test-lines-{os.getpid()}"
        os.makedirs(self.folder)

    def table(self):
        return f'file = "{self.folder}/rows.ndjson", max = "4GiB"'

    def down(self):
        os.rename(self.folder, self.folder + ".away")

    def up(self):
        os.rename(self.folder + ".away", self.folder)

    def contents(self):
        with open(self.folder + "/rows.ndjson") as file:
            return collections.Counter(json.loads(line)["content"] for line in file)

    def problems(self):
        return []

    def close(self):
        shutil.rmtree(self.folder)


class Postgres:
    """A server of its own, behind a proxy that forwards a commit and then cuts the connection instead of the answer."""
    kind = "postgres"
    twins = 0

    def __init__(self):
        self.loss = 0.0
        self.folder = f"/tmp/kill-test-pg-{os.getpid()}"
        os.mkdir(self.folder, 0o700)
        self.prefix = []
        if os.getuid() == 0:
            shutil.chown(self.folder, "postgres")
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self.run("initdb", "-D", self.folder + "/data", "-U", "postgres", "-A", "trust", "--no-sync")
        self.up()
        listener = socket.socket()
        listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        self.port = listener.getsockname()[1]
        threading.Thread(target=self.accept, args=(listener,), daemon=True).start()

    def run(self, *command):
        subprocess.run([*self.prefix, *command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def up(self):
        self.run("pg_ctl", "-D", self.folder + "/data", "-l", self.folder + "/log", "-w",
                 "-o", f"-c listen_addresses= -c unix_socket_directories={self.folder}", "start")

    def down(self):
        self.run("pg_ctl", "-D", self.folder + "/data", "-m", "immediate", "-w", "stop")

    def accept(self, listener):
        while True:
            client, _ = listener.accept()
            server = socket.socket(socket.AF_UNIX)
            try:
                server.connect(self.folder + "/.s.PGSQL.5432")
            except OSError:
                client.close()
                continue
            cut = threading.Event()
            threading.Thread(target=self.forward, args=(client, server, cut, True), daemon=True).start()
            threading.Thread(target=self.forward, args=(server, client, cut, False), daemon=True).start()

    def forward(self, source, target, cut, is_client):
        try:
            while True:
                data = source.recv(65536)
                if not data or (cut.is_set() and not is_client):
                    break
                if is_client and b"notify clanky" in data and random.random() < self.loss:
                    cut.set()
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def table(self):
        return f'dsn = "host=127.0.0.1 port={self.port} user=postgres dbname=postgres"'

    def query(self, sql):
        command = ["psql", "-h", self.folder, "-U", "postgres", "-d", "postgres", "-Atqc", sql]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip().split("\n")

    def contents(self):
        rows = (line.rsplit("|", 1) for line in self.query("select body::json->>'content', count(*) from clanky.action group by 1"))
        return collections.Counter({content: int(count) for content, count in rows})

    def problems(self):
        odd = self.query("select count(*) from (select key from clanky.action group by key having count(*) > 1) x")
        return [] if odd == ["0"] else ["a key twice"]

    def close(self):
        self.down()
        shutil.rmtree(self.folder)


class ClickHouse:
    """The engine in a process that is killed, over a folder that stays."""
    kind = "clickhouse"
    twins = 0

    def __init__(self):
        self.folder = f"/tmp/kill-test-ch-{os.getpid()}"
        os.mkdir(self.folder)
        self.port, self.process, self.lossy = 0, None, False
        self.up()

    @property
    def loss(self):
        return 0.0

    @loss.setter
    def loss(self, value):
        # The process reads it for each request.
        with open(self.folder + "/loss", "w") as file:
            file.write(str(value))

    def up(self):
        script = os.path.join(here, "../../Tests/CockpitSinksTests/Vectors/clickhouse-server.py")
        self.process = subprocess.Popen(["python3", script, self.folder, str(self.port)], stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())

    def down(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def table(self):
        return f'url = "http://127.0.0.1:{self.port}"'

    def query(self, sql):
        import urllib.request
        return urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", sql.encode()).read().decode().strip().split("\n")

    def contents(self):
        sql = "SELECT JSONExtractString(body, 'content') c, count() FROM clanky.action FINAL GROUP BY c"
        rows = (line.rsplit("\t", 1) for line in self.query(sql))
        return collections.Counter({content: int(count) for content, count in rows})

    def problems(self):
        total, keys = self.query("SELECT count(), uniqExact(key) FROM clanky.action FINAL")[0].split("\t")
        return [] if total == keys else ["a key twice"]

    def close(self):
        self.down()
        shutil.rmtree(self.folder, ignore_errors=True)


kinds = {end.kind: end for end in (Loki, Lines, OTLP, Postgres, ClickHouse)}
