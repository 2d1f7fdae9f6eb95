// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSFormats

/// The value of `--split`: `gap=10min`, `day` or `distance=10km`.
enum SplitArgument {
    /// Returns the rule for splitting a track. Throws a `UsageError` if the text is not valid.
    static func rule(_ text: String) throws -> TrackSplit {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count > 1 ? String(parts[1]) : nil
        switch (parts[0], value) {
        case ("day", nil): return .day
        case ("gap", let value?): return .gap(try DurationArgument.seconds(value, "gap"))
        case ("distance", let value?):
            guard let metres = LengthArgument.metres(value), 1...1e8 ~= metres else {
                throw UsageError(
                    "not a length: '\(value)' (expected 1 m to 100000 km, such as 500m, 10km or "
                        + "5nmi)")
            }
            return .distance(metres)
        default:
            throw UsageError(
                "not a value for --split: '\(text)' (expected day, gap=TIME or distance=LENGTH, "
                    + "for example gap=10min or distance=10km)")
        }
    }
}
