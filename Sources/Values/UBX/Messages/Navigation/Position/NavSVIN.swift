// SPDX-License-Identifier: MIT

/// The state of a base station's survey-in: `NAV-SVIN`. A survey-in determines the position of the
/// base station as the mean of many positions.
public struct NavSVIN: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x3B)

    /// The version of the message.
    public var version: UInt8 = 0
    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The duration of the survey in seconds.
    public var duration: UInt32 = 0
    /// The Earth-centred X coordinate of the mean position in centimetres, without the
    /// high-precision part.
    public var coarseX: Int32 = 0
    /// The Earth-centred Y coordinate of the mean position in centimetres, without the
    /// high-precision part.
    public var coarseY: Int32 = 0
    /// The Earth-centred Z coordinate of the mean position in centimetres, without the
    /// high-precision part.
    public var coarseZ: Int32 = 0
    /// The high-precision part to add to `coarseX`, in tenths of a millimetre.
    public var fineX: Int8 = 0
    /// The high-precision part to add to `coarseY`, in tenths of a millimetre.
    public var fineY: Int8 = 0
    /// The high-precision part to add to `coarseZ`, in tenths of a millimetre.
    public var fineZ: Int8 = 0
    /// The accuracy of the mean position in metres.
    public var meanAccuracy: Double = 0
    /// The number of positions that the mean is calculated from.
    public var observations: UInt32 = 0
    /// 1 if the mean position is valid.
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
