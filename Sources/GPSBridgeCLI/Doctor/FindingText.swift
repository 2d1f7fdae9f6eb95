// SPDX-License-Identifier: MIT
import GNSS

/// Formats numbers for the user.
enum FindingText {
    /// Returns seconds as text, such as `12 s`.
    static func seconds(_ seconds: Double) -> String {
        "\(number(seconds, seconds < 10 ? 1 : 0)) s"
    }

    /// Returns a number with at most `decimals` decimals. Numbers of 1e9 or more, infinity and NaN
    /// are formatted as by Swift.
    static func number(_ value: Double, _ decimals: Int) -> String {
        guard value.magnitude < 1e9 else { return "\(value)" }
        return String(value, atMostDecimals: decimals)
    }
}
