// SPDX-License-Identifier: MIT
import GNSS

/// Detects a binary protocol when a receiver's bytes contain no epochs.
struct BinaryProtocolWatch {
    /// The time without an epoch after which the bytes of a live line are examined. Shorter gaps
    /// are normal, because an epoch arrives in several chunks.
    private static let pause = Duration.seconds(1)
    /// The time without an epoch after which a protocol is reported.
    private static let limit = Duration.seconds(5)

    /// Whether the source is a recording or a pipe. It is examined from its beginning until the
    /// first measurements.
    private let isRecording: Bool
    private var since: MonotonicInstant
    private var detector = BinaryProtocolDetector()
    private var isLooking = false
    private var isOver = false
    /// Whether a protocol has been reported.
    private var hasReported = false

    /// Creates a watch for a source that has just been opened.
    init(at now: MonotonicInstant, isRecording: Bool) {
        since = now
        self.isRecording = isRecording
    }

    /// The protocol received instead of NMEA, to be reported when the source ends; `nil` if there
    /// is none.
    var found: BinaryProtocol? { isOver ? nil : detector.found }

    /// Restarts the waiting time; for a recording, ends the watch. Call it for each epoch and for
    /// other measurements.
    mutating func receivedMeasurements(at now: MonotonicInstant) {
        since = now
        isOver = isRecording
        guard isLooking else { return }
        (detector, isLooking, hasReported) = (BinaryProtocolDetector(), false, false)
    }

    /// Examines bytes that did not complete an epoch. Returns a protocol to report, or `nil`.
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
