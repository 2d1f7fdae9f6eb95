// SPDX-License-Identifier: MIT
import GNSS

/// Formats numbers for the user.
enum Words {
    /// Returns `1 sentence`, `3 sentences`.
    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// Returns `12 s`.
    static func seconds(_ seconds: Double) -> String {
        "\(number(seconds, seconds < 10 ? 1 : 0)) s"
    }

    /// Returns a number with at most that many decimals; as Swift prints it if it isn't finite.
    static func number(_ value: Double, _ decimals: Int) -> String {
        guard value.magnitude < 1e9 else { return "\(value)" }
        return String(value, atMostDecimals: decimals)
    }
}
