// SPDX-License-Identifier: MIT

/// Dilutions of precision: `NAV-DOP`.
public struct NavDOP: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x04)

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Unitless; `nil` if it is unknown.
    public var geometric: Double?
    /// Unitless; `nil` if it is unknown.
    public var position: Double?
    /// Unitless; `nil` if it is unknown.
    public var time: Double?
    /// Unitless; `nil` if it is unknown.
    public var vertical: Double?
    /// Unitless; `nil` if it is unknown.
    public var horizontal: Double?
    /// Unitless; `nil` if it is unknown.
    public var north: Double?
    /// Unitless; `nil` if it is unknown.
    public var east: Double?

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&geometric, UInt16.self, per: 100, absent: 9999)
        coder.scaled(&position, UInt16.self, per: 100, absent: 9999)
        coder.scaled(&time, UInt16.self, per: 100, absent: 9999)
        coder.scaled(&vertical, UInt16.self, per: 100, absent: 9999)
        coder.scaled(&horizontal, UInt16.self, per: 100, absent: 9999)
        coder.scaled(&north, UInt16.self, per: 100, absent: 9999)
        coder.scaled(&east, UInt16.self, per: 100, absent: 9999)
    }
}
