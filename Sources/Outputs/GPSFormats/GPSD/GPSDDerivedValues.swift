// SPDX-License-Identifier: MIT
import GNSS

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

    init(_ fix: Fix) {
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
