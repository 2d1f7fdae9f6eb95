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
        coder.integers(&timeOfWeekMilliseconds, &year, &month, &day)
        coder.integers(&hour, &minute, &second)
        coder.value(&validity)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
        coder.integer(&nanoseconds)
        coder.value(&fixType)
        coder.value(&flags)
        coder.value(&confirmation)
        coder.integer(&satellitesUsed)
        coder.scaled(&longitude, &latitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, &altitude, Int32.self, per: 1e3)
        coder.scaled(&horizontalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&verticalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&velocityNorth, &velocityEast, &velocityDown, Int32.self, per: 1e3)
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

/// Position, velocity, attitude and time, from F9V and F9K: `NAV-PVAT`.
package struct NavPVAT: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x17)

    /// The state of the solution.
    package struct Flags: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the fix is valid: it is within the accuracy and DOP limits that are set in the
        /// receiver.
        package var isFixOK: Bool { rawValue.hasBit(0) }
        /// Whether the solution uses differential corrections.
        package var isDifferential: Bool { rawValue.hasBit(1) }
        var hasRoll: Bool { rawValue.hasBit(3) }
        var hasPitch: Bool { rawValue.hasBit(4) }
        var hasHeading: Bool { rawValue.hasBit(5) }
        /// Whether the solution uses the carrier phase (RTK), and whether its ambiguities are
        /// fixed.
        package var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var version: UInt8 = 0
    /// The parts of the time that are known.
    package var validity = NavPVT.Validity(rawValue: 0)
    package var year: UInt16 = 0
    /// The UTC month, 1 to 12.
    package var month: UInt8 = 0
    /// The UTC day of the month, 1 to 31.
    package var day: UInt8 = 0
    /// The UTC hour, 0 to 23.
    package var hour: UInt8 = 0
    /// The UTC minute, 0 to 59.
    package var minute: UInt8 = 0
    /// The UTC second, rounded, 0 to 60.
    package var second: UInt8 = 0
    /// The accuracy of the time in seconds.
    package var timeAccuracy: Double = 0
    /// The nanoseconds to add to `second`.
    package var nanoseconds: Int32 = 0
    package var fixType = UBXFixType.none
    /// The state of the solution.
    package var flags = Flags(rawValue: 0)
    /// Whether date and time have been confirmed.
    private var confirmation = NavPVT.Confirmation(rawValue: 0)
    package var satellitesUsed: UInt8 = 0
    /// The longitude in degrees.
    package var longitude: Double = 0
    /// The latitude in degrees.
    package var latitude: Double = 0
    /// The altitude in metres above the ellipsoid.
    package var ellipsoidalAltitude: Double = 0
    /// The altitude in metres above mean sea level.
    package var altitude: Double = 0
    /// The horizontal accuracy in metres; `nil` if it is unknown.
    package var horizontalAccuracy: Double?
    /// The one-sigma vertical accuracy in metres; `nil` if it is unknown.
    package var verticalAccuracy: Double?
    /// The velocity to the north in metres per second.
    package var velocityNorth: Double = 0
    /// The velocity to the east in metres per second.
    package var velocityEast: Double = 0
    /// The downward velocity in metres per second.
    package var velocityDown: Double = 0
    /// The speed over ground in metres per second.
    package var groundSpeed: Double = 0
    /// The one-sigma accuracy of the speed in metres per second.
    package var speedAccuracy: Double = 0
    /// The roll in degrees; `nil` if it is unknown.
    package var roll: Double?
    /// The pitch in degrees; `nil` if it is unknown.
    package var pitch: Double?
    /// The heading in degrees from true north; `nil` if it is unknown.
    package var heading: Double?
    /// The course over ground in degrees from true north.
    package var course: Double = 0
    /// The accuracy of the roll in degrees.
    private var rollAccuracy: Double = 0
    /// The accuracy of the pitch in degrees.
    private var pitchAccuracy: Double = 0
    /// The accuracy of the heading in degrees.
    package var headingAccuracy: Double = 0
    /// The magnetic declination in degrees, positive to the east; `nil` if it is unknown.
    package var magneticDeclination: Double?
    /// The accuracy of the magnetic declination in degrees; `nil` if it is unknown.
    private var magneticAccuracy: Double?
    /// The direction of the error ellipse's major axis in degrees from true north.
    private var ellipseOrientation: Double = 0
    /// The semi-major axis of the 95 % error ellipse in metres.
    private var semiMajor: Double = 0
    /// The semi-minor axis of the 95 % error ellipse in metres.
    private var semiMinor: Double = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &version)
        coder.value(&validity)
        coder.integers(&year, &month, &day, &hour)
        coder.integers(&minute, &second)
        coder.reserved(3)
        coder.scaled(&timeAccuracy, UInt32.self, per: 1e9)
        coder.integer(&nanoseconds)
        coder.value(&fixType)
        coder.value(&flags)
        coder.value(&confirmation)
        coder.integer(&satellitesUsed)
        coder.scaled(&longitude, &latitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, &altitude, Int32.self, per: 1e3)
        coder.scaled(&horizontalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&verticalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&velocityNorth, &velocityEast, &velocityDown, Int32.self, per: 1e3)
        coder.scaled(&groundSpeed, Int32.self, per: 1e3)
        coder.scaled(&speedAccuracy, UInt32.self, per: 1e3)
        coder.scaled(&roll, Int32.self, per: 1e5, isKnown: flags.hasRoll)
        coder.scaled(&pitch, Int32.self, per: 1e5, isKnown: flags.hasPitch)
        coder.scaled(&heading, Int32.self, per: 1e5, isKnown: flags.hasHeading)
        coder.scaled(&course, Int32.self, per: 1e5)
        coder.scaled(&rollAccuracy, &pitchAccuracy, &headingAccuracy, UInt16.self, per: 100)
        let hasDeclination = validity.hasMagneticDeclination
        coder.scaled(&magneticDeclination, Int16.self, per: 100, isKnown: hasDeclination)
        coder.scaled(&magneticAccuracy, UInt16.self, per: 100, isKnown: hasDeclination)
        coder.scaled(&ellipseOrientation, UInt16.self, per: 100)
        coder.scaled(&semiMajor, &semiMinor, UInt32.self, per: 1e3)
        coder.reserved(8)
    }
}

/// The position, from chips of generations 4 to 7: `NAV-POSLLH`.
package struct NavPOSLLH: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x02)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The longitude in degrees.
    package var longitude: Double = 0
    /// The latitude in degrees.
    package var latitude: Double = 0
    /// The altitude in metres above the ellipsoid.
    package var ellipsoidalAltitude: Double = 0
    /// The altitude in metres above mean sea level.
    package var altitude: Double = 0
    /// The horizontal accuracy in metres: the square root of the sum of the north and east
    /// variances; `nil` if it is unknown.
    package var horizontalAccuracy: Double?
    /// The one-sigma vertical accuracy in metres; `nil` if it is unknown.
    package var verticalAccuracy: Double?

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&longitude, &latitude, Int32.self, per: 1e7)
        coder.scaled(&ellipsoidalAltitude, &altitude, Int32.self, per: 1e3)
        coder.scaled(&horizontalAccuracy, UInt32.self, per: 1e3, absent: .max)
        coder.scaled(&verticalAccuracy, UInt32.self, per: 1e3, absent: .max)
    }
}

/// The high-precision position: `NAV-HPPOSLLH`.
package struct NavHPPOSLLH: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x14)

    /// The state of the solution.
    package struct Flags: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package var isPositionInvalid: Bool { rawValue.hasBit(0) }
    }

    package var version: UInt8 = 0
    /// The state of the solution.
    package var flags = Flags(rawValue: 0)
    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The longitude in units of 1e-7 degrees, without the high-precision part.
    package var coarseLongitude: Int32 = 0
    /// The latitude in units of 1e-7 degrees, without the high-precision part.
    package var coarseLatitude: Int32 = 0
    /// The altitude in millimetres above the ellipsoid, without the high-precision part.
    package var coarseEllipsoidalAltitude: Int32 = 0
    /// The altitude in millimetres above mean sea level, without the high-precision part.
    package var coarseAltitude: Int32 = 0
    /// The high-precision part to add to `coarseLongitude`, in units of 1e-9 degrees.
    package var fineLongitude: Int8 = 0
    /// The high-precision part to add to `coarseLatitude`, in units of 1e-9 degrees.
    package var fineLatitude: Int8 = 0
    /// The high-precision part to add to `coarseEllipsoidalAltitude`, in tenths of a millimetre.
    package var fineEllipsoidalAltitude: Int8 = 0
    /// The high-precision part to add to `coarseAltitude`, in tenths of a millimetre.
    package var fineAltitude: Int8 = 0
    /// The horizontal accuracy in metres: the square root of the sum of the north and east
    /// variances.
    package var horizontalAccuracy: Double = 0
    /// The one-sigma vertical accuracy in metres.
    package var verticalAccuracy: Double = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&version)
        coder.reserved(2)
        coder.value(&flags)
        coder.integers(&timeOfWeekMilliseconds, &coarseLongitude, &coarseLatitude)
        coder.integers(&coarseEllipsoidalAltitude, &coarseAltitude, &fineLongitude, &fineLatitude)
        coder.integers(&fineEllipsoidalAltitude, &fineAltitude)
        coder.scaled(&horizontalAccuracy, &verticalAccuracy, UInt32.self, per: 1e4)
    }

    /// The longitude in degrees.
    package var longitude: Double {
        Double(Int64(coarseLongitude) * 100 + Int64(fineLongitude)) / 1e9
    }
    /// The latitude in degrees.
    package var latitude: Double { Double(Int64(coarseLatitude) * 100 + Int64(fineLatitude)) / 1e9 }
    /// The altitude in metres above the ellipsoid.
    package var ellipsoidalAltitude: Double {
        Double(Int64(coarseEllipsoidalAltitude) * 10 + Int64(fineEllipsoidalAltitude)) / 1e4
    }
    /// The altitude in metres above mean sea level.
    package var altitude: Double { Double(Int64(coarseAltitude) * 10 + Int64(fineAltitude)) / 1e4 }
}

/// The solution in Earth-centred coordinates, from chips of generations 4 to 7: `NAV-SOL`.
package struct NavSOL: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x06)

    /// The state of the solution, as in `NAV-STATUS`.
    package typealias Flags = NavSTATUS.Flags

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The nanoseconds to add to `timeOfWeekMilliseconds`.
    package var nanoseconds: Int32 = 0
    /// The number of weeks since 6 January 1980.
    package var week: Int16 = 0
    package var fixType = UBXFixType.none
    /// The state of the solution.
    package var flags = Flags(rawValue: 0)
    /// The X coordinate in metres, Earth-centred.
    package var x: Double = 0
    /// The Y coordinate in metres, Earth-centred.
    package var y: Double = 0
    /// The Z coordinate in metres, Earth-centred.
    package var z: Double = 0
    /// The accuracy of the three-dimensional position in metres; `nil` if it is unknown.
    package var accuracy: Double?
    /// The velocity along the X axis in metres per second.
    package var velocityX: Double = 0
    /// The velocity along the Y axis in metres per second.
    package var velocityY: Double = 0
    /// The velocity along the Z axis in metres per second.
    package var velocityZ: Double = 0
    /// The accuracy of the speed in metres per second.
    package var speedAccuracy: Double = 0
    /// The position dilution of precision; `nil` if it is unknown.
    package var positionDilution: Double?
    package var satellitesUsed: UInt8 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integers(&timeOfWeekMilliseconds, &nanoseconds, &week)
        coder.value(&fixType)
        coder.value(&flags)
        coder.scaled(&x, &y, &z, Int32.self, per: 100)
        coder.scaled(&accuracy, UInt32.self, per: 100, absent: .max)
        coder.scaled(&velocityX, &velocityY, &velocityZ, Int32.self, per: 100)
        coder.scaled(&speedAccuracy, UInt32.self, per: 100)
        coder.scaled(&positionDilution, UInt16.self, per: 100, absent: 9999)
        coder.reserved(1)
        coder.integer(&satellitesUsed)
        coder.reserved(4)
    }
}

/// The velocity, from chips of generations 4 to 7: `NAV-VELNED`.
package struct NavVELNED: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x12)

    package var timeOfWeekMilliseconds: UInt32 = 0
    /// The velocity to the north in metres per second.
    package var velocityNorth: Double = 0
    /// The velocity to the east in metres per second.
    package var velocityEast: Double = 0
    /// The downward velocity in metres per second.
    package var velocityDown: Double = 0
    /// The speed in metres per second, in three dimensions.
    package var speed: Double = 0
    /// The speed over ground in metres per second.
    package var groundSpeed: Double = 0
    /// The course over ground in degrees from true north.
    package var course: Double = 0
    /// The one-sigma accuracy of the speed in metres per second.
    package var speedAccuracy: Double = 0
    /// The one-sigma accuracy of the course in degrees.
    package var courseAccuracy: Double = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.scaled(&velocityNorth, &velocityEast, &velocityDown, Int32.self, per: 100)
        coder.scaled(&speed, &groundSpeed, UInt32.self, per: 100)
        coder.scaled(&course, Int32.self, per: 1e5)
        coder.scaled(&speedAccuracy, UInt32.self, per: 100)
        coder.scaled(&courseAccuracy, UInt32.self, per: 1e5)
    }
}

/// Marks the end of an epoch: `NAV-EOE`. It is sent after all other navigation messages and
/// sentences of the epoch.
package struct NavEOE: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x61)

    package var timeOfWeekMilliseconds: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
    }
}

/// The state of the receiver: `NAV-STATUS`.
package struct NavSTATUS: UBXMessage {
    package static let id = UBXMessageID(0x01, 0x03)

    package struct Flags: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether the fix is valid: it is within the accuracy and DOP limits that are set in the
        /// receiver.
        package var isFixOK: Bool { rawValue.hasBit(0) }
        /// Whether the solution uses differential corrections.
        package var isDifferential: Bool { rawValue.hasBit(1) }
        /// Whether the GPS week is valid.
        package var hasWeek: Bool { rawValue.hasBit(2) }
        package var hasTimeOfWeek: Bool { rawValue.hasBit(3) }
    }

    package struct Corrections: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Whether `Detection.carrierSolution` is valid.
        package var isCarrierValid: Bool { rawValue.hasBit(1) }
    }

    /// The states of the spoofing detector and of the carrier-phase solution.
    package struct Detection: UBXValue {
        package var rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }
        package var spoofing: UBXSpoofingState {
            UBXSpoofingState(rawValue: rawValue.bits(3...4))
        }
        /// Whether the solution uses the carrier phase (RTK), and whether its ambiguities are
        /// fixed.
        package var carrierSolution: UBXCarrierSolution {
            UBXCarrierSolution(rawValue: rawValue.bits(6...7))
        }
    }

    package var timeOfWeekMilliseconds: UInt32 = 0
    package var fixType = UBXFixType.none
    package var flags = Flags(rawValue: 0)
    package var corrections = Corrections(rawValue: 0)
    /// The states of the spoofing detector and of the carrier-phase solution.
    package var detection = Detection(rawValue: 0)
    /// The time from the receiver's start to its first fix, in milliseconds.
    package var timeToFirstFix: UInt32 = 0
    /// The time since the receiver's start, in milliseconds.
    package var uptime: UInt32 = 0

    package init() {}

    package mutating func fields(_ coder: inout some UBXCoder) {
        coder.integer(&timeOfWeekMilliseconds)
        coder.value(&fixType)
        coder.value(&flags)
        coder.value(&corrections)
        coder.value(&detection)
        coder.integers(&timeToFirstFix, &uptime)
    }
}
