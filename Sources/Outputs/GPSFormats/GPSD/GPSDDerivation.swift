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
    private var geometry: SatelliteGeometry?
    private var previous: Previous?
    /// The fix of the epoch before `previous`. It is stored because an epoch may be reported twice.
    private var earlier: Previous?

    /// Calculates, stores and returns the DOPs for the satellites used. Returns `nil` if they
    /// cannot be calculated.
    mutating func update(_ view: SatelliteView) -> SatelliteGeometry? {
        geometry = SatelliteGeometry(view)
        return geometry
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
