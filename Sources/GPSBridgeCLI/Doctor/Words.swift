// SPDX-License-Identifier: MIT
import GNSS

/// Numbers as people read them.
enum Words {
    /// `1 sentence`, `3 sentences`.
    static func count(_ count: Int, _ noun: String) -> String {
        "\(count) \(noun)\(count == 1 ? "" : "s")"
    }

    /// `12 s`.
    static func seconds(_ seconds: Double) -> String {
        "\(number(seconds, seconds < 10 ? 1 : 0)) s"
    }

    /// A number with at most that many decimals; anything else than a finite number as Swift prints it.
    static func number(_ value: Double, _ decimals: Int) -> String {
        guard value.magnitude < 1e9 else { return "\(value)" }
        return String(value, atMostDecimals: decimals)
    }
}
