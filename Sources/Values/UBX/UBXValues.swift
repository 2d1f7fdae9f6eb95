// SPDX-License-Identifier: MIT
package import GNSS

/// The type of a fix.
public struct UBXFixType: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No fix.
    public static let none = UBXFixType(rawValue: 0)
    /// Dead reckoning only.
    public static let deadReckoning = UBXFixType(rawValue: 1)
    /// A fix in two dimensions.
    public static let twoD = UBXFixType(rawValue: 2)
    /// A fix in three dimensions.
    public static let threeD = UBXFixType(rawValue: 3)
    /// A fix from satellites and dead reckoning combined.
    public static let combined = UBXFixType(rawValue: 4)
    /// A fix of the time only. The position was surveyed or set by the user.
    public static let timeOnly = UBXFixType(rawValue: 5)
}

/// Whether a solution uses the carrier phase (RTK), and whether its ambiguities are fixed.
public struct UBXCarrierSolution: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The carrier phase was not used.
    public static let none = UBXCarrierSolution(rawValue: 0)
    /// The ambiguities are floating, which gives decimetre accuracy.
    public static let float = UBXCarrierSolution(rawValue: 1)
    /// The ambiguities are fixed, which gives centimetre accuracy.
    public static let fixed = UBXCarrierSolution(rawValue: 2)
}

/// The state of a receiver's jamming detector.
package struct UBXJammingState: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state is unknown, or the detector is off. Signals may nevertheless be jammed.
    package static let unknown = UBXJammingState(rawValue: 0)
    package static let none = UBXJammingState(rawValue: 1)
    /// Interference is present, but there is a fix.
    package static let warning = UBXJammingState(rawValue: 2)
    /// Interference is present, and there is no fix.
    package static let critical = UBXJammingState(rawValue: 3)
}

/// The state of a receiver's spoofing detector. The detector recognises only the change from
/// authentic signals to false ones.
package struct UBXSpoofingState: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state is unknown, or the detector is off.
    static let unknown = UBXSpoofingState(rawValue: 0)
    /// No spoofing is indicated in this epoch.
    package static let none = UBXSpoofingState(rawValue: 1)
    package static let indicated = UBXSpoofingState(rawValue: 2)
    /// Spoofing is affirmed. `NAV-STATUS` reports this if there are several indications.
    package static let affirmed = UBXSpoofingState(rawValue: 3)
}

/// The state of the antenna, as reported by the antenna supervisor.
package struct UBXAntennaState: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The supervisor is starting.
    package static let initializing = UBXAntennaState(rawValue: 0)
    /// The state is unknown. Most boards do not have a supervisor.
    package static let unknown = UBXAntennaState(rawValue: 1)
    package static let ok = UBXAntennaState(rawValue: 2)
    package static let short = UBXAntennaState(rawValue: 3)
    package static let open = UBXAntennaState(rawValue: 4)
}

package struct UBXAntennaPower: UBXValue {
    package var rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let off = UBXAntennaPower(rawValue: 0)
    package static let on = UBXAntennaPower(rawValue: 1)
    static let unknown = UBXAntennaPower(rawValue: 2)
}

extension SatelliteID {
    /// Creates an id from u-blox's `gnssId` and `svId`. Returns `nil` if the constellation has no
    /// such satellite, for example for a GLONASS satellite with an unknown number (255).
    package init?(gnssID: UInt8, svid: UInt8) {
        guard let constellation = Constellation(gnssID: Int(gnssID)) else { return nil }
        self.init(constellation, Int(svid))
    }

    /// Creates an id from the single number in `NavSVINFO`, which covers all constellations.
    /// Returns `nil` for a number outside the scheme.
    package init?(singleNumber number: UInt8) {
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

extension Constellation {
    /// Returns u-blox's `sigId` for an NMEA 4.11 signal ID of this constellation; `nil` if there is
    /// none. If u-blox has several numbers for it, returns the lowest.
    package func ubxSignal(ofNMEA signal: UInt8) -> Int? {
        // Most are the main signals.
        if signal == mainSignal { return 0 }
        guard signal != 0 else { return nil }
        for number in 1...10 as ClosedRange<UInt8> where nmeaSignal(ofUBX: number) == signal {
            return Int(number)
        }
        return nil
    }

    /// Returns the NMEA 4.11 signal ID for u-blox's `sigId` of this constellation; `nil` if there
    /// is none.
    package func nmeaSignal(ofUBX signal: UInt8) -> UInt8? {
        switch (self, signal) {
        case (.gps, 0): 1  // L1 C/A
        case (.gps, 3): 6  // L2 CL
        case (.gps, 4): 5  // L2 CM
        case (.gps, 6): 7  // L5 I
        case (.gps, 7): 8  // L5 Q
        case (.sbas, 0): 1  // L1 C/A
        case (.galileo, 0), (.galileo, 1): 7  // E1
        case (.galileo, 3), (.galileo, 4): 1  // E5a
        case (.galileo, 5), (.galileo, 6): 2  // E5b
        case (.galileo, 8), (.galileo, 9): 5  // E6
        case (.beiDou, 0), (.beiDou, 1): 1  // B1I
        case (.beiDou, 2), (.beiDou, 3): 0xB  // B2I
        case (.beiDou, 4), (.beiDou, 10): 8  // B3I
        case (.beiDou, 5), (.beiDou, 6): 3  // B1C
        case (.beiDou, 7), (.beiDou, 8): 5  // B2a
        case (.qzss, 0): 1  // L1 C/A
        case (.qzss, 1): 4  // L1 S
        case (.qzss, 4): 5  // L2 CM
        case (.qzss, 5): 6  // L2 CL
        case (.qzss, 8): 7  // L5 I
        case (.qzss, 9): 8  // L5 Q
        case (.glonass, 0): 1  // L1
        case (.glonass, 2): 3  // L2
        case (.navIC, 0): 1  // L5
        default: nil
        }
    }
}
