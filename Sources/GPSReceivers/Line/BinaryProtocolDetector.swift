// SPDX-License-Identifier: MIT
package import NMEA

/// Detects a binary protocol that comes instead of NMEA.
///
/// Some receivers send a few sentences of text (TXT, or the maker's own) between their frames; sentences with
/// measurements mean that the receiver sends NMEA, whatever else comes.
package struct BinaryProtocolDetector: Sendable {
    /// After as many frames the result is certain: the rest is not examined.
    private static let enough = 64

    private var framer = Framer()
    private var search = FrameSearch()
    private var ubxCount = 0
    private var rtcmCount = 0
    /// Whether a sentence with measurements came.
    package private(set) var hasMeasurements = false

    /// Creates a detector at the beginning of a stream.
    package init() {}

    /// The frames that were found.
    package var frames: [BinaryProtocol: Int] {
        [.ubx: ubxCount, .rtcm3: rtcmCount].merging(search.frames) { $1 }.filter { $0.value > 0 }
    }

    /// The protocol that comes instead of NMEA; `nil` where none does.
    package var found: BinaryProtocol? {
        hasMeasurements ? nil : BinaryProtocol.most(of: frames)?.kind
    }

    /// Looks at the next bytes.
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

extension RawSentence {
    /// Whether it is more than text: neither TXT nor a maker's own sentence.
    package var hasMeasurements: Bool {
        switch address.kind {
        case .proprietary, .bad: false
        case .standard: !address.description.hasSuffix("TXT")
        case .query, .other: true
        }
    }
}
