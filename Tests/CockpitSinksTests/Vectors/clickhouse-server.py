#!/usr/bin/env python3
"""ClickHouse's engine (pip install chdb) behind HTTP on loopback: prints its port.

    clickhouse-server.py [FOLDER [PORT]]

FOLDER keeps the data; a number in FOLDER/loss is the share of requests that are carried out and not answered."""
import gzip, http.server, os, random, sys, tempfile, urllib.parse
from chdb.session import Session

folder = sys.argv[1] if len(sys.argv) > 1 else tempfile.mkdtemp(prefix="clickhouse-")
session = Session(os.path.join(folder, "data"))


def loss():
    try:
        with open(os.path.join(folder, "loss")) as file:
            return float(file.read() or 0)
    except FileNotFoundError:
        return 0


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        sql = query.get("query", "")
        token = query.get("insert_deduplication_token")
        if token:
            at = sql.rindex(" FORMAT ")
            sql = sql[:at] + f" SETTINGS insert_deduplication_token='{token}'" + sql[at:]
        try:
            text = sql.encode() + b"\n" + body if sql else body
            answer, status = session.query(text.decode(), "TabSeparated").bytes(), 200
        except Exception as problem:
            answer, status = str(problem).encode(), 400
        if random.random() < loss():
            self.connection.close()
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


class Server(http.server.HTTPServer):
    allow_reuse_address = True


server = Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
