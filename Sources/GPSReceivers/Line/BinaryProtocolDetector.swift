// SPDX-License-Identifier: MIT
import NMEA

/// Detects a binary protocol sent instead of NMEA.
///
/// Some receivers send a few text sentences (TXT or proprietary) between their frames. A sentence
/// with measurements means that the receiver sends NMEA.
package struct BinaryProtocolDetector: Sendable {
    /// The number of frames after which the result is certain and bytes are no longer examined.
    private static let enough = 64

    private var framer = Framer()
    private var search = FrameSearch()
    private var ubxCount = 0
    private var rtcmCount = 0
    /// Whether a sentence with measurements has been received.
    package private(set) var hasMeasurements = false

    /// Creates a detector at the beginning of a stream.
    package init() {}

    /// The number of frames found of each protocol.
    package var frames: [BinaryProtocol: Int] {
        [.ubx: ubxCount, .rtcm3: rtcmCount].merging(search.frames) { $1 }.filter { $0.value > 0 }
    }

    /// The protocol sent instead of NMEA; `nil` if none.
    package var found: BinaryProtocol? {
        hasMeasurements ? nil : BinaryProtocol.most(of: frames)?.kind
    }

    /// Examines the next bytes.
    package mutating func push(_ bytes: some Collection<UInt8>) {
        guard !hasMeasurements, ubxCount + rtcmCount + search.count < Self.enough else { return }
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
