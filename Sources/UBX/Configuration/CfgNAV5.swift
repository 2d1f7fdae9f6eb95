// SPDX-License-Identifier: MIT

/// How fixes are computed, for chips up to M8: `CFG-NAV5`. Only the fields named by `mask` are set.
public struct CfgNAV5: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x24)

    /// Fields that are set.
    public struct Mask: UBXValue {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The dynamic model.
        public static let dynamicModel = Mask(rawValue: 0x1)
        /// The minimum elevation.
        public static let minimumElevation = Mask(rawValue: 0x2)
        /// The mode of fixes.
        public static let fixMode = Mask(rawValue: 0x4)
        /// Speed and distance of static hold.
        public static let staticHold = Mask(rawValue: 0x40)
        /// Everything of both.
        public func union(_ other: Mask) -> Mask { Mask(rawValue: rawValue | other.rawValue) }
        /// Whether everything of `other` is set.
        public func contains(_ other: Mask) -> Bool { rawValue & other.rawValue == other.rawValue }
    }

    /// The fields to set.
    public var mask = Mask(rawValue: 0)
    /// The motion to expect: a `DynamicModel` by its number.
    public var dynamicModel: UInt8 = 0
    /// 1 2D only, 2 3D only, 3 both.
    public var fixMode: UInt8 = 3
    /// Metres, for 2D fixes.
    public var fixedAltitude = 0.0
    /// Square metres.
    public var fixedAltitudeVariance = 0.0
    /// Degrees.
    public var minimumElevation: Int8 = 5
    /// Seconds.
    public var deadReckoningLimit: UInt8 = 0
    /// The largest PDOP of a position.
    public var maximumPDOP = 0.0
    /// The largest TDOP of a time.
    public var maximumTDOP = 0.0
    /// Metres.
    public var maximumPositionAccuracy: UInt16 = 0
    /// Metres.
    public var maximumTimeAccuracy: UInt16 = 0
    /// Centimetres per second, below which the position stays; 0 is off.
    public var staticHoldSpeed: UInt8 = 0
    /// Seconds after which corrections are dropped.
    public var correctionTimeout: UInt8 = 60
    /// Satellites that must be above `cn0Threshold`.
    public var cn0SatelliteCount: UInt8 = 0
    /// dB-Hz.
    public var cn0Threshold: UInt8 = 0
    /// Metres that end static hold.
    public var staticHoldDistance: UInt16 = 0
    /// 0 automatic.
    public var utcStandard: UInt8 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.value(&mask)
        coder.integer(&dynamicModel)
        coder.integer(&fixMode)
        coder.scaled(&fixedAltitude, Int32.self, per: 100)
        coder.scaled(&fixedAltitudeVariance, UInt32.self, per: 10000)
        coder.integer(&minimumElevation)
        coder.integer(&deadReckoningLimit)
        coder.scaled(&maximumPDOP, UInt16.self, per: 10)
        coder.scaled(&maximumTDOP, UInt16.self, per: 10)
        coder.integer(&maximumPositionAccuracy)
        coder.integer(&maximumTimeAccuracy)
        coder.integer(&staticHoldSpeed)
        coder.integer(&correctionTimeout)
        coder.integer(&cn0SatelliteCount)
        coder.integer(&cn0Threshold)
        coder.reserved(2)
        coder.integer(&staticHoldDistance)
        coder.integer(&utcStandard)
        coder.reserved(5)
    }
}
