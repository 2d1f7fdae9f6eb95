# SPDX-License-Identifier: MIT
"""Reads Signal K from `gpsbridge serve --signalk` over TCP and WebSocket, and checks each message
by the published schemas.

signalk.py PORT SCHEMAS COUNT [SOURCE]: SCHEMAS is the folder `schemas` of the npm package
@signalk/signalk-schema, or of the repository SignalK/specification. Without it ("-"), only the rules
in this file are checked.
"""
import base64, functools, json, os, pathlib, re, socket, struct, sys, urllib.parse, urllib.request

port, schemas, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
source = sys.argv[4] if len(sys.argv) > 4 else "gpsbridge."


def lines():
    """Messages over TCP."""
    with socket.create_connection(("127.0.0.1", port), 20) as connection:
        for line in connection.makefile(encoding="ascii", newline="\n"):
            yield line


def frames():
    """Messages over a WebSocket (RFC 6455), without a library. Also tests a ping and the closing handshake."""
    connection = socket.create_connection(("127.0.0.1", port), 20)
    stream = connection.makefile("rb")
    key = base64.b64encode(os.urandom(16)).decode()
    connection.sendall((
        f"GET /signalk/v1/stream?subscribe=all HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
    assert stream.readline().startswith(b"HTTP/1.1 101 ")
    while stream.readline() != b"\r\n":
        pass

    def send(opcode, payload):
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        connection.sendall(bytes([0x80 | opcode, 0x80 | len(payload)]) + mask + masked)

    send(9, b"are you there?")
    has_pong = False
    try:
        while True:
            first, payload = receive(stream)
            if first == 0x8A:
                assert payload == b"are you there?"
                has_pong = True
            else:
                assert first == 0x81, hex(first)
                yield payload.decode("ascii")
    finally:
        assert has_pong
        send(8, struct.pack(">H", 1000))
        while receive(stream)[0] != 0x88:
            pass


def receive(stream):
    """Returns a frame's first byte and its payload."""
    first, length = stream.read(2)
    if length == 126:
        length, = struct.unpack(">H", stream.read(2))
    return first, stream.read(length)


def validators():
    if schemas == "-":
        return {}
    import jsonschema
    folder = pathlib.Path(schemas)

    def load(uri):
        name = re.sub(r"^.*/schemas/", "", uri.split("#")[0]).lstrip("./")
        return json.loads((folder / name).read_text())

    found = {}
    for name in ("hello", "delta", "discovery"):
        schema = load(f"/schemas/{name}.json")
        schema["id"] = f"https://signalk.org/schemas/{name}.json"
        resolver = jsonschema.RefResolver(schema["id"], schema, handlers={"https": load})
        found[name] = jsonschema.Draft4Validator(schema, resolver=resolver)

    def descend(schema, file, names):
        """Returns the schema of a path below a schema, and the address of its file; (None, None) if there is none."""
        while "$ref" in schema:
            file, schema = references.resolve(urllib.parse.urljoin(file, schema["$ref"]))
        if not names:
            return schema, file
        if names[0] in schema.get("properties", {}):
            return descend(schema["properties"][names[0]], file, names[1:])
        for part in schema.get("allOf", []):
            inner = descend(part, file, names)
            if inner[0]:
                return inner
        return None, None

    @functools.cache
    def of_value(path):
        """The validator of a path's object in a tree of values, or of a notification."""
        group, *names = path.split(".")
        file = f"https://signalk.org/schemas/groups/{group}.json"
        schema = load(file)
        if group == "notifications":
            schema = schema["definitions"]["notification"]
        else:
            schema, file = descend(schema, file, names)
        assert schema, f"the schemas have no {path}"
        resolver = jsonschema.RefResolver(file, load(file), handlers={"https": load})
        return jsonschema.Draft4Validator(schema, resolver=resolver)

    references = jsonschema.RefResolver("", {}, handlers={"https": load})
    found["value"] = of_value
    return found


def check(kind, message):
    if kind in valid:
        errors = [error.message for error in valid[kind].iter_errors(message)]
        assert not errors, (kind, message, errors)


def check_value(path, value, update):
    # A message may contain null for a value that is lost; a tree leaves it out.
    if not valid or value is None or not path:
        return
    leaf = {"value": value, "timestamp": update["timestamp"], "$source": update["$source"]}
    if path.startswith("notifications."):
        leaf = value
    errors = [error.message for error in valid["value"](path).iter_errors(leaf)]
    assert not errors, (path, leaf, errors)


def read(messages):
    """Checks COUNT messages. Returns the paths with their last values."""
    hello = json.loads(next(messages))
    check("hello", hello)
    assert re.fullmatch(r"vessels\.urn:mrn:signalk:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", hello["self"])
    values = {}
    for _ in range(count):
        delta = json.loads(next(messages))
        check("delta", delta)
        assert delta["context"] == hello["self"]
        for update in delta["updates"]:
            assert update["$source"].startswith(source), update["$source"]
            assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", update["timestamp"])
            for value in update["values"]:
                values[value["path"]] = value["value"]
                check_value(value["path"], value["value"], update)
    messages.close()
    return values


valid = validators()
for messages in (lines(), frames()):
    values = read(messages)
    position = values["navigation.position"]
    assert -90 <= position["latitude"] <= 90 and -180 <= position["longitude"] <= 180
    for path in ("navigation.courseOverGroundTrue", "navigation.headingTrue"):
        assert 0 <= (values.get(path) or 0) < 6.2832, path
    assert values["navigation.gnss.methodQuality"] != "no GPS"
with urllib.request.urlopen(f"http://127.0.0.1:{port}/signalk") as answer:
    discovery = json.load(answer)
    check("discovery", discovery)
    assert discovery["endpoints"]["v1"]["signalk-ws"].endswith("/signalk/v1/stream")
print(f"ok   {2 * count} messages with {len(values)} paths, {'the published schemas' if valid else 'without the published schemas'}")
