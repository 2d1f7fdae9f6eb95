// SPDX-License-Identifier: MIT

/// Covariance matrices of position and velocity: `NAV-COV`.
package struct NavCOV: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x36)

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var version: UInt8 = 0
    /// 1 if the covariances of the position are valid.
    package var isPositionValid: UInt8 = 0
    /// 1 if the covariances of the velocity are valid.
    package var isVelocityValid: UInt8 = 0
    /// The variance of the north position in square metres.
    package var positionNN: Float = 0
    /// The covariance of the north and east position in square metres.
    package var positionNE: Float = 0
    /// The covariance of the north and down position in square metres.
    package var positionND: Float = 0
    /// The variance of the east position in square metres.
    package var positionEE: Float = 0
    /// The covariance of the east and down position in square metres.
    package var positionED: Float = 0
    /// The variance of the down position in square metres.
    package var positionDD: Float = 0
    /// The variance of the north velocity in m²/s².
    package var velocityNN: Float = 0
    /// The covariance of the north and east velocity in m²/s².
    package var velocityNE: Float = 0
    /// The covariance of the north and down velocity in m²/s².
    package var velocityND: Float = 0
    /// The variance of the east velocity in m²/s².
    package var velocityEE: Float = 0
    /// The covariance of the east and down velocity in m²/s².
    package var velocityED: Float = 0
    /// The variance of the down velocity in m²/s².
    package var velocityDD: Float = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &version, &isPositionValid, &isVelocityValid)
        coder.reserved(9)
        coder.float(&positionNN)
        coder.float(&positionNE)
        coder.float(&positionND)
        coder.float(&positionEE)
        coder.float(&positionED)
        coder.float(&positionDD)
        coder.float(&velocityNN)
        coder.float(&velocityNE)
        coder.float(&velocityND)
        coder.float(&velocityEE)
        coder.float(&velocityED)
        coder.float(&velocityDD)
    }
}

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

/// The 95 % error ellipse of the position: `NAV-EELL`.
package struct NavEELL: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x3D)

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var version: UInt8 = 0
    /// The direction of the error ellipse's major axis in degrees from true north.
    package var orientation: Double = 0
    /// The semi-major axis of the error ellipse in metres.
    package var semiMajor: Double = 0
    /// The semi-minor axis of the error ellipse in metres.
    package var semiMinor: Double = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &version)
        coder.reserved(1)
        coder.scaled(&orientation, UInt16.self, per: 100)
        coder.scaled(&semiMajor, &semiMinor, UInt32.self, per: 1e3)
    }
}

/// The attitude of a vehicle, from a receiver's own sensors: `NAV-ATT`.
package struct NavATT: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x05)

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var version: UInt8 = 0
    /// The roll in degrees; positive to starboard.
    package var roll: Double = 0
    /// The pitch in degrees; positive if the bow is up.
    package var pitch: Double = 0
    /// The heading in degrees from true north.
    package var heading: Double = 0
    /// The accuracies in degrees; 0 while the angle is not known.
    package var rollAccuracy: Double = 0
    package var pitchAccuracy: Double = 0
    package var headingAccuracy: Double = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &version)
        coder.reserved(3)
        coder.scaled(&roll, &pitch, Int32.self, per: 1e5)
        coder.scaled(&heading, Int32.self, per: 1e5)
        coder.scaled(&rollAccuracy, &pitchAccuracy, UInt32.self, per: 1e5)
        coder.scaled(&headingAccuracy, UInt32.self, per: 1e5)
    }
}

/// Protection levels: `NAV-PL`.
package struct NavPL: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x62)

    package var version: UInt8 = 0
    /// The coefficient of the integrity risk. The risk for each epoch and axis is `riskCoefficient`
    /// × 10^`riskExponent` per cent.
    package var riskCoefficient: UInt8 = 0
    /// The exponent of the integrity risk; see `riskCoefficient`.
    package var riskExponent: Int8 = 0
    /// 1 if the protection levels of the position are valid. Otherwise, they have no meaning.
    package var isPositionValid: UInt8 = 0
    /// The reference frame of the position protection levels: 0 none, 1 north-east-down, 2
    /// along-across-vertical, 3 ellipse.
    package var positionFrame: UInt8 = 0
    /// 1 if the protection levels of the velocity are valid.
    private var isVelocityValid: UInt8 = 0
    /// The reference frame of the velocity protection levels, with the values of `positionFrame`.
    private var velocityFrame: UInt8 = 0
    /// 1 if the protection level of the time is valid.
    private var isTimeValid: UInt8 = 0
    /// The reason why the position levels are not valid: 1 to 29 not trustworthy, 30 to 100 not
    /// verified for this configuration.
    package var positionInvalidity: UInt8 = 0
    /// The reason why the velocity levels are not valid, with the values of `positionInvalidity`.
    package var velocityInvalidity: UInt8 = 0
    /// The reason why the time level is not valid, with the values of `positionInvalidity`.
    package var timeInvalidity: UInt8 = 0
    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The protection level of the position along the first axis of `positionFrame`, in metres.
    package var position1: Double = 0
    /// The protection level of the position along the second axis of `positionFrame`, in metres.
    package var position2: Double = 0
    /// The protection level of the position along the third axis of `positionFrame`, in metres.
    package var position3: Double = 0
    /// The protection level of the velocity along the first axis of `velocityFrame`, in metres per
    /// second.
    private var velocity1: Double = 0
    /// The protection level of the velocity along the second axis of `velocityFrame`, in metres per
    /// second.
    private var velocity2: Double = 0
    /// The protection level of the velocity along the third axis of `velocityFrame`, in metres per
    /// second.
    private var velocity3: Double = 0
    /// The direction of the major axis of the position ellipse, in degrees from true north.
    private var positionOrientation: Double = 0
    /// The direction of the major axis of the velocity ellipse, in degrees from true north.
    private var velocityOrientation: Double = 0
    /// The protection level of the time in nanoseconds.
    package var time: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&version, &riskCoefficient, &riskExponent, &isPositionValid)
        coder.integers(&positionFrame, &isVelocityValid, &velocityFrame, &isTimeValid)
        coder.integers(&positionInvalidity, &velocityInvalidity, &timeInvalidity)
        coder.reserved(1)
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&position1, &position2, &position3, &velocity1, UInt32.self, per: 1e3)
        coder.scaled(&velocity2, &velocity3, UInt32.self, per: 1e3)
        coder.scaled(&positionOrientation, &velocityOrientation, UInt16.self, per: 100)
        coder.integer(&time)
        coder.reserved(4)
    }
}
