// SPDX-License-Identifier: MIT

// A number and its bit among the facts, instead of an optional: what is known of an epoch is asked for
// after every sentence.
extension Epoch {
    /// Degrees, WGS 84. Never set from a sentence that calls itself void.
    public var coordinate: Coordinate? {
        @inlinable @inline(__always)
        get { facts.has(.position) ? heldCoordinate : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.position, newValue != nil)
            if let newValue { heldCoordinate = newValue }
        }
    }

    /// Metres above mean sea level.
    public var altitude: Double? {
        @inlinable @inline(__always)
        get { facts.has(.altitude) ? heldAltitude : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.altitude, newValue != nil)
            if let newValue { heldAltitude = newValue }
        }
    }

    /// Metres above the ellipsoid, where a receiver sends it instead of the other two.
    public var ellipsoidalAltitude: Double? {
        @inlinable @inline(__always)
        get { facts.has(.ellipsoidalAltitude) ? heldHeight : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.ellipsoidalAltitude, newValue != nil)
            if let newValue { heldHeight = newValue }
        }
    }

    /// Metres by which mean sea level lies above the ellipsoid.
    public var geoidSeparation: Double? {
        @inlinable @inline(__always)
        get { facts.has(.separation) ? heldGeoidSeparation : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.separation, newValue != nil)
            if let newValue { heldGeoidSeparation = newValue }
        }
    }

    /// Metres per second over ground.
    public internal(set) var speed: Double? {
        @inlinable @inline(__always)
        get { facts.has(.speed) ? heldSpeed : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.speed, newValue != nil)
            if let newValue { heldSpeed = newValue }
        }
    }

    /// Degrees from true north over ground.
    public internal(set) var course: Double? {
        @inlinable @inline(__always)
        get { facts.has(.course) ? heldCourse : nil }
        @inlinable @inline(__always)
        set {
            facts.note(.course, newValue != nil)
            if let newValue { heldCourse = newValue }
        }
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
            DilutionOfPrecision(
                hdop: facts.has(.hdop) ? heldHDOP : nil, vdop: facts.has(.vdop) ? heldVDOP : nil,
                pdop: facts.has(.pdop) ? heldPDOP : nil)
        }
        @inlinable @inline(__always)
        set {
            facts.note(.hdop, newValue.hdop != nil)
            facts.note(.vdop, newValue.vdop != nil)
            facts.note(.pdop, newValue.pdop != nil)
            if let hdop = newValue.hdop { heldHDOP = hdop }
            if let vdop = newValue.vdop { heldVDOP = vdop }
            if let pdop = newValue.pdop { heldPDOP = pdop }
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
