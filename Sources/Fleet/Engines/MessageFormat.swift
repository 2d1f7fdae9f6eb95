// SPDX-License-Identifier: MIT

/// How fixes become messages.
package protocol MessageFormat: Sendable {
    /// How many fixes one message holds.
    var maximumCount: Int { get }

    /// Whether only the newest fix matters, as for what shows where something is now.
    var isState: Bool { get }

    /// The message of a batch; `nil` for a fix that the format has no place for.
    func message(_ batch: FixBatch) -> EngineMessage?

    /// Messages that are sent when the engine is connected, about each receiver.
    func announcement(of batch: FixBatch) -> [EngineMessage]
}

extension MessageFormat {
    /// Default: `false`.
    package var isState: Bool { false }

    /// Default: none.
    package func announcement(of batch: FixBatch) -> [EngineMessage] { [] }
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
