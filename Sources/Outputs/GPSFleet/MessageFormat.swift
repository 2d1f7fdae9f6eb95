// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Converts batches of fixes to messages.
package protocol MessageFormat: Sendable {
    /// The maximum number of fixes in one message.
    var maximumCount: Int { get }

    /// Whether only the newest fix matters, so that older ones are not sent. An example is a
    /// display of the current position.
    var isState: Bool { get }

    /// Whether the last fix of a receiver without new fixes is sent again, to show that the bridge
    /// is running.
    var hasHeartbeat: Bool { get }

    /// Returns the message for a batch; `nil` if the format cannot represent the fix.
    func message(_ batch: FixBatch) -> EngineMessage?

    /// Returns messages that are sent before the batch's message. They are not resent if they are
    /// lost.
    func additionalMessages(_ batch: FixBatch) -> [EngineMessage]

    /// Returns messages that describe a batch's receiver. They are sent after each new connection
    /// to the server, and when the receiver has a new column.
    func announcement(of batch: FixBatch) -> [EngineMessage]

    /// Returns the MQTT messages that report whether the bridge is connected; `nil` if the format
    /// has none.
    func presence(of members: [MemberName]) -> Presence?

    /// The MQTT topic to subscribe to. The message `online` on it requests all announcements again;
    /// `nil` for none.
    var announcementTopic: String? { get }
}

/// MQTT messages that report whether a bridge is connected.
package struct Presence: Hashable, Sendable {
    /// The topic of both messages.
    package var topic: String
    /// The message that the bridge publishes after connecting; `nil` for none.
    package var online: String?
    /// The message that the server publishes when it loses the connection (MQTT's last will).
    package var offline: String
    /// Whether the server retains both messages.
    package var isRetained = true
}

extension MessageFormat {
    /// By default, a message contains one fix.
    package var maximumCount: Int { 1 }

    /// By default, `false`: all fixes are sent, not only the newest one.
    package var isState: Bool { false }

    /// By default, `true`: the last fix of a receiver without new fixes is sent again.
    package var hasHeartbeat: Bool { true }

    /// By default, `nil`: no topic requests announcements.
    package var announcementTopic: String? { nil }

    /// By default, only the batch's message is sent.
    package func additionalMessages(_ batch: FixBatch) -> [EngineMessage] { [] }

    /// By default, the messages are `online` and `offline`, with the topic
    /// `gps/FLEET/BRIDGE/status`.
    package func presence(of members: [MemberName]) -> Presence? {
        members.first.map {
            Presence(topic: $0.statusTopic, online: "online", offline: "offline")
        }
    }

    /// By default, no messages describe the receiver.
    package func announcement(of batch: FixBatch) -> [EngineMessage] { [] }
}

extension MemberName {
    /// The MQTT topic that reports whether the bridge is connected.
    var statusTopic: String { "gps/\(fleet)/\(bridge)/status" }
}

/// gpsbridge's own format: batches of fixes.
package struct BatchFormat: MessageFormat {
    /// The maximum number of fixes in one message.
    package let maximumCount: Int
    private let engine: EngineURL.Engine

    /// Creates the format for NATS, MQTT or HTTP.
    package init(for engine: EngineURL.Engine, maximumCount: Int = 600) {
        self.maximumCount = maximumCount
        self.engine = engine
    }

    /// Returns a message with all fixes of a batch; `nil` if the batch is empty.
    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let id = batch.id else { return nil }
        let destination =
            switch engine {
            case .nats: batch.member.subject
            case .mqtt: batch.member.topic
            case .http: ""
            }
        // For HTTP, the media type is `application/json`, so the batch is encoded as JSON.
        return EngineMessage(
            destination: destination, id: id,
            bytes: engine == .http ? batch.encodedJSON() : batch.encoded())
    }
}

/// A format of messages for HTTP servers.
package protocol HTTPFormat: MessageFormat {
    /// The media type of a request's body, which contains the message; `nil` if the message is sent
    /// as the query of the URL.
    var contentType: String? { get }
}

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

/// gpsd's `TPV` objects, one per message, on the MQTT topic `gps/FLEET/BRIDGE/RECEIVER/tpv`.
package struct GPSDMessageFormat: MessageFormat {
    package init() {}

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let id = batch.id else { return nil }
        var reports = GPSDReports(
            device: batch.member.description, isSimulated: batch.origin == .simulated)
        reports.report(row.fix)
        // Only the first line, `TPV`, is used. A second line may contain the attitude (`ATT`).
        var line = reports.bytes.withUnsafeBytes { Array($0.prefix { $0 != 0x0A }) }
        var members = ""
        // `TPV` has a status for simulated fixes, but nothing for replayed ones.
        if !batch.origin.mayBeLive { members += ",\"origin\":\"\(batch.origin.rawValue)\"" }
        // A row has only these two values of an anchor watch.
        if let anchor = row.anchor {
            var object = JSONObject()
            object.add("state", anchor.rawValue)
            object.add("distance", row.value(FixColumn.anchorDistance), decimals: 1)
            members += ",\"anchor\":\(object)"
        }
        if !members.isEmpty, line.popLast() != nil { line += Array("\(members)}".utf8) }
        return EngineMessage(destination: batch.member.topic + "/tpv", id: id, bytes: line)
    }
}

/// GeoJSON features, one per message, on the MQTT topic `gps/FLEET/BRIDGE/RECEIVER/geojson`. A fix
/// without a position cannot be represented.
package struct GeoJSONMessageFormat: MessageFormat {
    package init() {}

    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let row = batch.rows.last, let id = batch.id else { return nil }
        var writer = GeoJSONSeqFormat()
        writer.begin(OutputSource(name: batch.member.description, origin: batch.origin))
        writer.write(row.fix)
        var record: [UInt8] = []
        writer.drain { bytes in record = bytes.withUnsafeBytes { Array($0) } }
        guard record.count > 2 else { return nil }
        // The record separator before the text and the newline after it are removed.
        return EngineMessage(
            destination: batch.member.topic + "/geojson", id: id,
            bytes: Array(record.dropFirst().dropLast()))
    }
}
