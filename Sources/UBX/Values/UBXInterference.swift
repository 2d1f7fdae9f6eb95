// SPDX-License-Identifier: MIT

/// The state of a receiver's jamming detector.
public struct UBXJammingState: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Unknown, or the detector is off: never to be taken for `.none`.
    public static let unknown = UBXJammingState(rawValue: 0)
    /// No significant jamming.
    public static let none = UBXJammingState(rawValue: 1)
    /// Interference is visible, but there is a fix.
    public static let warning = UBXJammingState(rawValue: 2)
    /// Interference is visible, and there is no fix.
    public static let critical = UBXJammingState(rawValue: 3)
}

/// The state of a receiver's spoofing detector, which sees a change from true signals to false ones.
public struct UBXSpoofingState: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Unknown, or the detector is off.
    public static let unknown = UBXSpoofingState(rawValue: 0)
    /// None is indicated in this epoch.
    public static let none = UBXSpoofingState(rawValue: 1)
    /// Indicated.
    public static let indicated = UBXSpoofingState(rawValue: 2)
    /// Affirmed; in `NavSTATUS`, several indications.
    public static let affirmed = UBXSpoofingState(rawValue: 3)
}

/// The state of the antenna supervisor.
public struct UBXAntennaState: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The supervisor starts.
    public static let initializing = UBXAntennaState(rawValue: 0)
    /// Unknown: most boards have no supervisor.
    public static let unknown = UBXAntennaState(rawValue: 1)
    /// Connected.
    public static let ok = UBXAntennaState(rawValue: 2)
    /// Short circuit.
    public static let short = UBXAntennaState(rawValue: 3)
    /// Not connected.
    public static let open = UBXAntennaState(rawValue: 4)
}

/// Whether the antenna has power.
public struct UBXAntennaPower: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Off.
    public static let off = UBXAntennaPower(rawValue: 0)
    /// On.
    public static let on = UBXAntennaPower(rawValue: 1)
    /// Unknown.
    public static let unknown = UBXAntennaPower(rawValue: 2)
}
