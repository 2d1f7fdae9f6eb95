// SPDX-License-Identifier: MIT

/// Parses a position on the command line: `48.2,16.37`, or the forms `48.2, 16.37` and `48.2 16.37`
/// as copied from maps.
package enum CoordinateArgument {
    /// Returns the parsed position. Throws a `UsageError` if the text has another form or a value
    /// is out of range.
    package static func coordinate(_ text: String) throws -> Coordinate {
        let parts =
            text.contains(",")
            ? text.split(separator: ",", omittingEmptySubsequences: false)
                .map { $0.filter { $0 != " " } }
            : text.split(separator: " ").map(String.init)
        guard parts.count == 2 else {
            throw UsageError(
                "not a position: '\(text)' (expected LAT,LON in degrees, such as 48.2,16.37)")
        }
        return Coordinate(
            latitude: try Number.of(parts[0], "latitude", in: -90...90),
            longitude: try Number.of(parts[1], "longitude", in: -180...180))
    }
}
