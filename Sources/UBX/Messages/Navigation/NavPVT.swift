// SPDX-License-Identifier: MIT

/// Position, velocity and time: `NAV-PVT`, the one message that suffices.
public struct NavPVT: UBXMessage {
    public static let id = UBXMessageID(0x01, 0x07)

    /// The known parts of the time.
    public struct Validity: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The date is known.
        public var hasDate: Bool { rawValue.hasBit(0) }
        /// The time of day is known.
        public var hasTime: Bool { rawValue.hasBit(1) }
        /// The leap seconds are known, too: no second is uncertain.
        public var isFullyResolved: Bool { rawValue.hasBit(2) }
        /// The magnetic declination is known.
        public var hasMagneticDeclination: Bool { rawValue.hasBit(3) }
    }

    /// The state of the solution.
    public struct Flags: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The fix is within the limits set for the receiver.
        public var isFixOK: Bool { rawValue.hasBit(0) }
        /// Corrections were used.
        public var isDifferential: Bool { rawValue.hasBit(1) }
        /// `vehicleHeading` is known.
        public var hasVehicleHeading: Bool { rawValue.hasBit(5) }
        /// How the carrier was used.
        public var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    /// Whether date and time have been confirmed.
    public struct Confirmation: UBXValue {
        public var rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// The receiver reports `hasDate` and `hasTime` here.
        public var isAvailable: Bool { rawValue.hasBit(5) }
        /// The date is confirmed.
        public var hasDate: Bool { rawValue.hasBit(6) }
        /// The time of day is confirmed.
        public var hasTime: Bool { rawValue.hasBit(7) }
    }

    /// More about the solution.
    public struct MoreFlags: UBXValue {
        public var rawValue: UInt16
        public init(rawValue: UInt16) { self.rawValue = rawValue }
        /// The position and its accuracies are not valid.
        public var isPositionInvalid: Bool { rawValue.hasBit(0) }
        /// The class of the age of the last correction: 0 for none, then intervals that end after 1, 2, 5, 10, 15, 20, 30, 45,
        /// 60, 90 and 120 seconds.
        public var correctionAgeClass: UInt16 { rawValue.bits(1...4) }
        /// The time is authenticated.
        public var isTimeAuthenticated: Bool { rawValue.hasBit(13) }
        /// The navigation messages are authenticated.
        public var isNavigationAuthenticated: Bool { rawValue.hasBit(14) }
    }

    /// GPS time of week in milliseconds.
    public var timeOfWeekMilliseconds: UInt32 = 0
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
    /// The known parts of the time.
    public var validity = Validity(rawValue: 0)
    /// Seconds.
    public var timeAccuracy: Double = 0
    /// Nanoseconds to add to the second, often slightly negative.
    public var nanoseconds: Int32 = 0
    /// How the position was determined.
    public var fixType = UBXFixType.none
    /// The state of the solution.
    public var flags = Flags(rawValue: 0)
    /// Whether date and time have been confirmed.
    public var confirmation = Confirmation(rawValue: 0)
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
    /// Metres: the root of the summed variances of north and east; `nil` if it is unknown.
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
    /// Degrees from true north; held at low speed.
    public var course: Double = 0
    /// Metres per second, one sigma.
    public var speedAccuracy: Double = 0
    /// Degrees, one sigma; 180 without a fix.
    public var courseAccuracy: Double = 0
    /// `nil` if it is unknown.
    public var positionDilution: Double?
    /// More about the solution.
    public var moreFlags = MoreFlags(rawValue: 0)
    /// Degrees from true north; `nil` if it is unknown.
    public var vehicleHeading: Double?
    /// Degrees, east of true north; `nil` if it is unknown.
    public var magneticDeclination: Double?
    /// Degrees.
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
        // Generation 7 ends here.
        guard coder.hasMore else { return }
        coder.scaled(&vehicleHeading, Int32.self, per: 1e5, isKnown: flags.hasVehicleHeading)
        let hasDeclination = validity.hasMagneticDeclination
        coder.scaled(&magneticDeclination, Int16.self, per: 100, isKnown: hasDeclination)
        coder.scaled(&magneticAccuracy, UInt16.self, per: 100, isKnown: hasDeclination)
    }

    /// Whether the position is a fix of now: 0 or a surveyed position stands in its place otherwise.
    public var hasPosition: Bool {
        flags.isFixOK && !moreFlags.isPositionInvalid
            && (UBXFixType.deadReckoning.rawValue...UBXFixType.combined.rawValue)
                .contains(fixType.rawValue)
    }
}
