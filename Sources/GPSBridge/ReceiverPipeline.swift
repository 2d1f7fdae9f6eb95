// SPDX-License-Identifier: MIT
import Delegation
import Devices
import FoundationEssentials
import GNSS
import NMEA

/// What a session does with the bytes of one source, across unplugging.
struct ReceiverPipeline {
    /// Whether the connection that was lost had ever read a byte.
    private(set) var hasRead = false
    /// What is the matter with the device; `nil` while it is open.
    private(set) var trouble: DeviceError?

    private let source: any DeviceSource
    private let updates: Event<ReceiverUpdate>
    private let sentences: Event<[UInt8]>
    private var device = ""
    private var decoder = NMEADecoder()
    private var pace: ReplayPace?
    private var undatedFixes = 0

    /// A receiver that has sent as many fixes without a date has none to send.
    private static let undatedPatience = 3

    init(
        source: any DeviceSource, updates: Event<ReceiverUpdate>, sentences: Event<[UInt8]>
    ) {
        self.source = source
        self.updates = updates
        self.sentences = sentences
        if source.origin == .replay { pace = ReplayPace(speed: source.replaySpeed) }
    }

    // MARK: Comings and goings

    mutating func opened(_ connection: any DeviceConnection) {
        device = connection.name
        hasRead = false
        trouble = nil
        if source.origin == .live { decoder.rollover = .now }
        updates.send(.opened(device: device))
    }

    mutating func unavailable(_ error: DeviceError) {
        guard trouble != error else { return }
        trouble = error
        updates.send(.unavailable(error))
    }

    mutating func lost(_ error: DeviceError) {
        decode { $0.restart($1) }
        trouble = error
        updates.send(.lost(error))
    }

    mutating func ended(_ error: DeviceError?) {
        decode { $0.finish($1) }
        updates.send(.ended(decoder.statistics, error))
    }

    // MARK: Bytes

    /// Reads until the end; throws when the device is gone or the task is cancelled.
    mutating func read(_ connection: any DeviceConnection) async throws(DeviceError) {
        let isLive = source.origin != .replay
        while true {
            let patience = isLive ? decoder.silenceTolerance : nil
            switch try await connection.read(until: patience.map { .now + $0 }) {
            case .bytes(let bytes):
                hasRead = true
                if pace == nil {
                    decode { $0.push(bytes.span, $1) }
                } else {
                    try await replay(bytes)
                }
            case .silence:
                decode { $0.silence($1) }
            case .end:
                return
            }
        }
    }

    /// Decodes a recording line by line, each when it is due.
    private mutating func replay(_ bytes: [UInt8]) async throws(DeviceError) {
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: 0x0A).map { $0 + 1 } ?? bytes.count
            if let due = pace?.due(bytes, start..<end) {
                guard await Poller.shared.sleep(until: due) == .timedOut else {
                    throw DeviceError(.cancelled, device: device)
                }
            }
            decode { $0.push(bytes.span.extracting(start..<end), $1) }
            start = end
        }
    }

    private mutating func decode(
        _ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void
    ) {
        let source = self.source
        let (device, updates, sentences) = (self.device, self.updates, self.sentences)
        var undated = undatedFixes
        step(&decoder) { event in
            switch event {
            case .fix(let fix, let view):
                undated = fix.mode > .noFix && fix.time == nil ? undated + 1 : 0
                let isDue = undated == 0 || undated > Self.undatedPatience
                let location =
                    isDue
                    ? Location(
                        fix, satellites: view, device: device, origin: source.origin,
                        received: Date()) : nil
                updates.send(
                    .epoch(ReceiverEpoch(fix: fix, location: location, satellites: view)))
            case .satellites(let view):
                updates.send(.satellites(view))
            case .sentence(let raw):
                if sentences.hasObservers { sentences.send(raw.bytes) }
            case .rejected, .tagBlock:
                break
            }
        }
        undatedFixes = undated
    }
}
