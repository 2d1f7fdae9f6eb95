// SPDX-License-Identifier: MIT

/// Survey of a base station: `NAV-SVIN`.
public struct NavSVIN: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x3B)

    /// The version of the message.
    public var version: UInt8 = 0
    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Seconds.
    public var duration: UInt32 = 0
    /// Centimetres, Earth-centred.
    public var coarseX: Int32 = 0
    /// Centimetres, Earth-centred.
    public var coarseY: Int32 = 0
    /// Centimetres, Earth-centred.
    public var coarseZ: Int32 = 0
    /// Tenths of millimetres, to be added.
    public var fineX: Int8 = 0
    /// Tenths of millimetres, to be added.
    public var fineY: Int8 = 0
    /// Tenths of millimetres, to be added.
    public var fineZ: Int8 = 0
    /// Metres.
    public var meanAccuracy: Double = 0
    /// Positions used.
    public var observations: UInt32 = 0
    /// 1 where the position is valid.
    public var isValid: UInt8 = 0
    /// 1 while the survey is in progress.
    public var isActive: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(3)
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&duration)
        coder.integer(&coarseX)
        coder.integer(&coarseY)
        coder.integer(&coarseZ)
        coder.integer(&fineX)
        coder.integer(&fineY)
        coder.integer(&fineZ)
        coder.reserved(1)
        coder.scaled(&meanAccuracy, UInt32.self, per: 1e4)
        coder.integer(&observations)
        coder.integer(&isValid)
        coder.integer(&isActive)
        coder.reserved(2)
    }
}
