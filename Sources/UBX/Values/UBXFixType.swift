// SPDX-License-Identifier: MIT

/// How a position was determined.
public struct UBXFixType: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No fix.
    public static let none = UBXFixType(rawValue: 0)
    /// Dead reckoning alone.
    public static let deadReckoning = UBXFixType(rawValue: 1)
    /// Two dimensions.
    public static let twoD = UBXFixType(rawValue: 2)
    /// Three dimensions.
    public static let threeD = UBXFixType(rawValue: 3)
    /// Satellites and dead reckoning.
    public static let combined = UBXFixType(rawValue: 4)
    /// Time alone: the position was surveyed or typed in.
    public static let timeOnly = UBXFixType(rawValue: 5)
}

/// How the phase of the carrier was used.
public struct UBXCarrierSolution: UBXValue {
    public var rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Not used.
    public static let none = UBXCarrierSolution(rawValue: 0)
    /// Ambiguities are floating: decimetres.
    public static let float = UBXCarrierSolution(rawValue: 1)
    /// Ambiguities are fixed: centimetres.
    public static let fixed = UBXCarrierSolution(rawValue: 2)
}
