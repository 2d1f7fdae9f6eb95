// SPDX-License-Identifier: MIT

/// The navigation settings, for chips up to M8: `CFG-NAV5`. Only the fields selected by `mask` take
/// effect.
public struct CfgNAV5: UBXMessage {
    public static let id = UBXMessageID(0x06, 0x24)

    /// A set of fields that take effect.
    public struct Mask: UBXValue, OptionSet {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The dynamic model.
        public static let dynamicModel = Mask(rawValue: 0x1)
        /// The minimum elevation.
        public static let minimumElevation = Mask(rawValue: 0x2)
        /// The fix mode.
        public static let fixMode = Mask(rawValue: 0x4)
        /// The speed and distance thresholds of static hold.
        public static let staticHold = Mask(rawValue: 0x40)
    }

    /// The fields that take effect.
    public var mask = Mask(rawValue: 0)
    /// The expected motion, as the number of a `DynamicModel`.
    public var dynamicModel: UInt8 = 0
    /// The fix mode: 1 for 2D only, 2 for 3D only, 3 for both.
    public var fixMode: UInt8 = 3
    /// The altitude for 2D fixes in metres.
    public var fixedAltitude = 0.0
    /// The variance of the fixed altitude in square metres.
    public var fixedAltitudeVariance = 0.0
    /// The minimum elevation in degrees.
    public var minimumElevation: Int8 = 5
    /// The time limit for dead reckoning in seconds.
    public var deadReckoningLimit: UInt8 = 0
    /// The maximum PDOP of a valid position fix.
    public var maximumPDOP = 0.0
    /// The maximum TDOP of a valid time fix.
    public var maximumTDOP = 0.0
    /// The maximum estimated position error of a valid fix, in metres.
    public var maximumPositionAccuracy: UInt16 = 0
    /// The maximum estimated time error of a valid fix, in metres: the time multiplied by the speed
    /// of light.
    public var maximumTimeAccuracy: UInt16 = 0
    /// The speed below which the reported position does not change (static hold), in centimetres
    /// per second; 0 disables this.
    public var staticHoldSpeed: UInt8 = 0
    /// The maximum age of corrections in seconds.
    public var correctionTimeout: UInt8 = 60
    /// The number of satellites whose C/N0 must exceed `cn0Threshold` for a fix.
    public var cn0SatelliteCount: UInt8 = 0
    /// The threshold of the carrier-to-noise density in dB-Hz.
    public var cn0Threshold: UInt8 = 0
    /// The distance from the held position at which static hold ends, in metres.
    public var staticHoldDistance: UInt16 = 0
    /// The UTC standard; 0 is automatic.
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
