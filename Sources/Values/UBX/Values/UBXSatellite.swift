// SPDX-License-Identifier: MIT
public import GNSS

extension SatelliteID {
    /// Creates an id from u-blox's `gnssId` and `svId`. Returns `nil` if the constellation has no
    /// such satellite, for example for a GLONASS satellite with an unknown number (255).
    public init?(gnssID: UInt8, svid: UInt8) {
        guard let constellation = Constellation(gnssID: Int(gnssID)) else { return nil }
        self.init(constellation, Int(svid))
    }

    /// Creates an id from the single number in `NavSVINFO`, which covers all constellations.
    /// Returns `nil` for a number outside the scheme.
    public init?(singleNumber number: UInt8) {
        switch number {
        case 1...32: self.init(.gps, Int(number))
        case 33...64: self.init(.beiDou, Int(number) - 27)
        case 65...96: self.init(.glonass, Int(number) - 64)
        case 120...158: self.init(.sbas, Int(number))
        case 159...163: self.init(.beiDou, Int(number) - 158)
        case 193...202: self.init(.qzss, Int(number) - 192)
        case 211...246: self.init(.galileo, Int(number) - 210)
        default: return nil
        }
    }
}

/// The quality of a received signal.
public struct UBXSignalQuality: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No signal.
    public static let none = UBXSignalQuality(rawValue: 0)
    /// The receiver is searching for the signal.
    public static let searching = UBXSignalQuality(rawValue: 1)
    /// The signal was found.
    public static let acquired = UBXSignalQuality(rawValue: 2)
    /// The signal was detected, but cannot be used.
    public static let unusable = UBXSignalQuality(rawValue: 3)
    /// The code is locked and the time is synchronized.
    public static let codeLocked = UBXSignalQuality(rawValue: 4)
    /// The code and the carrier are locked, and the time is synchronized. The raw values 6 and 7
    /// have the same meaning.
    public static let carrierLocked = UBXSignalQuality(rawValue: 5)
}

/// The health that a satellite reports about itself.
public enum UBXHealth: UInt8, Hashable, Sendable {
    /// The health is not known.
    case unknown = 0
    /// The satellite is healthy.
    case healthy = 1
    /// The satellite is unhealthy.
    case unhealthy = 2
}
