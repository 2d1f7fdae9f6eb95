// SPDX-License-Identifier: MIT

/// The position relative to a base station: `NAV-RELPOSNED`, versions 0 and 1.
package struct NavRELPOSNED: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x3C)

    /// The state of the solution.
    package struct Flags: UBXValue {
        package var rawValue: UInt32
        package init(rawValue: UInt32) { self.rawValue = rawValue }
        /// Whether the fix is valid: it is within the accuracy and DOP limits that are set in the
        /// receiver.
        package var isFixOK: Bool { rawValue.hasBit(0) }
        /// Whether the relative position is valid.
        package var isValid: Bool { rawValue.hasBit(2) }
        package var isBaseMoving: Bool { rawValue.hasBit(5) }
        /// Whether the heading is valid (only in version 1).
        package var isHeadingValid: Bool { rawValue.hasBit(8) }
    }

    /// The version of the message: 0 for M8P, 1 since F9.
    package var version: UInt8 = 1
    /// The id of the base station.
    package var referenceStation: UInt16 = 0
    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The north component of the relative position in centimetres, without the high-precision
    /// part.
    package var coarseNorth: Int32 = 0
    /// The east component of the relative position in centimetres, without the high-precision part.
    package var coarseEast: Int32 = 0
    /// The down component of the relative position in centimetres, without the high-precision part.
    package var coarseDown: Int32 = 0
    /// The distance to the base station in centimetres, without the high-precision part (only in
    /// version 1).
    package var coarseLength: Int32 = 0
    /// The direction of the relative position in degrees from true north (only in version 1).
    package var heading: Double = 0
    /// The high-precision part to add to `coarseNorth`, in tenths of a millimetre.
    package var fineNorth: Int8 = 0
    /// The high-precision part to add to `coarseEast`, in tenths of a millimetre.
    package var fineEast: Int8 = 0
    /// The high-precision part to add to `coarseDown`, in tenths of a millimetre.
    package var fineDown: Int8 = 0
    /// The high-precision part to add to `coarseLength`, in tenths of a millimetre (only in version
    /// 1).
    package var fineLength: Int8 = 0
    /// The accuracy of the north component in metres.
    package var accuracyNorth: Double = 0
    /// The accuracy of the east component in metres.
    package var accuracyEast: Double = 0
    /// The accuracy of the down component in metres.
    package var accuracyDown: Double = 0
    /// The accuracy of the distance in metres (only in version 1).
    package var accuracyLength: Double = 0
    /// The accuracy of the heading in degrees (only in version 1).
    package var accuracyHeading: Double = 0
    /// The state of the solution.
    package var flags = Flags(rawValue: 0)

    /// The components of the relative position in metres.
    package var north: Double { Self.metres(coarseNorth, fineNorth) }
    package var east: Double { Self.metres(coarseEast, fineEast) }
    package var down: Double { Self.metres(coarseDown, fineDown) }

    private static func metres(_ coarse: Int32, _ fine: Int8) -> Double {
        (Double(coarse) * 100 + Double(fine)) / 10_000
    }

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(1)
        coder.integers(&referenceStation, &timeOfWeekMilliseconds, &coarseNorth)
        coder.integers(&coarseEast, &coarseDown)
        if version > 0 {
            coder.integer(&coarseLength)
            coder.scaled(&heading, Int32.self, per: 1e5)
            coder.reserved(4)
        }
        coder.integers(&fineNorth, &fineEast, &fineDown)
        if version > 0 { coder.integer(&fineLength) } else { coder.reserved(1) }
        coder.scaled(&accuracyNorth, &accuracyEast, &accuracyDown, UInt32.self, per: 1e4)
        if version > 0 {
            coder.scaled(&accuracyLength, UInt32.self, per: 1e4)
            coder.scaled(&accuracyHeading, UInt32.self, per: 1e5)
            coder.reserved(4)
        }
        coder.value(&flags)
        if version > 1 { coder.reject() }
    }

}

/// The state of a base station's survey-in: `NAV-SVIN`. A survey-in determines the position of the
/// base station as the mean of many positions.
package struct NavSVIN: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x3B)

    package var version: UInt8 = 0
    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The duration of the survey in seconds.
    package var duration: UInt32 = 0
    /// The Earth-centred X coordinate of the mean position in centimetres, without the
    /// high-precision part.
    private var coarseX: Int32 = 0
    /// The Earth-centred Y coordinate of the mean position in centimetres, without the
    /// high-precision part.
    private var coarseY: Int32 = 0
    /// The Earth-centred Z coordinate of the mean position in centimetres, without the
    /// high-precision part.
    private var coarseZ: Int32 = 0
    /// The high-precision part to add to `coarseX`, in tenths of a millimetre.
    private var fineX: Int8 = 0
    /// The high-precision part to add to `coarseY`, in tenths of a millimetre.
    private var fineY: Int8 = 0
    /// The high-precision part to add to `coarseZ`, in tenths of a millimetre.
    private var fineZ: Int8 = 0
    /// The accuracy of the mean position in metres.
    private var meanAccuracy: Double = 0
    /// The number of positions that the mean is calculated from.
    private var observations: UInt32 = 0
    /// 1 if the mean position is valid.
    package var isValid: UInt8 = 0
    /// 1 while the survey is in progress.
    private var isActive: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(3)
        coder.integers(&timeOfWeekMilliseconds, &duration, &coarseX, &coarseY)
        coder.integers(&coarseZ, &fineX, &fineY, &fineZ)
        coder.reserved(1)
        coder.scaled(&meanAccuracy, UInt32.self, per: 1e4)
        coder.integers(&observations, &isValid, &isActive)
        coder.reserved(2)
    }
}
