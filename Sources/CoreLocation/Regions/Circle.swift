// SPDX-License-Identifier: MIT
import GPSBridge

/// A circle with which locations are compared.
struct Circle: Sendable {
    var center: CLLocationCoordinate2D
    var radius: Double

    /// Returns the distance from the centre in metres; `nil` if a coordinate is not valid.
    func distance(to coordinate: CLLocationCoordinate2D) -> Double? {
        let (here, there) = (center.coordinate, coordinate.coordinate)
        return here.isValid && there.isValid ? here.distance(from: there) : nil
    }

    /// Returns the state for a location, given the previous state.
    ///
    /// A change counts only beyond the location's accuracy (half the radius at most), so that noise
    /// at the edge is not one crossing after another.
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
