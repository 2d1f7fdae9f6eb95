// SPDX-License-Identifier: MIT

/// The formats of messages in MQTT by their names.
package enum MQTTFormats {
    /// The formats by the name that `--format` takes. Adding one is a file in this folder and a line here.
    package static let all: [(name: String, format: any MessageFormat)] = [
        ("gpsbridge", BatchFormat(for: .mqtt)),
        ("owntracks", OwnTracksFormat()),
        ("homeassistant", HomeAssistantFormat()),
        ("gpsd", GPSDMessageFormat()),
        ("geojson", GeoJSONMessageFormat()),
    ]
}
