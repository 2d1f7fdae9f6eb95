// SPDX-License-Identifier: MIT

// Positions and velocities in the Earth-centred, Earth-fixed frame. gpsd switches the first two on.

/// The position in Earth-centred coordinates: `NAV-POSECEF`.
package struct NavPOSECEF: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x01)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The X coordinate in metres.
    package var x: Double = 0
    /// The Y coordinate in metres.
    package var y: Double = 0
    /// The Z coordinate in metres.
    package var z: Double = 0
    /// The accuracy of the three-dimensional position in metres; `nil` if it is unknown.
    package var accuracy: Double?

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&x, &y, &z, Int32.self, per: 100)
        coder.scaled(&accuracy, UInt32.self, per: 100, absent: .max)
    }
}

/// The high-precision position in Earth-centred coordinates: `NAV-HPPOSECEF`.
package struct NavHPPOSECEF: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x13)

    /// The state of the solution.
    package typealias Flags = NavHPPOSLLH.Flags

    package var version: UInt8 = 0
    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The X coordinate in centimetres, without the high-precision part.
    package var coarseX: Int32 = 0
    /// The Y coordinate in centimetres, without the high-precision part.
    package var coarseY: Int32 = 0
    /// The Z coordinate in centimetres, without the high-precision part.
    package var coarseZ: Int32 = 0
    /// The high-precision part to add to `coarseX`, in tenths of a millimetre.
    package var fineX: Int8 = 0
    /// The high-precision part to add to `coarseY`, in tenths of a millimetre.
    package var fineY: Int8 = 0
    /// The high-precision part to add to `coarseZ`, in tenths of a millimetre.
    package var fineZ: Int8 = 0
    /// The state of the solution.
    package var flags = Flags(rawValue: 0)
    /// The accuracy of the three-dimensional position in metres; `nil` if it is unknown.
    package var accuracy: Double?

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(3)
        coder.integers(&timeOfWeekMilliseconds, &coarseX, &coarseY, &coarseZ)
        coder.integers(&fineX, &fineY, &fineZ)
        coder.value(&flags)
        coder.scaled(&accuracy, UInt32.self, per: 1e4, absent: .max)
    }

    /// The X coordinate in metres.
    package var x: Double { Self.metres(coarseX, fineX) }
    /// The Y coordinate in metres.
    package var y: Double { Self.metres(coarseY, fineY) }
    /// The Z coordinate in metres.
    package var z: Double { Self.metres(coarseZ, fineZ) }

    private static func metres(_ coarse: Int32, _ fine: Int8) -> Double {
        Double(Int64(coarse) * 100 + Int64(fine)) / 1e4
    }
}

/// The velocity in Earth-centred coordinates: `NAV-VELECEF`.
package struct NavVELECEF: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x11)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The velocity along the X axis in metres per second.
    package var velocityX: Double = 0
    /// The velocity along the Y axis in metres per second.
    package var velocityY: Double = 0
    /// The velocity along the Z axis in metres per second.
    package var velocityZ: Double = 0
    /// The accuracy of the speed in metres per second; `nil` if it is unknown.
    package var accuracy: Double?

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&velocityX, &velocityY, &velocityZ, Int32.self, per: 100)
        coder.scaled(&accuracy, UInt32.self, per: 100, absent: .max)
    }
}
