// SPDX-License-Identifier: MIT

/// A set of satellites that allocates nothing: one bit each.
public struct SatelliteIDSet: Hashable, Sendable {
    private var gps: UInt64 = 0
    private var sbas: UInt64 = 0
    private var galileo: UInt64 = 0
    private var beiDou: UInt64 = 0
    private var qzss: UInt64 = 0
    private var glonass: UInt64 = 0
    private var navIC: UInt64 = 0

    /// Makes an empty set.
    public init() {}

    /// How many satellites are in the set.
    public var count: Int {
        gps.nonzeroBitCount + sbas.nonzeroBitCount + galileo.nonzeroBitCount
            + beiDou.nonzeroBitCount + qzss.nonzeroBitCount + glonass.nonzeroBitCount
            + navIC.nonzeroBitCount
    }

    /// Whether the set has no satellites.
    public var isEmpty: Bool {
        gps | sbas | galileo | beiDou | qzss | glonass | navIC == 0
    }

    /// Adds a satellite.
    public mutating func insert(_ id: SatelliteID) {
        switch id.constellation {
        case .gps: gps |= Self.bit(id)
        case .sbas: sbas |= Self.bit(id)
        case .galileo: galileo |= Self.bit(id)
        case .beiDou: beiDou |= Self.bit(id)
        case .qzss: qzss |= Self.bit(id)
        case .glonass: glonass |= Self.bit(id)
        case .navIC: navIC |= Self.bit(id)
        }
    }

    /// Whether the satellite is in the set.
    public func contains(_ id: SatelliteID) -> Bool {
        let bits =
            switch id.constellation {
            case .gps: gps
            case .sbas: sbas
            case .galileo: galileo
            case .beiDou: beiDou
            case .qzss: qzss
            case .glonass: glonass
            case .navIC: navIC
            }
        return bits & Self.bit(id) != 0
    }

    private static func bit(_ id: SatelliteID) -> UInt64 {
        // SBAS counts from 120, everyone else from 1; a SatelliteID is always in range.
        1 << UInt64(id.constellation == .sbas ? id.svid &- 120 : id.svid &- 1)
    }
}
