# SPDX-License-Identifier: MIT
"""Tests that the programs for which `publish --format` is intended can read its messages."""

import json
import os
import re
import subprocess
import threading
import time

from engine_client import EngineClient


def sent_by(work, programs, name, *arguments):
    """Returns all messages that a run of gpsbridge-fleet sends to a broker in one format, as pairs of topic and
    payload."""
    broker = work.broker()
    listener = broker.subscribed(lambda: subprocess.Popen(
        ["mosquitto_sub", "-p", str(broker.port), "-t", "#", "-F", "%t %p"], stdout=subprocess.PIPE, text=True))
    limit = threading.Timer(600, listener.kill)
    limit.start()
    try:
        programs.run(*arguments, "--to", broker.url, "--format", name, "--spool", work.path(f"{name}.sqlite"))
        broker.publish("end", "end")
        lines = []
        for line in listener.stdout:
            if line == "end end\n":
                break
            lines.append(line)
    finally:
        limit.cancel()
        listener.kill()
        listener.wait()
    return [line.rstrip("\n").split(" ", 1) for line in lines]


def messages(work, programs, name):
    """Returns all messages of two seconds of a simulated receiver."""
    return sent_by(work, programs, name, "simulate", "--fleet", "1", "--duration", "2")


def column(sent, name):
    """Returns a column of the fixes in gpsbridge's own messages, in the order of their numbers; None for missing
    values."""
    batches = [json.loads(payload) for _, payload in sent if payload.startswith("{")]
    rows = [pair for batch in batches
            for pair in zip(batch["seq"], batch.get(name, [None] * len(batch["seq"])))]
    return [value for _, value in sorted(rows, key=lambda row: row[0])]


def changes(values):
    """Returns the values without repetitions."""
    return [value for index, value in enumerate(values) if index == 0 or values[index - 1] != value]


def by_home_assistant(messages):
    """Returns the result of Home Assistant's code for the messages; None if it is not installed."""
    python = os.environ.get("FLEET_PYTHON")
    if not python:
        return None
    # It must not be there only at the end: the last state is what is read.
    online = [pair for pair in messages if pair[1] != "offline"]
    script = os.path.join(os.path.dirname(__file__), "homeassistant_check.py")
    result = subprocess.run([python, script], input=json.dumps(online), text=True, capture_output=True, timeout=120,
                            check=False)
    assert result.returncode == 0, result.stderr[-2000:]
    return json.loads(result.stdout)


HINT = "not read by its own code: FLEET_PYTHON names no Python with it, see docs/testing.md"

SUBSCRIBER = """
import asyncio, json, nats, sys
async def main():
    connection = await nats.connect(sys.argv[1])
    subscription = await connection.subscribe("gps.>")
    message = await subscription.next_msg(timeout=30)
    print(json.dumps([message.subject, message.headers, json.loads(message.data)]))
    stream = connection.jetstream()
    pulled = await (await stream.pull_subscribe("gps.>", "tests")).fetch(1, timeout=30)
    print(pulled[0].metadata.stream)
    await connection.close()
asyncio.run(main())
"""


def test_nats_subscriber(work, programs):
    """A subscriber and a consumer with nats-py, the NATS client for Python."""
    python = os.environ.get("FLEET_PYTHON")
    if not python:
        return HINT
    engine = work.engine(nodes=1)
    subscriber = subprocess.Popen([python, "-c", SUBSCRIBER, engine.url.split(",")[0]], text=True,
                                  stdout=subprocess.PIPE)
    programs.run("simulate", "--fleet", "2", "--duration", "5", "--to", engine.url, "--create-stream",
                 "--spool", work.path("spool.sqlite"))
    message, stream = subscriber.communicate(timeout=40)[0].splitlines()
    subject, headers, content = json.loads(message)
    assert subject == f"gps.fleet.{content['bridge']}.gps" and content["gpsbridge"] == 1, message
    assert headers["Nats-Msg-Id"].startswith(f"fleet/{content['bridge']}/gps/{content['boot']}/"), headers
    assert stream == "GPS", stream


def test_homeassistant(work, programs):
    """Checks discovery, attributes and availability with the schemas and entities of Home Assistant."""
    sent = messages(work, programs, "homeassistant")
    fixes = [json.loads(payload) for topic, payload in sent if topic.endswith("/attributes")]
    assert fixes and all(isinstance(fix["latitude"], float) and fix["gps_accuracy"] > 0 for fix in fixes), sent
    read = by_home_assistant(sent)
    if read is None:
        return HINT
    last = fixes[-1]
    assert read["tracker"][:3] == [last["latitude"], last["longitude"], last["gps_accuracy"]], read
    assert (read["speed"], read["altitude"], read["satellites"]) == (
        last["speed"], last["altitude"], last["satellites"]), read
    return f"{read}"


def test_anchor(work, programs):
    """An anchor watch raises alarms by MQTT: first the boat is far from the anchor, then the receiver is lost."""
    arguments = ["publish", "simulated:instruments=depth,fault=9s: unplug for 30s", "--anchor", "30m@0,0",
                 "--duration", "12"]
    own = sent_by(work, programs, "gpsbridge", *arguments)
    assert changes(column(own, "anchor")) == [0, 2, 3], own
    assert max(depth or 0 for depth in column(own, "depth")) > 0, own
    sent = sent_by(work, programs, "homeassistant", *arguments)
    assert changes([payload for topic, payload in sent if topic.endswith("/anchor")]) == ["setting", "drag", "lost"], sent
    fixes = [json.loads(payload) for topic, payload in sent if topic.endswith("/attributes")]
    assert any(fix.get("depth", 0) > 0 and fix["anchor_distance"] > 1e6 for fix in fixes), sent
    for name in ("binary_sensor/gps_{}_anchor", "sensor/gps_{}_depth", "sensor/gps_{}_anchor_distance"):
        pattern = "homeassistant/" + name.format("[^/]*") + "/config"
        assert any(re.fullmatch(pattern, topic) for topic, _ in sent), (pattern, sent)
    read = by_home_assistant(sent)
    if read is None:
        return HINT
    assert read["anchor"] == "ON" and read["anchor_distance"] > 1e6, read
    return f"{read}"


def test_unplugged(work, programs):
    """Home Assistant shows no position for an unplugged receiver."""
    sent = sent_by(work, programs, "homeassistant", "publish", "simulated:fault=9s: unplug for 30s",
                   "--duration", "12")
    states = [payload for topic, payload in sent if re.fullmatch("gps/[^/]*/[^/]*/[^/]*/status", topic)]
    assert changes(states)[-2:] == ["online", "offline"], sent


def test_vote(work, programs):
    """The state of a vote of two receivers, its radius and its witness."""
    arguments = ["publish", "bow=simulated:seed=1", "aft=simulated:seed=2", "--vote", "--duration", "9"]
    own = sent_by(work, programs, "gpsbridge", *arguments)
    rows = list(zip(*(column(own, name) for name in ("vote", "voteWitnesses", "voteDisagreeing", "voteRadius"))))
    agreed = [row for row in rows if row[0] == 2]
    assert agreed and all(row[1:3] == (1, 0) and 0 < row[3] < 20 for row in agreed), rows
    sent = sent_by(work, programs, "homeassistant", *arguments)
    assert [payload for topic, payload in sent if topic.endswith("/vote")][-1] == "agreed", sent
    read = by_home_assistant(sent)
    if read is None:
        return HINT
    assert read["vote"] == "agreed" and 0 < read["vote_radius"] < 20, read
    return f"{read}"


def test_owntracks(work, programs):
    """Locations as OwnTracks' booklet describes them, read by Home Assistant's code for OwnTracks."""
    sent = messages(work, programs, "owntracks")
    locations = [(topic, json.loads(payload)) for topic, payload in sent if '"location"' in payload]
    assert locations, sent
    for topic, location in locations:
        assert re.fullmatch(r"owntracks/[^/]+/[^/]+", topic), topic
        assert len(location["tid"]) == 2 and abs(location["tst"] - time.time()) < 60, location
        assert all(isinstance(location[name], int) for name in ("tst", "acc", "alt", "vac", "vel", "cog")), location
        assert -90 <= location["lat"] <= 90 and -180 <= location["lon"] <= 180, location
    read = by_home_assistant(sent)
    if read is None:
        return HINT
    last = locations[-1][1]
    assert read["owntracks"]["gps"] == [last["lat"], last["lon"]], read
    assert read["owntracks"]["gps_accuracy"] == last["acc"], read
    return f"{read['owntracks']}"


def test_gpsd_and_geojson(work, programs):
    """Objects for gpsd's clients and GIS programs, which contain the origin."""
    reports = [json.loads(payload) for topic, payload in messages(work, programs, "gpsd") if topic.endswith("/tpv")]
    assert reports and all(report["class"] == "TPV" and report["status"] == 8 for report in reports), reports
    features = [json.loads(payload) for topic, payload in messages(work, programs, "geojson")
                if topic.endswith("/geojson")]
    assert features and all(feature["geometry"]["type"] == "Point" and feature["properties"]["origin"] == "simulated"
                            for feature in features), features


def test_message_size(work, programs):
    """A stream that takes only small messages gets every fix, because messages that it refuses are divided."""
    engine = work.engine(nodes=1)
    client = EngineClient(engine.ports[0])
    client.create_stream(replicas=1, max_msg_size=1000)
    result = programs.run("simulate", "--fleet", "1", "--past", "10min", "--duration", "1", "--to", engine.url,
                          "--spool", work.path("small.sqlite"))
    assert "the message is too large" in result.stderr, result.stderr
    numbers, ids = set(), client.ids()
    for key in ids:
        first, last = key.split("/")[4].split("-")
        numbers.update(range(int(first), int(last) + 1))
    assert len(numbers) == max(numbers) >= 600, f"{max(numbers) - len(numbers)} fixes are missing"
    return f"{len(numbers)} fixes in {len(ids)} messages"
