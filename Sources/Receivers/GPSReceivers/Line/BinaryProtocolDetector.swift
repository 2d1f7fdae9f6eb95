// SPDX-License-Identifier: MIT
import NMEA

/// Detects which binary protocol a receiver sends instead of NMEA.
///
/// Some receivers send a few text sentences (TXT or proprietary) between their frames. Only a
/// sentence with measurements shows that the receiver sends NMEA.
package struct BinaryProtocolDetector: Sendable {
    /// The number of frames at which the result is certain, so that no more bytes are examined.
    private static let sufficientFrames = 64

    private var framer = Framer()
    private var search = FrameSearch()
    private var ubxCount = 0
    private var rtcmCount = 0
    /// Whether a sentence with measurements has been received.
    package private(set) var hasMeasurements = false

    /// Creates a detector at the beginning of a stream.
    package init() {}

    /// The number of frames found for each protocol.
    package var frames: [BinaryProtocol: Int] {
        [.ubx: ubxCount, .rtcm3: rtcmCount].merging(search.frames) { $1 }.filter { $0.value > 0 }
    }

    /// The protocol that is sent instead of NMEA; `nil` if none has been found or NMEA is sent.
    package var found: BinaryProtocol? {
        hasMeasurements ? nil : BinaryProtocol.most(of: frames)?.kind
    }

    /// Examines the next bytes.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        let frameCount = ubxCount + rtcmCount + search.count
        guard !hasMeasurements, frameCount < Self.sufficientFrames else { return }
        search.push(bytes)
        let bytes = Array(bytes)
        framer.push(bytes.span) { event in
            switch event {
            case .sentence(let sentence) where sentence.hasMeasurements: hasMeasurements = true
            case .frame(.ubx, _): ubxCount += 1
            case .frame(.rtcm3, _): rtcmCount += 1
            default: break
            }
        }
    }
}
