// SPDX-License-Identifier: MIT

/// The message formats for MQTT.
package enum MQTTFormats {
    /// The formats with their names for `--format`. To add one, add a file to this folder and a
    /// line here.
    package static let all: [(name: String, format: any MessageFormat)] = [
        ("gpsbridge", BatchFormat(for: .mqtt)),
        ("owntracks", OwnTracksFormat()),
        ("homeassistant", HomeAssistantFormat()),
        ("gpsd", GPSDMessageFormat()),
        ("geojson", GeoJSONMessageFormat()),
    ]
}
