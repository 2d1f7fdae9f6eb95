// SPDX-License-Identifier: MIT

/// Protection levels: `NAV-PL`.
public struct NavPL: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x62)

    /// The version of the message.
    public var version: UInt8 = 0
    /// The risk is this times ten to the power of `riskExponent`, in per cent per epoch and axis.
    public var riskCoefficient: UInt8 = 0
    /// See `riskCoefficient`.
    public var riskExponent: Int8 = 0
    /// 1 where the levels of the position are valid: they mean nothing otherwise.
    public var isPositionValid: UInt8 = 0
    /// 0 none, 1 north-east-down, 2 along-across-vertical, 3 ellipse.
    public var positionFrame: UInt8 = 0
    /// 1 where the levels of the velocity are valid.
    public var isVelocityValid: UInt8 = 0
    /// As `positionFrame`.
    public var velocityFrame: UInt8 = 0
    /// 1 where the level of the time is valid.
    public var isTimeValid: UInt8 = 0
    /// The reason why the position's are invalid: 1 to 29 not trustworthy, 30 to 100 not verified for this configuration.
    public var positionInvalidity: UInt8 = 0
    /// As `positionInvalidity`.
    public var velocityInvalidity: UInt8 = 0
    /// As `positionInvalidity`.
    public var timeInvalidity: UInt8 = 0
    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// Metres, along the first axis.
    public var position1: Double = 0
    /// Metres, along the second axis.
    public var position2: Double = 0
    /// Metres, along the third axis.
    public var position3: Double = 0
    /// Metres per second, along the first axis.
    public var velocity1: Double = 0
    /// Metres per second, along the second axis.
    public var velocity2: Double = 0
    /// Metres per second, along the third axis.
    public var velocity3: Double = 0
    /// Degrees from true north of an ellipse's major axis.
    public var positionOrientation: Double = 0
    /// As `positionOrientation`.
    public var velocityOrientation: Double = 0
    /// Nanoseconds.
    public var time: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.integer(&riskCoefficient)
        coder.integer(&riskExponent)
        coder.integer(&isPositionValid)
        coder.integer(&positionFrame)
        coder.integer(&isVelocityValid)
        coder.integer(&velocityFrame)
        coder.integer(&isTimeValid)
        coder.integer(&positionInvalidity)
        coder.integer(&velocityInvalidity)
        coder.integer(&timeInvalidity)
        coder.reserved(1)
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&position1, UInt32.self, per: 1e3)
        coder.scaled(&position2, UInt32.self, per: 1e3)
        coder.scaled(&position3, UInt32.self, per: 1e3)
        coder.scaled(&velocity1, UInt32.self, per: 1e3)
        coder.scaled(&velocity2, UInt32.self, per: 1e3)
        coder.scaled(&velocity3, UInt32.self, per: 1e3)
        coder.scaled(&positionOrientation, UInt16.self, per: 100)
        coder.scaled(&velocityOrientation, UInt16.self, per: 100)
        coder.integer(&time)
        coder.reserved(4)
    }
}
