// SPDX-License-Identifier: MIT

/// Position, velocity and time: `NAV-PVT`. This message alone contains a complete fix.
public struct NavPVT: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x07)

    /// Flags for the parts of the time that are known.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the date is known.
        public var hasDate: Bool { rawValue.hasBit(0) }
        /// Whether the time of day is known.
        public var hasTime: Bool { rawValue.hasBit(1) }
        /// Whether the leap seconds are also known, so that the UTC time has no error of whole
        /// seconds.
        public var isFullyResolved: Bool { rawValue.hasBit(2) }
        /// Whether the magnetic declination is known.
        public var hasMagneticDeclination: Bool { rawValue.hasBit(3) }
    }

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the fix is valid: it is within the accuracy and DOP limits that are set in the
        /// receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Whether the solution uses differential corrections.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// Whether `vehicleHeading` is known.
        public var hasVehicleHeading: Bool { rawValue.hasBit(5) }
        /// Whether the solution uses the carrier phase (RTK), and whether its ambiguities are
        /// fixed.
        public var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    /// Whether date and time have been confirmed.
    public struct Confirmation: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether `hasDate` and `hasTime` have a meaning: not all firmware reports confirmations.
        public var isAvailable: Bool { rawValue.hasBit(5) }
        /// Whether the date is confirmed.
        public var hasDate: Bool { rawValue.hasBit(6) }
        /// Whether the time of day is confirmed.
        public var hasTime: Bool { rawValue.hasBit(7) }
    }

    /// Further flags of the solution.
    public struct MoreFlags: UBXValue {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// Whether the position and its accuracies are invalid.
        public var isPositionInvalid: Bool { rawValue.hasBit(0) }
        /// The age of the last correction, as a class: 0 means no correction. Classes 1 to 11 are
        /// ages below 1, 2, 5, 10, 15, 20, 30, 45, 60, 90 and 120 seconds; class 12 is any higher
        /// age.
        public var correctionAgeClass: UInt16 { rawValue.bits(1...4) }
        /// Whether the time is authenticated.
        public var isTimeAuthenticated: Bool { rawValue.hasBit(13) }
        /// Whether the navigation messages are authenticated.
        public var isNavigationAuthenticated: Bool { rawValue.hasBit(14) }
    }

    /// The GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
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
    /// The parts of the time that are known.
    public var validity = Validity(rawValue: 0)
    /// The accuracy of the time in seconds.
    public var timeAccuracy: Double = 0
    /// The nanoseconds to add to `second`; often slightly negative.
    public var nanoseconds: Int32 = 0
    /// The type of the fix.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// Whether date and time have been confirmed.
    public var confirmation = Confirmation(rawValue: 0)
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
    /// The horizontal accuracy in metres: the square root of the sum of the north and east
    /// variances; `nil` if it is unknown.
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
    /// The course over ground in degrees from true north; kept constant at low speed.
    public var course: Double = 0
    /// The one-sigma accuracy of the speed in metres per second.
    public var speedAccuracy: Double = 0
    /// The one-sigma accuracy of the course in degrees; 180 without a fix.
    public var courseAccuracy: Double = 0
    /// The position dilution of precision; `nil` if it is unknown.
    public var positionDilution: Double?
    /// Further flags of the solution.
    public var moreFlags = MoreFlags(rawValue: 0)
    /// The heading of the vehicle in degrees from true north; `nil` if it is unknown.
    public var vehicleHeading: Double?
    /// The magnetic declination in degrees, positive to the east; `nil` if it is unknown.
    public var magneticDeclination: Double?
    /// The accuracy of the magnetic declination in degrees; `nil` if it is unknown.
    public var magneticAccuracy: Double?

    public init() {}

    public mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.integer(&year)
        coder.integer(&month)
        coder.integer(&day)
        coder.integer(&hour)
        coder.integer(&minute)
        coder.integer(&second)
        coder.value(&validity)
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
        coder.scaled(&course, Int32.self, per: 1e5)
        coder.scaled(&speedAccuracy, UInt32.self, per: 1e3)
        coder.scaled(&courseAccuracy, UInt32.self, per: 1e5)
        coder.scaled(&positionDilution, UInt16.self, per: 100, absent: 9999)
        coder.value(&moreFlags)
        coder.reserved(4)
        // The message of chips of generation 7 ends here. Instead of `moreFlags`, it has reserved
        // bits.
        guard coder.hasMore else { return moreFlags = MoreFlags(rawValue: 0) }
        coder.scaled(&vehicleHeading, Int32.self, per: 1e5, isKnown: flags.hasVehicleHeading)
        let hasDeclination = validity.hasMagneticDeclination
        coder.scaled(&magneticDeclination, Int16.self, per: 100, isKnown: hasDeclination)
        coder.scaled(&magneticAccuracy, UInt16.self, per: 100, isKnown: hasDeclination)
    }

    /// Whether the position belongs to a current fix. Otherwise, the position fields contain 0 or a
    /// surveyed position.
    public var hasPosition: Bool {
        flags.isFixOK && !moreFlags.isPositionInvalid
            && (UBXFixType.deadReckoning.rawValue...UBXFixType.combined.rawValue)
                .contains(fixType.rawValue)
    }
}
