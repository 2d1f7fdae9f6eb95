// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS

extension Location: CustomStringConvertible, CustomDebugStringConvertible {
    /// One line with the time, coordinate and accuracy, and the altitude, speed and course if
    /// known.
    ///
    ///     2026-11-20T13:46:16Z 48.2074883, 16.3633768 ±3 m, altitude 170.7 m ±4.5 m, 10 m/s, 90° (simulated)
    public var description: String {
        var parts = [
            "\(coordinate.latitude.rounded(7)), \(coordinate.longitude.rounded(7)) "
                + "±\(horizontalAccuracy.rounded(1)) m"
        ]
        if verticalAccuracy > 0 {
            parts.append("altitude \(altitude.rounded(1)) m ±\(verticalAccuracy.rounded(1)) m")
        }
        if speed >= 0 { parts.append("\(speed.rounded(1)) m/s") }
        if course >= 0 { parts.append("\(course.rounded(1))°") }
        let origin = sourceInformation.origin
        return "\(timestamp.formatted(.iso8601)) \(parts.joined(separator: ", "))"
            + (origin == .live ? "" : " (\(origin))")
    }

    /// Every property, including the fix and the satellites.
    public var debugDescription: String {
        let properties = Mirror(reflecting: self).children.map { property in
            "\(property.label ?? ""): \(String(reflecting: property.value))"
        }
        return "Location(\(properties.joined(separator: ", ")))"
    }
}

extension LocationUpdate: CustomStringConvertible {
    /// One line with the location, or the reason why there is none.
    public var description: String {
        if isAuthorizationDenied { return "the receiver may not be opened" }
        guard let location else { return "no location" }
        return isStationary ? "\(location), stationary" : location.description
    }
}

extension Double {
    /// Returns the number without meaningless digits: `3` for 3.04, `170.7` for 170.6999.
    func rounded(_ decimals: Int) -> String {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        let number = (self * scale).rounded() / scale
        guard number == number.rounded(), abs(number) < 1e15 else { return "\(number)" }
        return "\(Int(number))"
    }
}
