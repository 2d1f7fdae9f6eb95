// SPDX-License-Identifier: MIT

/// Formats elapsed times.
package enum Elapsed {
    /// Formats a duration in seconds as `00:12:04`, or as `3 d 00:12:04` if it is a day or longer.
    package static func text(_ seconds: Double) -> String {
        let whole = Int(nearest: max(0, seconds).rounded(.down))
        let days = whole >= 86_400 ? "\(whole / 86_400) d " : ""
        return days + TimeOfDay(secondsOfDay: whole).clock
    }

    /// Formats a duration in seconds as `1:02:03`; the hours may be more than a day.
    package static func hours(_ seconds: Int) -> String {
        "\(seconds / 3600)\(TimeOfDay(secondsOfDay: seconds).clock.dropFirst(2))"
    }
}
