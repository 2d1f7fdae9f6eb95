# SPDX-License-Identifier: MIT
"""A small NATS client for tests: it publishes, subscribes, queries JetStream, and creates batches of fixes."""

import json
import math
import socket
import subprocess


class EngineClient:
    """One connection. Replies are read on request."""

    def __init__(self, port, host="127.0.0.1"):
        # The limits only end waits that would never end.
        self.socket = socket.create_connection((host, port), 120)
        self.file = self.socket.makefile("rwb")
        self.file.readline()
        self.send(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nPING\r\n')
        while self.file.readline().strip() != b"PONG":
            pass
        self.count = 0

    def send(self, data):
        self.file.write(data)
        self.file.flush()

    def subscribe(self, subject):
        self.count += 1
        self.send(f"SUB {subject} {self.count}\r\n".encode())

    def receive(self, timeout=120):
        """Returns the next message: subject, headers, payload; None after the timeout."""
        self.socket.settimeout(timeout)
        try:
            while True:
                words = self.file.readline().split()
                if not words:
                    raise ConnectionError("the server has closed the connection")
                if words[0] == b"PING":
                    self.send(b"PONG\r\n")
                elif words[0] == b"MSG":
                    data = self.file.read(int(words[-1]) + 2)[:-2]
                    return words[1].decode(), b"", data
                elif words[0] == b"HMSG":
                    data = self.file.read(int(words[-1]) + 2)[:-2]
                    head = int(words[-2])
                    return words[1].decode(), data[:head], data[head:]
        except TimeoutError:
            return None

    def request(self, subject, payload=b""):
        inbox = f"_INBOX.{id(self)}.{self.count}"
        self.subscribe(inbox)
        self.send(f"UNSUB {self.count} 1\r\nPUB {subject} {inbox} {len(payload)}\r\n".encode()
                  + payload + b"\r\n")
        return self.receive()

    def ask(self, request, **parameters):
        """Sends a request to JetStream's API. Raises its error."""
        reply = self.request(f"$JS.API.{request}", json.dumps(parameters).encode())
        if reply is None or not reply[2]:
            raise ConnectionError(f"{request}: no answer")
        answer = json.loads(reply[2])
        if "error" in answer:
            raise RuntimeError(f"{request}: {answer['error']}")
        return answer

    def create_stream(self, name="GPS", subjects=("gps.>",), replicas=3, **limits):
        return self.ask(f"STREAM.CREATE.{name}", name=name, subjects=list(subjects), storage="file",
                        num_replicas=replicas, max_bytes=2 << 30, discard="old", retention="limits",
                        duplicate_window=120_000_000_000, max_consumers=-1, max_msgs=-1, max_age=0, **limits)

    def ids(self, stream="GPS"):
        """Returns the ids of all messages in order, for a stream without deleted messages."""
        count, ids, seen, failures = self.ask(f"STREAM.INFO.{stream}")["state"]["messages"], [], 0, 0
        while seen < count:
            try:
                inbox = f"_INBOX.{id(self)}.ids{failures}"
                self.subscribe(inbox)
                self.ask(f"CONSUMER.CREATE.{stream}", stream_name=stream, config={
                    "deliver_subject": inbox, "deliver_policy": "by_start_sequence", "opt_start_seq": seen + 1,
                    "ack_policy": "none", "headers_only": True})
                while seen < count and (message := self.receive(30)):
                    if message[0].startswith("gps."):
                        seen += 1
                        ids += [line.split(":", 1)[1].strip() for line in message[1].decode().splitlines()
                                if line.startswith("Nats-Msg-Id:")]
            except ConnectionError:
                pass
            # Servers that were killed need some time to agree. Late replies are ignored.
            if seen < count:
                self.send(f"UNSUB {self.count}\r\n".encode())
                failures += 1
                if failures == 6:
                    raise ConnectionError(f"{seen} of {count} messages came")
        return ids

    def publish_stored(self, messages):
        """Publishes (subject, id, payload) with acknowledgements. Returns the number of new ones."""
        inbox = f"_INBOX.{id(self)}.acks"
        self.subscribe(inbox)
        mark, new = self.count, 0
        for index, (subject, key, payload) in enumerate(messages):
            head = f"NATS/1.0\r\nNats-Msg-Id: {key}\r\n\r\n".encode()
            self.file.write(f"HPUB {subject} {inbox} {len(head)} {len(head) + len(payload)}\r\n".encode()
                            + head + payload + b"\r\n")
            if index % 64 == 63 or index == len(messages) - 1:
                self.file.flush()
                for _ in range(index % 64 + 1):
                    new += not json.loads(self.receive()[2]).get("duplicate", False)
        self.send(f"UNSUB {mark}\r\n".encode())
        return new


def batch(bridge, first, count, start=1_795_000_000_000, boot="4f1c09aa31d2", fleet="test",
          receiver="r1", step=1000, origin="live", **changes):
    """Returns a message of gpsbridge: (subject, id, payload)."""
    number = int("".join(c for c in bridge if c.isdigit()) or 0)
    seq = list(range(first, first + count))
    angle = [(s % 3600) / 3600 * 2 * math.pi for s in seq]
    message = {
        "gpsbridge": 1, "fleet": fleet, "bridge": bridge, "receiver": receiver, "boot": boot,
        "origin": origin, "software": "gpsbridge test", "waiting": 0, "seq": seq,
        "received": [start + s * step + 215 for s in seq], "time": [start + s * step for s in seq],
        "mode": [3] * count, "quality": [1] * count,
        "lat": [round(48.2 + number % 100 * 0.003 + 0.01 * math.sin(a), 8) for a in angle],
        "lon": [round(16.3 + number // 100 * 0.005 + 0.015 * math.cos(a), 8) for a in angle],
        "alt": [171.2] * count, "speed": [round(10 + math.sin(a), 3) for a in angle],
        "course": [round(math.degrees(a), 2) for a in angle], "hacc": [1.5] * count,
        "used": [12] * count, **changes}
    name = f"{fleet}/{bridge}/{receiver}"
    return (f"gps.{fleet}.{bridge}.{receiver}", f"{name}/{boot}/{seq[0]}-{seq[-1]}/{count}" if seq else "",
            json.dumps(message, separators=(",", ":")).encode())


def decoded(message):
    """Returns the JSON of a message, which may be a zstd frame."""
    if not message.startswith(b"\x28\xb5\x2f\xfd"):
        return message
    return subprocess.run(["zstd", "-dcq"], input=message, check=True, capture_output=True).stdout
