// SPDX-License-Identifier: MIT
import GPSBridge

/// A circle that a location may be inside or outside of.
struct Circle: Hashable, Sendable {
    var center: CLLocationCoordinate2D
    var radius: Double

    static func == (a: Self, b: Self) -> Bool {
        // The numbers are compared, because `CLLocationCoordinate2D` is not `Equatable`.
        (a.center.latitude, a.center.longitude, a.radius)
            == (b.center.latitude, b.center.longitude, b.radius)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(center.latitude)
        hasher.combine(center.longitude)
        hasher.combine(radius)
    }

    /// Returns the distance in metres from the centre to a coordinate; `nil` if either is not
    /// valid.
    func distance(to coordinate: CLLocationCoordinate2D) -> Double? {
        let (here, there) = (center.coordinate, coordinate.coordinate)
        return here.isValid && there.isValid ? here.distance(from: there) : nil
    }

    /// Returns whether a location is inside the circle, given the state at the previous location.
    ///
    /// A known state changes only if the distance to the edge exceeds the location's accuracy or
    /// half the radius, whichever is less. Otherwise, noise near the edge would cause repeated
    /// changes.
    func state(of location: Location, after last: CLRegionState) -> CLRegionState {
        guard let distance = distance(to: CLLocationCoordinate2D(location.coordinate)) else {
            return last
        }
        let margin = min(location.horizontalAccuracy, radius / 2)
        switch last {
        case .unknown: return distance <= radius ? .inside : .outside
        case .inside: return distance > radius + margin ? .outside : .inside
        case .outside: return distance < radius - margin ? .inside : .outside
        }
    }
}
