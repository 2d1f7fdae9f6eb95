// SPDX-License-Identifier: MIT

/// The identity of a satellite: its constellation and its number (svid) in that constellation.
public struct SatelliteID: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The satellite's constellation.
    public let constellation: Constellation

    /// The number in the constellation, from 1; for SBAS the PRN, 120 to 158.
    public let svid: UInt8

    /// Creates an id. Returns `nil` if the constellation does not have such a number.
    @inlinable
    public init?(_ constellation: Constellation, _ svid: Int) {
        guard constellation == .sbas ? 120...158 ~= svid : 1...64 ~= svid else { return nil }
        self.constellation = constellation
        self.svid = UInt8(svid)
    }

    /// Orders ids by constellation, then by number.
    public static func < (a: SatelliteID, b: SatelliteID) -> Bool {
        (a.constellation.rawValue, a.svid) < (b.constellation.rawValue, b.svid)
    }

    /// The id in the form used by receiver manuals: `G05`, `R24`, `S123`.
    public var description: String {
        svid < 10 ? "\(constellation.letter)0\(svid)" : "\(constellation.letter)\(svid)"
    }
}
