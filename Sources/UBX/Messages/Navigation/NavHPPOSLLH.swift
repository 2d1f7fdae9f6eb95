// SPDX-License-Identifier: MIT

/// Position of high precision: `NAV-HPPOSLLH`.
public struct NavHPPOSLLH: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x14)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The position is not valid.
        public var isPositionInvalid: Bool { rawValue.hasBit(0) }
    }

    /// The version of the message.
    public var version: UInt8 = 0
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// 1e-7 degrees.
    public var coarseLongitude: Int32 = 0
    /// 1e-7 degrees.
    public var coarseLatitude: Int32 = 0
    /// Millimetres above the ellipsoid.
    public var coarseEllipsoidalAltitude: Int32 = 0
    /// Millimetres above mean sea level.
    public var coarseAltitude: Int32 = 0
    /// 1e-9 degrees, to be added.
    public var fineLongitude: Int8 = 0
    /// 1e-9 degrees, to be added.
    public var fineLatitude: Int8 = 0
    /// Tenths of millimetres, to be added.
    public var fineEllipsoidalAltitude: Int8 = 0
    /// Tenths of millimetres, to be added.
    public var fineAltitude: Int8 = 0
    /// Metres: the root of the summed variances of north and east.
    public var horizontalAccuracy: Double = 0
    /// Metres, one sigma.
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

    /// Degrees.
    public var longitude: Double {
        Double(Int64(coarseLongitude) * 100 + Int64(fineLongitude)) / 1e9
    }
    /// Degrees.
    public var latitude: Double { Double(Int64(coarseLatitude) * 100 + Int64(fineLatitude)) / 1e9 }
    /// Metres above the ellipsoid.
    public var ellipsoidalAltitude: Double {
        Double(Int64(coarseEllipsoidalAltitude) * 10 + Int64(fineEllipsoidalAltitude)) / 1e4
    }
    /// Metres above mean sea level.
    public var altitude: Double { Double(Int64(coarseAltitude) * 10 + Int64(fineAltitude)) / 1e4 }
}
