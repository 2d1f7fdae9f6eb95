# SPDX-License-Identifier: MIT
"""Clients that reconnect: restart.py PORT CLIENTS. Prints a line when all clients watch. Each time that the server
has ended and all clients watch again, prints the time since the end of the server."""
import socket
import sys
import time

port, count = int(sys.argv[1]), int(sys.argv[2])

def connect():
    while True:
        try:
            client = socket.create_connection(("127.0.0.1", port))
            client.sendall(b'?WATCH={"enable":true,"json":true};\n')
            return client
        except OSError:
            time.sleep(0.02)


def watched(client):
    data = b""
    while b'"class":"WATCH"' not in data:
        more = receive(client)
        if not more:
            return False
        data += more
    return True


def receive(client):
    """Returns received bytes; empty if the server has ended."""
    try:
        return client.recv(65536)
    except OSError:
        return b""


clients = []
gone = None
while True:
    clients = [connect() for _ in range(count)]
    if all(watched(client) for client in clients):
        now = time.time()
        print("all watch" if gone is None else "all watch again after %.2f s" % (now - gone), flush=True)
    while receive(clients[0]):
        pass
    gone = time.time()
    for client in clients:
        client.close()
