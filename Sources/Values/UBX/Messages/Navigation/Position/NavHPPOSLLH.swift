// SPDX-License-Identifier: MIT

/// The high-precision position: `NAV-HPPOSLLH`.
public struct NavHPPOSLLH: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x14)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the position is invalid.
        public var isPositionInvalid: Bool { rawValue.hasBit(0) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The longitude in units of 1e-7 degrees, without the high-precision part.
    public var coarseLongitude: Int32 = 0
    /// The latitude in units of 1e-7 degrees, without the high-precision part.
    public var coarseLatitude: Int32 = 0
    /// The altitude in millimetres above the ellipsoid, without the high-precision part.
    public var coarseEllipsoidalAltitude: Int32 = 0
    /// The altitude in millimetres above mean sea level, without the high-precision part.
    public var coarseAltitude: Int32 = 0
    /// The high-precision part to add to `coarseLongitude`, in units of 1e-9 degrees.
    public var fineLongitude: Int8 = 0
    /// The high-precision part to add to `coarseLatitude`, in units of 1e-9 degrees.
    public var fineLatitude: Int8 = 0
    /// The high-precision part to add to `coarseEllipsoidalAltitude`, in tenths of a millimetre.
    public var fineEllipsoidalAltitude: Int8 = 0
    /// The high-precision part to add to `coarseAltitude`, in tenths of a millimetre.
    public var fineAltitude: Int8 = 0
    /// The horizontal accuracy in metres: the square root of the sum of the north and east
    /// variances.
    public var horizontalAccuracy: Double = 0
    /// The one-sigma vertical accuracy in metres.
    public var verticalAccuracy: Double = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(2)
        coder.value(&flags)
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&coarseLongitude)
        coder.integer(&coarseLatitude)
        coder.integer(&coarseEllipsoidalAltitude)
        coder.integer(&coarseAltitude)
        coder.integer(&fineLongitude)
        coder.integer(&fineLatitude)
        coder.integer(&fineEllipsoidalAltitude)
        coder.integer(&fineAltitude)
        coder.scaled(&horizontalAccuracy, UInt32.self, per: 1e4)
        coder.scaled(&verticalAccuracy, UInt32.self, per: 1e4)
    }

    /// The longitude in degrees.
    public var longitude: Double {
        Double(Int64(coarseLongitude) * 100 + Int64(fineLongitude)) / 1e9
    }
    /// The latitude in degrees.
    public var latitude: Double { Double(Int64(coarseLatitude) * 100 + Int64(fineLatitude)) / 1e9 }
    /// The altitude in metres above the ellipsoid.
    public var ellipsoidalAltitude: Double {
        Double(Int64(coarseEllipsoidalAltitude) * 10 + Int64(fineEllipsoidalAltitude)) / 1e4
    }
    /// The altitude in metres above mean sea level.
    public var altitude: Double { Double(Int64(coarseAltitude) * 10 + Int64(fineAltitude)) / 1e4 }
}
