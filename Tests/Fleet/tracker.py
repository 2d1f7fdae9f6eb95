# SPDX-License-Identifier: MIT
"""A server that reads OsmAnd parameters and JSON as Traccar's decoder does, and writes each position to a file before it
answers: tracker.py PORT RULES OUTPUT [CERTIFICATE KEY].

RULES is a file that is read for each request: a JSON object with
    known    the devices; without it, all
    refused  timestamps that are always refused, with status 413
    answers  [status, headers] for the next requests; the first is removed
    header   [name, value] that a request must have, else 401
"""

import http.server
import json
import os
import ssl
import sys
import threading
import time
from datetime import datetime
from urllib.parse import parse_qs, urlsplit

PORT, RULES, OUTPUT = int(sys.argv[1]), sys.argv[2], sys.argv[3]
NUMBERS = ("lat", "lon", "speed", "bearing", "altitude", "accuracy", "hdop", "sat")
LOCK = threading.Lock()



def query_position(query):
    """Like OsmAndProtocolDecoder.decodeQuery: without a timestamp, uses the time of arrival; an unknown device is
    status 400."""
    values = {name: values[-1] for name, values in parse_qs(query, keep_blank_values=True).items()}
    position = {name: float(value) if name in NUMBERS else value for name, value in values.items()}
    stamp = int(values["timestamp"]) if "timestamp" in values else int(time.time() * 1000)
    position["time"] = stamp * 1000 if stamp < 2**31 - 1 else stamp
    position["device"], position["query"] = values.get("id"), query
    return position


def json_position(body):
    """Like OsmAndProtocolDecoder.decodeJson: every number of coords is required."""
    root = json.loads(body)
    location = root["location"]
    coords = {name: float(location["coords"][name])
              for name in ("latitude", "longitude", "speed", "heading", "accuracy", "altitude")}
    stamp = datetime.fromisoformat(location["timestamp"].replace("Z", "+00:00"))
    return {"device": root["device_id"], "time": round(stamp.timestamp() * 1000), **coords,
            "mock": location.get("mock", False)}


def rule(name):
    """Returns a rule; for the answers, the next one."""
    with LOCK, open(RULES, encoding="utf-8") as file:
        rules = json.load(file)
        if name != "answers" or not rules.get(name):
            return rules.get(name)
        answer = rules[name].pop(0)
        with open(RULES + ".new", "w", encoding="utf-8") as new:
            json.dump(rules, new)
        os.replace(RULES + ".new", RULES)
        return answer


def record(entry):
    with LOCK, open(OUTPUT, "a", encoding="utf-8") as file:
        file.write(json.dumps(entry) + "\n")


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        status, headers = self.status(body)
        self.send_response(status)
        for name, value in {"Content-Length": "0", **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def status(self, body):
        answer, header = rule("answers"), rule("header")
        if answer:
            record({"answer": answer[0], "at": time.monotonic()})
            return answer
        if header and self.headers.get(header[0]) != header[1]:
            return 401, {}
        is_json = self.headers.get("Content-Type", "").startswith("application/json")
        if is_json and b'"gpsbridge":1' in body:
            record(json.loads(body))
            return 200, {}
        position = json_position(body) if is_json else query_position(urlsplit(self.path).query)
        known = rule("known")
        if known is not None and position["device"] not in known:
            record({"unknown": position["device"], "time": position["time"]})
            return 404 if is_json else 400, {}
        if position["time"] in (rule("refused") or []):
            return 413, {}
        record({**position, "at": time.monotonic()})
        return 200, {}

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


server = Server(("127.0.0.1", PORT), Handler)
if len(sys.argv) > 4:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(sys.argv[4], sys.argv[5])
    server.socket = context.wrap_socket(server.socket, server_side=True)
server.serve_forever()
