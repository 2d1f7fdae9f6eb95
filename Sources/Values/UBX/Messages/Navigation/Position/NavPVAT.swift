// SPDX-License-Identifier: MIT

/// Position, velocity, attitude and time, from F9V and F9K: `NAV-PVAT`.
public struct NavPVAT: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x17)

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the fix is valid: it is within the accuracy and DOP limits that are set in the
        /// receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Whether the solution uses differential corrections.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// Whether the roll is known.
        public var hasRoll: Bool { rawValue.hasBit(3) }
        /// Whether the pitch is known.
        public var hasPitch: Bool { rawValue.hasBit(4) }
        /// Whether the heading is known.
        public var hasHeading: Bool { rawValue.hasBit(5) }
        /// Whether the solution uses the carrier phase (RTK), and whether its ambiguities are
        /// fixed.
        public var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
    /// The version of the message.
    public var version: UInt8 = 0
    /// The parts of the time that are known.
    public var validity = NavPVT.Validity(rawValue: 0)
    /// The UTC year.
    public var year: UInt16 = 0
    /// The UTC month, 1 to 12.
    public var month: UInt8 = 0
    /// The UTC day of the month, 1 to 31.
    public var day: UInt8 = 0
    /// The UTC hour, 0 to 23.
    public var hour: UInt8 = 0
    /// The UTC minute, 0 to 59.
    public var minute: UInt8 = 0
    /// The UTC second, rounded, 0 to 60.
    public var second: UInt8 = 0
    /// The accuracy of the time in seconds.
    public var timeAccuracy: Double = 0
    /// The nanoseconds to add to `second`.
    public var nanoseconds: Int32 = 0
    /// The type of the fix.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// Whether date and time have been confirmed.
    public var confirmation = NavPVT.Confirmation(rawValue: 0)
    /// The number of satellites used.
    public var satellitesUsed: UInt8 = 0
    /// The longitude in degrees.
    public var longitude: Double = 0
    /// The latitude in degrees.
    public var latitude: Double = 0
    /// The altitude in metres above the ellipsoid.
    public var ellipsoidalAltitude: Double = 0
    /// The altitude in metres above mean sea level.
    public var altitude: Double = 0
    /// The horizontal accuracy in metres; `nil` if it is unknown.
    public var horizontalAccuracy: Double?
    /// The one-sigma vertical accuracy in metres; `nil` if it is unknown.
    public var verticalAccuracy: Double?
    /// The velocity to the north in metres per second.
    public var velocityNorth: Double = 0
    /// The velocity to the east in metres per second.
    public var velocityEast: Double = 0
    /// The downward velocity in metres per second.
    public var velocityDown: Double = 0
    /// The speed over ground in metres per second.
    public var groundSpeed: Double = 0
    /// The one-sigma accuracy of the speed in metres per second.
    public var speedAccuracy: Double = 0
    /// The roll in degrees; `nil` if it is unknown.
    public var roll: Double?
    /// The pitch in degrees; `nil` if it is unknown.
    public var pitch: Double?
    /// The heading in degrees from true north; `nil` if it is unknown.
    public var heading: Double?
    /// The course over ground in degrees from true north.
    public var course: Double = 0
    /// The accuracy of the roll in degrees.
    public var rollAccuracy: Double = 0
    /// The accuracy of the pitch in degrees.
    public var pitchAccuracy: Double = 0
    /// The accuracy of the heading in degrees.
    public var headingAccuracy: Double = 0
    /// The magnetic declination in degrees, positive to the east; `nil` if it is unknown.
    public var magneticDeclination: Double?
    /// The accuracy of the magnetic declination in degrees; `nil` if it is unknown.
    public var magneticAccuracy: Double?
    /// The direction of the error ellipse's major axis in degrees from true north.
    public var ellipseOrientation: Double = 0
    /// The semi-major axis of the 95 % error ellipse in metres.
    public var semiMajor: Double = 0
    /// The semi-minor axis of the 95 % error ellipse in metres.
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
