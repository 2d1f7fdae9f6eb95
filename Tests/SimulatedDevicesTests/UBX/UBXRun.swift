// SPDX-License-Identifier: MIT
import GNSS
import SimulatedDevices
import UBX

/// A simulated receiver's epochs with their UBX frames.
struct UBXRun {
    /// An epoch and its frames.
    struct Epoch {
        var epoch: SimulatedEpoch
        /// The class and id of each frame, and its payload.
        var frames: [(id: UBXMessageID, payload: [UInt8])]
        /// All other bytes.
        var rest: [UInt8]

        var observation: SimulatedObservation { epoch.observation }

        /// Returns the first message of a type.
        func first<Message: UBXMessage>(_ type: Message.Type = Message.self) -> Message? {
            frames.first { $0.id == type.id }.flatMap { Message(payload: $0.payload.span) }
        }
    }

    private(set) var epochs: [Epoch] = []

    /// Runs a number of epochs.
    init(_ configuration: SimulatedReceiver.Configuration, epochs count: Int) {
        var receiver = SimulatedReceiver(configuration)
        for _ in 0..<count {
            let epoch = receiver.next()
            let (frames, rest) = Self.frames(in: epoch.bytes)
            epochs.append(Epoch(epoch: epoch, frames: frames, rest: rest))
        }
    }

    /// Returns the frames in some bytes, and the bytes around them.
    static func frames(
        in bytes: [UInt8]
    ) -> (frames: [(id: UBXMessageID, payload: [UInt8])], rest: [UInt8]) {
        var frames: [(id: UBXMessageID, payload: [UInt8])] = []
        var rest: [UInt8] = []
        var position = 0
        while position < bytes.count {
            if let frame = UBXFrame(bytes.span.extracting(position..<bytes.count)) {
                frames.append((frame.id, frame.payload.indices.map { frame.payload[$0] }))
                position += frame.payload.count + 8
            } else {
                rest.append(bytes[position])
                position += 1
            }
        }
        return (frames, rest)
    }
}

extension SimulatedReceiver.Configuration {
    /// A u-blox receiver at noon on an ordinary day that sends UBX only, or the given protocols.
    static func ubx(
        _ personality: Personality, _ faults: FaultScript = FaultScript(),
        _ protocols: OutputProtocols = .ubx
    ) -> SimulatedReceiver.Configuration {
        var configuration = noon(personality, faults)
        configuration.protocols = protocols
        return configuration
    }
}

extension Personality {
    /// The personalities that send UBX.
    static let ubx = all.filter(\.sendsUBX)
    /// The personalities that send `NAV-PVT`, which u-blox 6 does not have.
    static let pvt = ubx.filter { $0 != .ublox6 }
}
