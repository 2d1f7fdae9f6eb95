// SPDX-License-Identifier: MIT

/// Times that pass.
package enum Elapsed {
    /// `00:12:04`, from a day on `3 d 00:12:04`.
    package static func text(_ seconds: Double) -> String {
        let whole = Int(nearest: max(0, seconds).rounded(.down))
        let days = whole >= 86_400 ? "\(whole / 86_400) d " : ""
        return days + TimeOfDay(secondsOfDay: whole).clock
    }
}
