// SPDX-License-Identifier: MIT

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
