// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS

extension Location: CustomStringConvertible {
    /// The location on one line, also in a printed array: the time, coordinate and accuracy, and the altitude, speed and
    /// course if they are known.
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
}

extension LocationUpdate: CustomStringConvertible {
    /// The location on one line, or the reason why there is none.
    public var description: String {
        if isAuthorizationDenied { return "this process is not permitted to open the receiver" }
        guard let location else { return "no location" }
        return isStationary ? "\(location), stationary" : location.description
    }
}

extension Double {
    /// Returns the number rounded to at most `decimals` decimals, without trailing zeros. With 1
    /// decimal, 3.04 is `3` and 170.6999 is `170.7`.
    func rounded(_ decimals: Int) -> String { String(self, atMostDecimals: decimals) }
}
