// SPDX-License-Identifier: MIT

/// Assistance from the host: `MGA-INI`, whose first byte selects what follows.
public struct MgaINI: UBXMessage {
    public static let id = UBXMessageID(0x13, 0x40)

    /// What follows: 0x01 a position, 0x10 the time in UTC, and others.
    public var kind: UInt8 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// What follows.
    public var data: [UInt8] = []

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&kind)
        coder.integer(&version)
        coder.rest(&data)
    }
}

/// The present time: `MGA-INI-TIME_UTC`.
public struct MgaINITimeUTC: UBXMessage {
    public static let id = MgaINI.id

    /// When it is this time: 0 on receipt.
    public var reference: UInt8 = 0
    /// Leap seconds since 1980; -128 if they are not known.
    public var leapSeconds: Int8 = -128
    /// The year.
    public var year: UInt16 = 0
    /// Month, day, hour, minute and second.
    public var (month, day, hour, minute, second): (UInt8, UInt8, UInt8, UInt8, UInt8) =
        (0, 0, 0, 0, 0)
    /// Nanoseconds of the second.
    public var nanoseconds: UInt32 = 0
    /// Whole seconds of the accuracy.
    public var accuracySeconds: UInt16 = 0
    /// Nanoseconds of the accuracy.
    public var accuracyNanoseconds: UInt32 = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        var (kind, version): (UInt8, UInt8) = (0x10, 0)
        coder.integer(&kind)
        coder.integer(&version)
        if kind != 0x10 || version != 0 { coder.reject() }
        coder.integer(&reference)
        coder.integer(&leapSeconds)
        coder.integer(&year)
        coder.integer(&month)
        coder.integer(&day)
        coder.integer(&hour)
        coder.integer(&minute)
        coder.integer(&second)
        coder.reserved(1)
        coder.integer(&nanoseconds)
        coder.integer(&accuracySeconds)
        coder.reserved(2)
        coder.integer(&accuracyNanoseconds)
    }
}

/// The position: `MGA-INI-POS_LLH`.
public struct MgaINIPositionLLH: UBXMessage {
    public static let id = MgaINI.id

    /// Degrees north.
    public var latitude = 0.0
    /// Degrees east.
    public var longitude = 0.0
    /// Metres above the ellipsoid.
    public var ellipsoidalAltitude = 0.0
    /// Metres, one standard deviation.
    public var accuracy = 0.0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        var (kind, version): (UInt8, UInt8) = (0x01, 0)
        coder.integer(&kind)
        coder.integer(&version)
        if kind != 0x01 || version != 0 { coder.reject() }
        coder.reserved(2)
        coder.scaled(&latitude, Int32.self, per: 1e7)
        coder.scaled(&longitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, Int32.self, per: 100)
        coder.scaled(&accuracy, UInt32.self, per: 100)
    }
}
