# SPDX-License-Identifier: MIT
"""Reads MQTT messages, a JSON list of [topic, payload], with Home Assistant's code. The topic `traccar` stands for
the query of a request to its integration of Traccar.

It needs a Python with homeassistant installed. Prints the result.
"""

import asyncio
import json
import sys
import types
from urllib.parse import parse_qsl

import homeassistant.components
from homeassistant.components import traccar
from homeassistant.components.mqtt import binary_sensor, device_tracker, sensor
from homeassistant.components.mqtt.device_tracker import MqttDeviceTracker
from homeassistant.core import HomeAssistant
from homeassistant.helpers.dispatcher import async_dispatcher_connect
from homeassistant.helpers.template import Template

# Importing the package would import half of Home Assistant.
owntracks = types.ModuleType("homeassistant.components.owntracks")
owntracks.__path__ = [homeassistant.components.__path__[0] + "/owntracks"]
sys.modules[owntracks.__name__] = owntracks
from homeassistant.components.owntracks.messages import _parse_see_args


async def webhook(hass, query):
    """Returns the values that a device's tracker gets from a request to the Traccar integration."""
    received = []
    leave = async_dispatcher_connect(hass, traccar.TRACKER_UPDATE, lambda *values: received.append(values))
    request = types.SimpleNamespace(query=dict(parse_qsl(query)))
    response = await traccar.handle_webhook(hass, "id", request)
    await hass.async_block_till_done()
    leave()
    assert response.status == 200, response.text
    return received[0]


async def check(messages):
    hass = HomeAssistant("/nonexistent")
    retained = dict(messages)
    result = {}
    tracker_id = next((topic.split("/")[2] for topic in retained if topic.startswith("homeassistant/device_tracker")), "")
    for topic, payload in messages:
        parts = topic.split("/")
        if parts[0] == "homeassistant" and parts[-1] == "config":
            platforms = {"binary_sensor": binary_sensor, "device_tracker": device_tracker, "sensor": sensor}
            schema = platforms[parts[1]].DISCOVERY_SCHEMA
            config = schema(json.loads(payload))
            known = json.loads(payload).keys() - {"device"}
            assert known <= config.keys(), f"not known to Home Assistant: {known - config.keys()}"
            for entry in config["availability"]:
                assert entry["topic"] in retained, f"nothing on {entry['topic']}"
                assert entry["payload_available"] == "online"
            if parts[1] == "device_tracker":
                tracker = MqttDeviceTracker.__new__(MqttDeviceTracker)
                tracker._config = config
                tracker._attr_extra_state_attributes = json.loads(retained[config["json_attributes_topic"]])
                result["tracker"] = [tracker.latitude, tracker.longitude, tracker.location_accuracy, config["unique_id"]]
            elif config["state_topic"] in retained:
                template = config.get("value_template") or "{{ value }}"
                template = template if isinstance(template, Template) else Template(template)
                template.hass = hass
                value = template.async_render_with_possible_json_value(
                    retained[config["state_topic"]], parse_result=False)
                is_number = "state_class" in config
                # A sensor has no value while its attribute is absent.
                if not (is_number and value == "None"):
                    result[parts[2].removeprefix(tracker_id + "_")] = float(value) if is_number else value
        elif topic == "traccar":
            result.setdefault("traccar", []).append(await webhook(hass, payload))
        elif parts[0] == "owntracks":
            message = {**json.loads(payload), "topic": topic}
            if message["_type"] == "location":
                result["owntracks"] = _parse_see_args(message, "owntracks/#")[1]
    await hass.async_stop(force=True)
    return result


print(json.dumps(asyncio.run(check(json.load(sys.stdin))), default=str))
