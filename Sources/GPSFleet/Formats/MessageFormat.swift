// SPDX-License-Identifier: MIT

/// How fixes become messages.
package protocol MessageFormat: Sendable {
    /// How many fixes one message holds.
    var maximumCount: Int { get }

    /// Whether only the newest fix matters, as for what shows where something is now.
    var isState: Bool { get }

    /// The message of a batch; `nil` for a fix that the format has no place for.
    func message(_ batch: FixBatch) -> EngineMessage?

    /// Messages that are sent with it; whether these are stored does not matter.
    func companions(_ batch: FixBatch) -> [EngineMessage]

    /// Messages that are sent when the engine is connected, about each receiver.
    func announcement(of batch: FixBatch) -> [EngineMessage]

    /// The messages by which MQTT reports whether the bridge is connected; `nil` for none.
    func presence(of members: [MemberName]) -> Presence?

    /// A topic of MQTT on which `online` asks for announcements.
    var announcementTopic: String? { get }
}

/// Retained messages that are published when a bridge connects, and when its connection is lost.
package struct Presence: Hashable, Sendable {
    /// The topic of both messages.
    package var topic: String
    /// The message after connecting; `nil` for none.
    package var online: String?
    /// The message that the engine publishes when the connection is lost (MQTT's last will).
    package var offline: String
}

extension MessageFormat {
    /// Default: `false`.
    package var isState: Bool { false }

    /// Default: none.
    package var announcementTopic: String? { nil }

    /// Default: none.
    package func companions(_ batch: FixBatch) -> [EngineMessage] { [] }

    /// Default: `online` and `offline` on `gps/FLEET/BRIDGE/status`.
    package func presence(of members: [MemberName]) -> Presence? {
        members.first.map {
            Presence(topic: $0.statusTopic, online: "online", offline: "offline")
        }
    }

    /// Default: none.
    package func announcement(of batch: FixBatch) -> [EngineMessage] { [] }
}

extension MemberName {
    /// The topic in MQTT that says whether the bridge is connected.
    package var statusTopic: String { "gps/\(fleet)/\(bridge)/status" }
}

/// gpsbridge's own messages.
package struct BatchFormat: MessageFormat {
    /// The most fixes that a message holds.
    package let maximumCount: Int
    private let engine: EngineURL.Engine

    /// Creates the format for an engine of NATS or of MQTT.
    package init(for engine: EngineURL.Engine, maximumCount: Int = 600) {
        self.maximumCount = maximumCount
        self.engine = engine
    }

    /// A batch, or, without an id of its own, a sign of life.
    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let id = batch.id else { return nil }
        return EngineMessage(
            destination: engine == .nats ? batch.member.subject : batch.member.topic, id: id,
            bytes: batch.encoded())
    }
}
