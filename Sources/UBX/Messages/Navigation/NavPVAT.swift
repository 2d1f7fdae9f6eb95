// SPDX-License-Identifier: MIT

/// Position, velocity, attitude and time, of F9V and F9K: `NAV-PVAT`.
public struct NavPVAT: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x17)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The fix is within the limits set for the receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Corrections were used.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// The roll is known.
        public var hasRoll: Bool { rawValue.hasBit(3) }
        /// The pitch is known.
        public var hasPitch: Bool { rawValue.hasBit(4) }
        /// The heading is known.
        public var hasHeading: Bool { rawValue.hasBit(5) }
        /// How the carrier was used.
        public var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The known parts of the time.
    public var validity = NavPVT.Validity(rawValue: 0)
    /// UTC.
    public var year: UInt16 = 0
    /// 1 to 12.
    public var month: UInt8 = 0
    /// 1 to 31.
    public var day: UInt8 = 0
    /// 0 to 23.
    public var hour: UInt8 = 0
    /// 0 to 59.
    public var minute: UInt8 = 0
    /// 0 to 60, rounded.
    public var second: UInt8 = 0
    /// Seconds.
    public var timeAccuracy: Double = 0
    /// Nanoseconds to add to the second.
    public var nanoseconds: Int32 = 0
    /// How the position was determined.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// Whether date and time have been confirmed.
    public var confirmation = NavPVT.Confirmation(rawValue: 0)
    /// Satellites used.
    public var satellitesUsed: UInt8 = 0
    /// Degrees.
    public var longitude: Double = 0
    /// Degrees.
    public var latitude: Double = 0
    /// Metres above the ellipsoid.
    public var ellipsoidalAltitude: Double = 0
    /// Metres above mean sea level.
    public var altitude: Double = 0
    /// Metres; `nil` if it is unknown.
    public var horizontalAccuracy: Double?
    /// Metres, one sigma; `nil` if it is unknown.
    public var verticalAccuracy: Double?
    /// Metres per second.
    public var velocityNorth: Double = 0
    /// Metres per second.
    public var velocityEast: Double = 0
    /// Metres per second.
    public var velocityDown: Double = 0
    /// Metres per second over ground.
    public var groundSpeed: Double = 0
    /// Metres per second, one sigma.
    public var speedAccuracy: Double = 0
    /// Degrees; `nil` if it is unknown.
    public var roll: Double?
    /// Degrees; `nil` if it is unknown.
    public var pitch: Double?
    /// Degrees from true north; `nil` if it is unknown.
    public var heading: Double?
    /// Degrees from true north.
    public var course: Double = 0
    /// Degrees.
    public var rollAccuracy: Double = 0
    /// Degrees.
    public var pitchAccuracy: Double = 0
    /// Degrees.
    public var headingAccuracy: Double = 0
    /// Degrees, east of true north; `nil` if it is unknown.
    public var magneticDeclination: Double?
    /// Degrees.
    public var magneticAccuracy: Double?
    /// Degrees from true north of the major axis.
    public var ellipseOrientation: Double = 0
    /// Metres, 95 %.
    public var semiMajor: Double = 0
    /// Metres, 95 %.
    public var semiMinor: Double = 0

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&version)
        coder.value(&validity)
        coder.integer(&year)
        coder.integer(&month)
        coder.integer(&day)
        coder.integer(&hour)
        coder.integer(&minute)
        coder.integer(&second)
        coder.reserved(3)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
        coder.integer(&nanoseconds)
        coder.value(&fixType)
        coder.value(&flags)
        coder.value(&confirmation)
        coder.integer(&satellitesUsed)
        coder.scaled(&longitude, Int32.self, per: 1e7)
        coder.scaled(&latitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, Int32.self, per: 1e3)
        coder.scaled(&altitude, Int32.self, per: 1e3)
        coder.scaled(&horizontalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&verticalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&velocityNorth, Int32.self, per: 1e3)
        coder.scaled(&velocityEast, Int32.self, per: 1e3)
        coder.scaled(&velocityDown, Int32.self, per: 1e3)
        coder.scaled(&groundSpeed, Int32.self, per: 1e3)
        coder.scaled(&speedAccuracy, UInt32.self, per: 1e3)
        coder.scaled(&roll, Int32.self, per: 1e5, isKnown: flags.hasRoll)
        coder.scaled(&pitch, Int32.self, per: 1e5, isKnown: flags.hasPitch)
        coder.scaled(&heading, Int32.self, per: 1e5, isKnown: flags.hasHeading)
        coder.scaled(&course, Int32.self, per: 1e5)
        coder.scaled(&rollAccuracy, UInt16.self, per: 100)
        coder.scaled(&pitchAccuracy, UInt16.self, per: 100)
        coder.scaled(&headingAccuracy, UInt16.self, per: 100)
        let hasDeclination = validity.hasMagneticDeclination
        coder.scaled(&magneticDeclination, Int16.self, per: 100, isKnown: hasDeclination)
        coder.scaled(&magneticAccuracy, UInt16.self, per: 100, isKnown: hasDeclination)
        coder.scaled(&ellipseOrientation, UInt16.self, per: 100)
        coder.scaled(&semiMajor, UInt32.self, per: 1e3)
        coder.scaled(&semiMinor, UInt32.self, per: 1e3)
        coder.reserved(8)
    }
}
