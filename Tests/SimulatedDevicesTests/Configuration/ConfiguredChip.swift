// SPDX-License-Identifier: MIT
import SimulatedDevices
import UBX

/// A simulated chip and a program that configures it.
struct ConfiguredChip {
    var receiver: SimulatedReceiver

    init(_ configuration: SimulatedReceiver.Configuration) {
        receiver = SimulatedReceiver(configuration)
        _ = receiver.next()
    }

    init(
        _ personality: Personality,
        _ change: (inout SimulatedReceiver.Configuration) -> Void = { _ in }
    ) {
        var configuration = SimulatedReceiver.Configuration.noon(personality)
        change(&configuration)
        self.init(configuration)
    }

    /// Sends a frame. Returns the frames that answer it.
    @discardableResult
    mutating func send(_ frame: [UInt8]) -> [(id: UBXMessageID, payload: [UInt8])] {
        UBXRun.frames(in: receiver.answers(to: frame)).frames
    }

    /// Sends a configuration message. Returns whether it was accepted; `nil` without an answer.
    @discardableResult
    mutating func configure(_ message: some UBXMessage) -> Bool? {
        let ids = send(message.frame).map(\.id)
        return ids.contains(AckACK.id) ? true : ids.contains(AckNAK.id) ? false : nil
    }

    @discardableResult
    mutating func set(
        _ items: [(ConfigurationKey, UInt64)], in layers: ConfigurationLayers = .ram
    ) -> Bool? {
        configure(CfgVALSET(items.map { ConfigurationItem($0.0, $0.1) }, layers: layers))
    }

    /// Returns the value of a key; `nil` if the chip refuses the request.
    mutating func value(
        _ key: ConfigurationKey, in layer: ConfigurationLayer = .ram
    ) -> UInt64? {
        let answers = send(CfgVALGET([key], layer: layer).frame)
        return answers.first.flatMap { CfgVALGET(payload: $0.payload.span) }?.items?.first?.value
    }

    /// Returns the answer to a poll.
    mutating func poll<Message: UBXMessage>(_ type: Message.Type, _ selector: [UInt8] = [])
        -> Message?
    {
        let answers = send(UBXFrame.bytes(type.id, payload: selector))
        return answers.first { $0.id == type.id }.flatMap { Message(payload: $0.payload.span) }
    }

    /// Returns the next epochs.
    mutating func epochs(_ count: Int) -> [SimulatedEpoch] {
        (0..<count).map { _ in receiver.next() }
    }

    /// Runs for a number of seconds. Returns the epochs.
    mutating func run(for seconds: Double) -> [SimulatedEpoch] {
        let end = receiver.due + seconds
        var epochs: [SimulatedEpoch] = []
        while receiver.due < end - 1e-6 { epochs.append(receiver.next()) }
        return epochs
    }
}

extension SimulatedEpoch {
    /// The ids of the UBX frames.
    var ids: [UBXMessageID] { UBXRun.frames(in: bytes).frames.map(\.id) }
    /// The text of the sentences.
    var text: String { String(decoding: UBXRun.frames(in: bytes).rest, as: UTF8.self) }
}
