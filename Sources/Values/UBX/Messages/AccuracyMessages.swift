// SPDX-License-Identifier: MIT

/// Covariance matrices of position and velocity: `NAV-COV`.
public struct NavCOV: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x36)

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// 1 if the covariances of the position are valid.
    public var isPositionValid: UInt8 = 0
    /// 1 if the covariances of the velocity are valid.
    public var isVelocityValid: UInt8 = 0
    /// The variance of the north position in square metres.
    public var positionNN: Float = 0
    /// The covariance of the north and east position in square metres.
    public var positionNE: Float = 0
    /// The covariance of the north and down position in square metres.
    public var positionND: Float = 0
    /// The variance of the east position in square metres.
    public var positionEE: Float = 0
    /// The covariance of the east and down position in square metres.
    public var positionED: Float = 0
    /// The variance of the down position in square metres.
    public var positionDD: Float = 0
    /// The variance of the north velocity in m²/s².
    public var velocityNN: Float = 0
    /// The covariance of the north and east velocity in m²/s².
    public var velocityNE: Float = 0
    /// The covariance of the north and down velocity in m²/s².
    public var velocityND: Float = 0
    /// The variance of the east velocity in m²/s².
    public var velocityEE: Float = 0
    /// The covariance of the east and down velocity in m²/s².
    public var velocityED: Float = 0
    /// The variance of the down velocity in m²/s².
    public var velocityDD: Float = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&version)
        coder.integer(&isPositionValid)
        coder.integer(&isVelocityValid)
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
