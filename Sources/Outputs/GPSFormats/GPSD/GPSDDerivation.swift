// SPDX-License-Identifier: MIT
import GNSS

/// Derives values that a receiver did not report from models, the geometry of the satellites and
/// gpsd's formulae.
struct GPSDDerivation: Equatable {
    /// The values of a fix that are needed to derive values of the next fix.
    private struct Previous: Equatable {
        let seconds: Double
        /// Whether `seconds` is Unix time. Otherwise, it is the time since midnight.
        let isDated: Bool
        let coordinate: Coordinate
        /// The larger of `epx` and `epy`, in metres; `nil` unless both are known.
        let plane: Double?
        let epv: Double?
    }

    private var variation = ModelledVariation()
    private var sky = SkyGeometry()
    private var geometry: SatelliteGeometry?
    private var previous: Previous?
    /// The fix of the epoch before `previous`. It is stored because an epoch may be reported twice.
    private var earlier: Previous?

    /// Stores the geometry of the satellites used, and returns it with their numbers.
    mutating func update(_ view: SatelliteView) -> SkyGeometry {
        sky.update(view)
        geometry = sky.geometry
        return sky
    }

    /// Returns the values of a fix. Values that the receiver did not report are derived.
    mutating func values(of fix: Fix) -> GPSDDerivedValues {
        guard let position = fix.coordinate else {
            (geometry, previous, earlier) = (nil, nil, nil)
            return GPSDDerivedValues(fix)
        }
        var values = GPSDDerivedValues(fix)
        if fix.magneticVariation == nil {
            values.set(variation: variation.value(at: position, on: fix.time))
        }
        if fix.mode == .threeD, fix.geoidSeparation == nil {
            values.set(separation: GeoidModel.separation(at: position))
        }
        if let geometry { values.errors.splitPlane(by: geometry, fix) }
        // Use the coordinates as they are written, so that reading the report gives the same
        // result.
        let written = Coordinate(
            latitude: position.latitude.rounded(decimals: 1e9),
            longitude: position.longitude.rounded(decimals: 1e9))
        addRateErrors(to: &values, of: fix, at: written)
        return values
    }

    /// Sets `eps`, `epd` and `epc`, calculated with gpsd's formulae from the errors of two fixes.
    private mutating func addRateErrors(
        to values: inout GPSDDerivedValues, of fix: Fix, at position: Coordinate
    ) {
        guard let nanoseconds = fix.time?.unixNanoseconds ?? fix.timeOfDay?.nanoseconds else {
            return
        }
        let errors = values.errors
        let plane = errors.epx.flatMap { epx in errors.epy.map { max(epx, $0) } }
        let current = Previous(
            seconds: Double(nanoseconds) / 1e9, isDated: fix.time != nil, coordinate: position,
            plane: plane, epv: errors.epv)
        if previous?.isDated != current.isDated { (previous, earlier) = (nil, nil) }
        // As in gpsd, fixes less than 10 ms apart belong to the same epoch.
        if let previous, abs(current.seconds - previous.seconds) >= 0.01 { earlier = previous }
        previous = current
        guard let earlier else { return }
        let step = current.seconds - earlier.seconds
        guard step > 0 else { return }
        values.set(
            eps: Self.sum(plane, earlier.plane).map { $0 / step },
            epd: plane.flatMap { Self.courseError($0, from: earlier.coordinate, to: position) },
            epc: Self.sum(errors.epv, earlier.epv).map { $0 / step })
    }

    /// Returns the error of the course in degrees: the angle that the error of the position
    /// subtends at the last position. Returns `nil` if the distance between the positions is not
    /// longer than the error.
    private static func courseError(
        _ error: Double, from earlier: Coordinate, to position: Coordinate
    ) -> Double? {
        let step = LocalPlane(at: earlier).point(at: position).distance
        guard step > error else { return nil }
        return 2 * PortableMath.atan2(error, step) * (180 / .pi)
    }

    private static func sum(_ a: Double?, _ b: Double?) -> Double? {
        guard let a, let b else { return nil }
        return a + b
    }
}

/// The declination of the magnetic model at a receiver's position. It is calculated again only when
/// the position changes by a hundredth of a degree, or the hour changes.
///
/// Positions and times are rounded first, so that the result does not depend on earlier fixes.
private struct ModelledVariation: Equatable {
    private struct Cell: Equatable {
        let latitude: Int32
        let longitude: Int32
        let hour: Int64
    }

    private var cell: Cell?
    private var declination: Double?

    mutating func value(at position: Coordinate, on time: UTCTime?) -> Double? {
        guard let time, position.isValid else { return nil }
        let hour = time.unixNanoseconds / 3_600_000_000_000
        let new = Cell(
            latitude: Int32((position.latitude * 100).rounded()),
            longitude: Int32((position.longitude * 100).rounded()), hour: hour)
        if new == cell { return declination }
        cell = new
        declination = UTCTime(unixNanoseconds: hour * 3_600_000_000_000).flatMap {
            MagneticModel.declination(
                at: Coordinate(
                    latitude: Double(new.latitude) / 100, longitude: Double(new.longitude) / 100),
                on: $0)
        }
        return declination
    }
}

/// The values of a report that a receiver may omit. They are received or derived, and `modelled`
/// lists the values that depend on a model.
struct GPSDDerivedValues {
    var errors: GPSDErrors
    private(set) var altitude: Double?
    private(set) var ellipsoidalAltitude: Double?
    private(set) var geoidSeparation: Double?
    private(set) var magneticCourse: Double?
    private(set) var magneticVariation: Double?
    private(set) var magneticHeading: Double?
    /// The 95 % error of the climb rate in metres per second.
    private(set) var epc: Double?
    /// The members whose values depend on a model or on gpsd's formulae for errors.
    private(set) var modelled: ModelledMembers = []
    /// Whether the magnetic heading is modelled. It is a member of `ATT`, not of `TPV`.
    private(set) var isHeadingModelled = false

    private let course: Double?
    private let heading: Double?

    init(_ fix: borrowing Fix) {
        errors = GPSDErrors(fix)
        altitude = fix.altitude
        ellipsoidalAltitude = fix.ellipsoidalAltitude
        geoidSeparation = fix.geoidSeparation
        magneticVariation = fix.magneticVariation
        magneticCourse = fix.magneticCourse
        magneticHeading = fix.attitude.magneticHeading
        course = fix.course
        heading = fix.attitude.heading
        if let magneticVariation {
            magneticCourse = magneticCourse ?? course?.magnetic(magneticVariation)
            magneticHeading = magneticHeading ?? heading?.magnetic(magneticVariation)
        }
    }

    mutating func set(variation: Double?) {
        guard let variation else { return }
        magneticVariation = variation
        modelled.insert(.magneticVariation)
        if magneticCourse == nil, let course {
            magneticCourse = course.magnetic(variation)
            modelled.insert(.magneticCourse)
        }
        if magneticHeading == nil, let heading {
            magneticHeading = heading.magnetic(variation)
            isHeadingModelled = true
        }
    }

    mutating func set(separation: Double?) {
        guard let separation else { return }
        switch (altitude, ellipsoidalAltitude) {
        case (let above?, let height?):
            // With both altitudes, the separation is exact, so it is not modelled.
            geoidSeparation = height - above
            return
        case (let above?, nil):
            ellipsoidalAltitude = above + separation
            modelled.insert(.ellipsoidalAltitude)
        case (nil, let height?):
            altitude = height - separation
            modelled.insert(.altitude)
        case (nil, nil): return
        }
        geoidSeparation = separation
        modelled.insert(.geoidSeparation)
    }

    mutating func set(eps: Double?, epd: Double?, epc: Double?) {
        if errors.eps == nil, let eps {
            errors.eps = eps
            modelled.insert(.speedError)
        }
        if errors.epd == nil, let epd {
            errors.epd = epd
            modelled.insert(.courseError)
        }
        if let epc {
            self.epc = epc
            modelled.insert(.climbError)
        }
    }
}

/// The members of a `TPV` whose values are modelled, as listed in its member `modelled`.
struct ModelledMembers: OptionSet {
    let rawValue: UInt8

    static let ellipsoidalAltitude = ModelledMembers(rawValue: 1)
    static let altitude = ModelledMembers(rawValue: 2)
    static let geoidSeparation = ModelledMembers(rawValue: 4)
    static let magneticCourse = ModelledMembers(rawValue: 8)
    static let magneticVariation = ModelledMembers(rawValue: 16)
    static let speedError = ModelledMembers(rawValue: 32)
    static let courseError = ModelledMembers(rawValue: 64)
    static let climbError = ModelledMembers(rawValue: 128)

    /// The members' names in gpsd's JSON in the order of their bits, each followed by a space.
    fileprivate static let names: [StaticString] = [
        "altHAE ", "altMSL ", "geoidSep ", "magtrack ", "magvar ", "eps ", "epd ", "epc ",
    ]
}

extension RecordWriter {
    /// Appends the names of the modelled members as one string. It is not an array, because libgps
    /// 28 ignores everything after an unknown array.
    @_lifetime(self: copy self)
    mutating func append(_ modelled: ModelledMembers) {
        guard !modelled.isEmpty else { return }
        append(#","modelled":""#)
        for (bit, name) in ModelledMembers.names.enumerated()
        where modelled.rawValue >> bit & 1 == 1 {
            append(name)
        }
        // The quote replaces the last space.
        replaceLast(with: "\"")
    }
}

/// gpsd's estimated 95 % errors, calculated from the 68 % accuracies of a fix with the factors of
/// `Accuracy`. Values are in metres unless stated otherwise.
struct GPSDErrors {
    var epx: Double?
    var epy: Double?
    var epv: Double?
    var eph: Double?
    var sep: Double?
    /// The error of the speed in metres per second.
    var eps: Double?
    /// The error of the course in degrees.
    var epd: Double?
    /// The error of the time in seconds.
    var ept: Double?

    init(_ fix: borrowing Fix) {
        let sigma = fix.standardDeviation
        // With one decimal, an error of less than 5 cm is 0.
        if sigma.longitude != 0 || sigma.latitude != 0 {
            epx = sigma.longitude.map { Accuracy.heightFactor95 * $0 }
            epy = sigma.latitude.map { Accuracy.heightFactor95 * $0 }
        }
        eps = fix.accuracy.speed.map { Accuracy.heightFactor95 * $0 }
        epd = fix.accuracy.course.map { Accuracy.heightFactor95 * $0 }
        ept = fix.accuracy.time.map { Accuracy.heightFactor95 * $0 }
        eph = fix.accuracy.horizontal95
        sep = fix.accuracy.spherical95
        epv = fix.mode == .threeD ? fix.accuracy.vertical95 : nil
    }

    /// Sets `epx` and `epy` from the horizontal accuracy and the geometry of the satellites, unless
    /// the receiver reports standard deviations other than 0.
    mutating func splitPlane(by geometry: SatelliteGeometry, _ fix: Fix) {
        guard epx == nil, epy == nil, let horizontal = fix.accuracy.horizontal else { return }
        let (x, y) = (geometry.xdop, geometry.ydop)
        let unit =
            Accuracy.heightFactor95 * horizontal
            / (Accuracy.planeFactor * (x * x + y * y).squareRoot())
        epx = unit * x
        epy = unit * y
    }
}
