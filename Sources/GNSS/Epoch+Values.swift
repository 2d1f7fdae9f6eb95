// SPDX-License-Identifier: MIT

// A number and its bit among the facts, instead of an optional: what is known of an epoch is asked for
// after every sentence.
extension Epoch {
    /// Degrees, WGS 84. Never set from a sentence that calls itself void.
    public var coordinate: Coordinate? {
        @inlinable @inline(__always)
        get { measurements.coordinate }
        @inlinable @inline(__always)
        set {
            measurements.coordinate = newValue
            facts.note(.position, measurements.coordinate != nil)
        }
    }

    /// Metres above mean sea level.
    public var altitude: Double? {
        @inlinable @inline(__always)
        get { measurements.altitude.value }
        @inlinable @inline(__always)
        set {
            measurements.altitude.value = newValue
            facts.note(.altitude, measurements.altitude.isKnown)
        }
    }

    /// Metres above the ellipsoid, where a receiver sends it instead of the other two.
    public var ellipsoidalAltitude: Double? {
        @inlinable @inline(__always)
        get { measurements.ellipsoidalAltitude.value }
        @inlinable @inline(__always)
        set {
            measurements.ellipsoidalAltitude.value = newValue
            facts.note(.ellipsoidalAltitude, measurements.ellipsoidalAltitude.isKnown)
        }
    }

    /// Metres by which mean sea level lies above the ellipsoid.
    public var geoidSeparation: Double? {
        @inlinable @inline(__always)
        get { measurements.geoidSeparation.value }
        @inlinable @inline(__always)
        set {
            measurements.geoidSeparation.value = newValue
            facts.note(.separation, measurements.geoidSeparation.isKnown)
        }
    }

    /// Metres per second over ground.
    public internal(set) var speed: Double? {
        @inlinable @inline(__always)
        get { measurements.speed.value }
        @inlinable @inline(__always)
        set {
            measurements.speed.value = newValue
            facts.note(.speed, measurements.speed.isKnown)
        }
    }

    /// Degrees from true north over ground.
    public internal(set) var course: Double? {
        @inlinable @inline(__always)
        get { measurements.course.value }
        @inlinable @inline(__always)
        set {
            measurements.course.value = newValue
            facts.note(.course, measurements.course.isKnown)
        }
    }

    /// Degrees from magnetic north over ground.
    @inlinable public var magneticCourse: Double? {
        get { measurements.magneticCourse.value }
        set { measurements.magneticCourse.value = newValue }
    }

    /// Degrees by which magnetic north lies east of true north.
    @inlinable public var magneticVariation: Double? {
        get { measurements.magneticVariation.value }
        set { measurements.magneticVariation.value = newValue }
    }

    /// Seconds since the last correction.
    @inlinable public var correctionAge: Double? {
        get { measurements.correctionAge.value }
        set { measurements.correctionAge.value = newValue }
    }

    /// How many satellites the receiver counts as used.
    public var satelliteCount: Int? {
        @inlinable @inline(__always)
        get { facts.has(.satelliteCount) ? heldSatelliteCount : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.satelliteCount, newValue != nil)
            if let newValue { heldSatelliteCount = newValue }
        }
    }

    /// Unitless.
    public var dilution: DilutionOfPrecision {
        @inlinable @inline(__always)
        get {
            measurements.dilution
        }
        @inlinable @inline(__always)
        set {
            measurements.dilution = newValue
            facts.note(.hdop, newValue.hdop != nil)
            facts.note(.vdop, newValue.vdop != nil)
            facts.note(.pdop, newValue.pdop != nil)
        }
    }

    /// Notes speed and course over ground; a later sentence replaces an earlier one's.
    ///
    /// Chartplotters send newer values in VTG than in the RMC before it, so that replacing is a
    /// contribution even where the value happens to be the same.
    @inlinable
    public mutating func setMotion(speed newSpeed: Double?, course newCourse: Double?) {
        if facts.has(.speed), newSpeed != nil { facts.note(.replacedMotion, true) }
        speed.fill(newSpeed)
        course.fill(newCourse)
    }

    /// Notes an altitude above mean sea level that takes the place of the one known, in metres.
    ///
    /// As with motion, replacing is a contribution even where the value happens to be the same.
    public mutating func replaceAltitude(_ newAltitude: Double?) {
        guard let newAltitude else { return }
        if facts.has(.altitude) { facts.note(.replacedAltitude, true) }
        altitude = newAltitude
    }
}
