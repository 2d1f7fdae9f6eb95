// SPDX-License-Identifier: MIT

/// Dilutions of precision: `NAV-DOP`.
public struct NavDOP: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x04)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The geometric dilution of precision; `nil` if it is unknown.
    public var geometric: Double?
    /// The position dilution of precision; `nil` if it is unknown.
    public var position: Double?
    /// The time dilution of precision; `nil` if it is unknown.
    public var time: Double?
    /// The vertical dilution of precision; `nil` if it is unknown.
    public var vertical: Double?
    /// The horizontal dilution of precision; `nil` if it is unknown.
    public var horizontal: Double?
    /// The north dilution of precision; `nil` if it is unknown.
    public var north: Double?
    /// The east dilution of precision; `nil` if it is unknown.
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
