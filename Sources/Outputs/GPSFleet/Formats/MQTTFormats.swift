// SPDX-License-Identifier: MIT

/// The message formats for MQTT.
package enum MQTTFormats {
    /// Returns the formats with their names for `--format`, the default first. To add one, add a
    /// file to this folder and a line here. `members` are the receivers that are published over one
    /// connection.
    package static func all(
        of members: [MemberName] = []
    ) -> [(name: String, format: any MessageFormat)] {
        [
            ("gpsbridge", BatchFormat(for: .mqtt)),
            ("owntracks", OwnTracksFormat()),
            ("homeassistant", HomeAssistantFormat(statusTopic: members.first?.statusTopic)),
            ("gpsd", GPSDMessageFormat()),
            ("geojson", GeoJSONMessageFormat()),
        ]
    }
}
