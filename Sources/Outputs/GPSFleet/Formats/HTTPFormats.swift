// SPDX-License-Identifier: MIT

/// A format of messages for HTTP servers.
package protocol HTTPFormat: MessageFormat {
    /// The media type of a request's body, which contains the message; `nil` if the message is sent
    /// as the query of the URL.
    var contentType: String? { get }
}

/// The message formats for HTTP.
package enum HTTPFormats {
    /// Returns the formats with their names for `--format`, the default first. To add one, add a
    /// file to this folder and a line here. `id` replaces the device's name in the messages.
    package static func all(id: String? = nil) -> [(name: String, format: any HTTPFormat)] {
        [
            ("osmand", OsmAndFormat(id: id)),
            ("osmand-json", OsmAndJSONFormat(id: id)),
            ("gpsbridge", BatchFormat(for: .http)),
        ]
    }
}

extension BatchFormat: HTTPFormat {
    package var contentType: String? { "application/json" }
}

extension MemberName {
    /// The device name that HTTP servers receive: `FLEET.BRIDGE.RECEIVER`.
    var deviceName: String { "\(fleet).\(bridge).\(receiver)" }
}
