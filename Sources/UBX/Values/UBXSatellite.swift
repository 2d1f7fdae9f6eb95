// SPDX-License-Identifier: MIT
public import GNSS

extension SatelliteID {
    /// Creates an id from u-blox's `gnssId` and `svId`; `nil` if the constellation has no such satellite, as for a
    /// GLONASS satellite whose number is not known yet (255).
    public init?(gnssID: UInt8, svid: UInt8) {
        guard let constellation = Constellation(gnssID: Int(gnssID)) else { return nil }
        self.init(constellation, Int(svid))
    }

    /// Creates an id from the single number of `NavSVINFO`, which counts all constellations; `nil` for any other number.
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

/// How well a signal is received.
public struct UBXSignalQuality: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No signal.
    public static let none = UBXSignalQuality(rawValue: 0)
    /// The receiver searches for it.
    public static let searching = UBXSignalQuality(rawValue: 1)
    /// Found.
    public static let acquired = UBXSignalQuality(rawValue: 2)
    /// Detected, but unusable.
    public static let unusable = UBXSignalQuality(rawValue: 3)
    /// The code is locked.
    public static let codeLocked = UBXSignalQuality(rawValue: 4)
    /// The carrier is locked as well; 6 and 7 mean the same.
    public static let carrierLocked = UBXSignalQuality(rawValue: 5)
}

/// A satellite's health, as it reports itself.
public enum UBXHealth: UInt8, Hashable, Sendable {
    /// Not known.
    case unknown = 0
    /// Healthy.
    case healthy = 1
    /// Unhealthy.
    case unhealthy = 2
}
