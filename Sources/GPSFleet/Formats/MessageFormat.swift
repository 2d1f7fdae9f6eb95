// SPDX-License-Identifier: MIT

/// A conversion of fixes to messages.
package protocol MessageFormat: Sendable {
    /// The maximum number of fixes in one message.
    var maximumCount: Int { get }

    /// Whether only the newest fix matters, for example for a display of the current position.
    var isState: Bool { get }

    /// Returns the message of a batch; `nil` if the format cannot represent the fix.
    func message(_ batch: FixBatch) -> EngineMessage?

    /// Returns messages that are sent with the batch's message; they may be lost.
    func additionalMessages(_ batch: FixBatch) -> [EngineMessage]

    /// Returns messages about a receiver that are sent when the engine connects.
    func announcement(of batch: FixBatch) -> [EngineMessage]

    /// Returns the messages by which MQTT reports whether the bridge is connected; `nil` for none.
    func presence(of members: [MemberName]) -> Presence?

    /// An MQTT topic on which the message `online` requests announcements.
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
    package func additionalMessages(_ batch: FixBatch) -> [EngineMessage] { [] }

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
    /// The MQTT topic that reports whether the bridge is connected.
    package var statusTopic: String { "gps/\(fleet)/\(bridge)/status" }
}

/// gpsbridge's own format: batches of fixes.
package struct BatchFormat: MessageFormat {
    /// The maximum number of fixes in one message.
    package let maximumCount: Int
    private let engine: EngineURL.Engine

    /// Creates the format for NATS or MQTT.
    package init(for engine: EngineURL.Engine, maximumCount: Int = 600) {
        self.maximumCount = maximumCount
        self.engine = engine
    }

    /// Returns the message of a batch; `nil` for a batch without fixes.
    package func message(_ batch: FixBatch) -> EngineMessage? {
        guard let id = batch.id else { return nil }
        return EngineMessage(
            destination: engine == .nats ? batch.member.subject : batch.member.topic, id: id,
            bytes: batch.encoded())
    }
}
