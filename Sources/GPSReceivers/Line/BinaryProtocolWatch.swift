// SPDX-License-Identifier: MIT
import GNSS

/// Looks for a binary protocol in what comes while no epoch does.
struct BinaryProtocolWatch {
    /// Without an epoch for so long, a live line is looked at: epochs come in pieces.
    private static let pause = Duration.seconds(1)
    /// Without an epoch for so long, a protocol is reported.
    private static let limit = Duration.seconds(5)

    /// Whether what comes is a recording, or a pipe: it is looked at until there is a sentence.
    private let isRecording: Bool
    private var since: MonotonicInstant
    private var detector = BinaryProtocolDetector()
    private var isLooking = false
    private var isOver = false
    /// Whether a protocol has been reported.
    private(set) var hasReported = false

    /// Starts with a source that has just been opened.
    init(at now: MonotonicInstant, isRecording: Bool) {
        since = now
        self.isRecording = isRecording
    }

    /// The protocol that came instead of NMEA, up to the end.
    var found: BinaryProtocol? { isOver ? nil : detector.found }

    /// Call with every epoch, and with measurements of other kinds.
    mutating func receivedMeasurements(at now: MonotonicInstant) {
        since = now
        isOver = isRecording
        guard isLooking else { return }
        (detector, isLooking, hasReported) = (BinaryProtocolDetector(), false, false)
    }

    /// Call with bytes that completed no epoch; returns a protocol that is to be reported.
    mutating func received(_ bytes: [UInt8], at now: MonotonicInstant) -> BinaryProtocol? {
        let elapsed = since.duration(to: now)
        guard !isOver, !hasReported, isRecording || elapsed >= Self.pause else { return nil }
        isLooking = true
        detector.push(bytes)
        guard !detector.hasMeasurements else {
            receivedMeasurements(at: now)
            return nil
        }
        guard elapsed >= Self.limit, let found = detector.found else { return nil }
        hasReported = true
        return found
    }
}
