// SPDX-License-Identifier: MIT
import GNSS

/// Detects a binary protocol in the bytes received while no epochs are.
struct BinaryProtocolWatch {
    /// The time without an epoch before the bytes of a live line are examined; an epoch comes in
    /// several chunks.
    private static let pause = Duration.seconds(1)
    /// The time without an epoch before a protocol is reported.
    private static let limit = Duration.seconds(5)

    /// Whether the source is a recording or a pipe: it is examined until the first sentence.
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

    /// The protocol received instead of NMEA, at the end of the source.
    var found: BinaryProtocol? { isOver ? nil : detector.found }

    /// Resets the watch; call it for each epoch and for other measurements.
    mutating func receivedMeasurements(at now: MonotonicInstant) {
        since = now
        isOver = isRecording
        guard isLooking else { return }
        (detector, isLooking, hasReported) = (BinaryProtocolDetector(), false, false)
    }

    /// Examines bytes that completed no epoch; returns a protocol to report.
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
