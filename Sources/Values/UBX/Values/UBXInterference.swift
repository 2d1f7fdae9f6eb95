// SPDX-License-Identifier: MIT

/// The state of a receiver's jamming detector.
public struct UBXJammingState: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state is unknown, or the detector is off. Signals may nevertheless be jammed.
    public static let unknown = UBXJammingState(rawValue: 0)
    /// No significant jamming.
    public static let none = UBXJammingState(rawValue: 1)
    /// Interference is present, but there is a fix.
    public static let warning = UBXJammingState(rawValue: 2)
    /// Interference is present, and there is no fix.
    public static let critical = UBXJammingState(rawValue: 3)
}

/// The state of a receiver's spoofing detector. The detector recognises only the change from
/// authentic signals to false ones.
public struct UBXSpoofingState: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The state is unknown, or the detector is off.
    public static let unknown = UBXSpoofingState(rawValue: 0)
    /// No spoofing is indicated in this epoch.
    public static let none = UBXSpoofingState(rawValue: 1)
    /// Spoofing is indicated.
    public static let indicated = UBXSpoofingState(rawValue: 2)
    /// Spoofing is affirmed. `NAV-STATUS` reports this if there are several indications.
    public static let affirmed = UBXSpoofingState(rawValue: 3)
}

/// The state of the antenna, as reported by the antenna supervisor.
public struct UBXAntennaState: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The supervisor is starting.
    public static let initializing = UBXAntennaState(rawValue: 0)
    /// The state is unknown. Most boards do not have a supervisor.
    public static let unknown = UBXAntennaState(rawValue: 1)
    /// The antenna is connected.
    public static let ok = UBXAntennaState(rawValue: 2)
    /// The antenna is short-circuited.
    public static let short = UBXAntennaState(rawValue: 3)
    /// The antenna is not connected.
    public static let open = UBXAntennaState(rawValue: 4)
}

/// Whether power is supplied to the antenna.
public struct UBXAntennaPower: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The antenna power is off.
    public static let off = UBXAntennaPower(rawValue: 0)
    /// The antenna power is on.
    public static let on = UBXAntennaPower(rawValue: 1)
    /// The state of the antenna power is unknown.
    public static let unknown = UBXAntennaPower(rawValue: 2)
}
