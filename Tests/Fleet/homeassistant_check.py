# SPDX-License-Identifier: MIT
"""Reads messages of MQTT, a JSON list of [topic, payload], as Home Assistant does: with its own code.

Run by a Python that has homeassistant installed. Prints what it has understood.
"""

import asyncio
import json
import sys
import types

import homeassistant.components
from homeassistant.components.mqtt import device_tracker, sensor
from homeassistant.components.mqtt.device_tracker import MqttDeviceTracker
from homeassistant.core import HomeAssistant
from homeassistant.helpers.template import Template

# The package itself would import the half of Home Assistant.
owntracks = types.ModuleType("homeassistant.components.owntracks")
owntracks.__path__ = [homeassistant.components.__path__[0] + "/owntracks"]
sys.modules[owntracks.__name__] = owntracks
from homeassistant.components.owntracks.messages import _parse_see_args


async def check(messages):
    hass = HomeAssistant("/nonexistent")
    retained = dict(messages)
    result = {}
    for topic, payload in messages:
        parts = topic.split("/")
        if parts[0] == "homeassistant" and parts[-1] == "config":
            schema = {"device_tracker": device_tracker, "sensor": sensor}[parts[1]].DISCOVERY_SCHEMA
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
            else:
                template = config["value_template"]
                template = template if isinstance(template, Template) else Template(template)
                template.hass = hass
                value = template.async_render_with_possible_json_value(
                    retained[config["state_topic"]], parse_result=False)
                result[parts[2].rsplit("_", 1)[1]] = float(value)
        elif parts[0] == "owntracks":
            message = {**json.loads(payload), "topic": topic}
            if message["_type"] == "location":
                result["owntracks"] = _parse_see_args(message, "owntracks/#")[1]
    await hass.async_stop(force=True)
    return result


print(json.dumps(asyncio.run(check(json.load(sys.stdin))), default=str))
