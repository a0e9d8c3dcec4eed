#!/usr/bin/env python3
"""ClickHouse's engine (pip install chdb) behind HTTP on loopback: prints its port. A request with `x-fail` in its query
is answered 503; one with `x-lose` is carried out and not answered."""
import http.server, sys, tempfile, urllib.parse
from chdb.session import Session

session = Session(tempfile.mkdtemp(prefix="clickhouse-"))


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(self.path).query))
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
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
        self.send_response(status)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_address[1], flush=True)
server.serve_forever()
