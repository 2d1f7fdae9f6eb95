// SPDX-License-Identifier: MIT
import GNSS

extension SignalKReports {
    /// Returns all paths for a fix, except the paths of its attitude, with their values; `nil` for
    /// an unknown value.
    static func values(of fix: Fix, isSimulated: Bool) -> [Value] {
        let solution = fix.solution
        let values: [Value] = [
            ("navigation.position", position(of: solution)),
            ("navigation.speedOverGround", number(solution.speed, decimals: 3)),
            ("navigation.courseOverGroundTrue", radians(solution.course)),
            ("navigation.courseOverGroundMagnetic", radians(solution.magneticCourse)),
            ("navigation.magneticVariation", radians(fix.magneticVariation)),
            ("navigation.datetime", fix.time.map { String(json: $0.description) }),
        ]
        // A compass has no values for satellites.
        return fix.isAttitudeOnly
            ? values : values + satelliteValues(of: fix, isSimulated: isSimulated)
    }

    /// Returns the paths for an attitude with their values; `nil` for an unknown value.
    static func values(of attitude: Attitude) -> [Value] {
        [
            ("navigation.headingTrue", radians(attitude.heading)),
            ("navigation.headingMagnetic", radians(attitude.magneticHeading)),
            ("navigation.rateOfTurn", radians(attitude.rateOfTurn)),
        ]
    }

    private static func satelliteValues(of fix: Fix, isSimulated: Bool) -> [Value] {
        let solution = fix.solution
        let quality =
            fix.mode > .noFix ? name(of: isSimulated ? .simulated : fix.quality) : "no GPS"
        return [
            ("navigation.gnss.methodQuality", String(json: quality)),
            ("navigation.gnss.integrity", String(json: name(of: fix.integrity))),
            ("navigation.gnss.satellites", fix.satellitesUsed.map { "\($0)" }),
            ("navigation.gnss.horizontalDilution", number(fix.dilution.hdop, decimals: 2)),
            ("navigation.gnss.positionDilution", number(fix.dilution.pdop, decimals: 2)),
            ("navigation.gnss.antennaAltitude", number(solution.altitude, decimals: 3)),
            ("navigation.gnss.geoidalSeparation", number(solution.geoidSeparation, decimals: 3)),
            ("navigation.gnss.differentialAge", number(fix.correctionAge, decimals: 1)),
            ("navigation.gnss.differentialReference", fix.correctionStation.map { "\($0)" }),
        ]
    }

    private static func position(of fix: Fix) -> String? {
        guard let coordinate = fix.coordinate,
            let latitude = angle(coordinate.latitude), let longitude = angle(coordinate.longitude)
        else { return nil }
        var object = JSONObject()
        object.add("latitude", json: latitude)
        object.add("longitude", json: longitude)
        object.add("altitude", json: number(fix.altitude, decimals: 3))
        return object.description
    }

    /// Returns an angle in degrees as JSON text with a decimal point. OpenCPN does not read a position
    /// with a latitude or longitude that is an integer.
    private static func angle(_ degrees: Double) -> String? {
        number(degrees, decimals: 9).map { $0.contains(".") ? $0 : "\($0).0" }
    }

    /// Returns the name of a quality in Signal K's specification.
    private static func name(of quality: FixQuality) -> String {
        switch quality {
        case .invalid, .autonomous: "GNSS Fix"
        case .differential: "DGNSS fix"
        case .precise: "Precise GNSS"
        case .rtkFixed: "RTK fixed integer"
        case .rtkFloat: "RTK float"
        case .estimated: "Estimated (DR) mode"
        case .manual: "Manual input"
        case .simulated: "Simulator mode"
        }
    }

    /// Returns the name of an integrity state in Signal K's specification.
    private static func name(of integrity: Integrity?) -> String {
        switch integrity?.state {
        case .ok: "Safe"
        case .warning: "Caution"
        case .alarm: "Unsafe"
        case .unknown, nil: "no Integrity checking"
        }
    }
}

extension Fix {
    /// The fix, or one without any values if this one is not valid.
    fileprivate var solution: Fix { mode > .noFix ? self : Fix() }
}
