// SPDX-License-Identifier: MIT
package import GNSS

/// The argument of `--anchor`.
enum AnchorArgument {
    /// Parses `30m`, `100ft` or `30m@LAT,LON`. Without coordinates, the anchor is where the
    /// receiver comes to rest.
    ///
    /// - Throws: `UsageError` for other text, or if the radius is not between 1 m and 10 km.
    static func circle(_ text: String) throws -> AnchorCircle {
        let parts = text.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        guard let radius = LengthArgument.metres(parts[0]), 1...10_000 ~= radius else {
            throw UsageError(
                "not a circle: '\(text)' (expected a radius of 1 m to 10 km, such as 30m or 100ft, "
                    + "and optionally @ and the anchor's position, as in 30m@48.2,16.37)"
            )
        }
        return AnchorCircle(
            radius: radius,
            anchor: parts.count > 1 ? try CoordinateArgument.coordinate(String(parts[1])) : nil)
    }
}

extension CommandOption {
    /// Returns the option `--anchor`. `set` stores the circle in the command.
    package static func anchor(
        _ set: @escaping @Sendable (inout C, AnchorCircle) -> Void
    ) -> CommandOption {
        CommandOption(
            "anchor", value: "RADIUS",
            help:
                "Raise an alarm when the receiver leaves a circle: 30m around the place where it comes to "
                + "rest, or 30m@LAT,LON"
        ) { set(&$0, try AnchorArgument.circle($1)) }.once()
    }
}
