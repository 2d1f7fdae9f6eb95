// SPDX-License-Identifier: MIT
import GPSBridge

/// A circle that locations are compared with.
struct Circle: Sendable {
    var center: CLLocationCoordinate2D
    var radius: Double

    /// Metres from the centre; `nil` if a coordinate is not valid.
    func distance(to coordinate: CLLocationCoordinate2D) -> Double? {
        let (here, there) = (center.coordinate, coordinate.coordinate)
        return here.isValid && there.isValid ? here.distance(from: there) : nil
    }

    /// Where a location is, given where the one before was.
    ///
    /// A change counts only beyond the location's accuracy (half the radius at most), so that noise at
    /// the edge is not one crossing after another.
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
