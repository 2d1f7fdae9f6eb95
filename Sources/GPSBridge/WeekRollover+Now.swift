// SPDX-License-Identifier: MIT
import FoundationEssentials
package import GNSS

extension WeekRollover {
    /// What a live receiver's dates are held against.
    package static var now: WeekRollover? {
        let seconds = Date().timeIntervalSince1970
        guard let built = CalendarDate(daysSince1970: Release.daysSince1970) else { return nil }
        let today = CalendarDate(daysSince1970: Int((seconds / 86_400).rounded(.down)))
        return WeekRollover(built: built, today: today ?? built)
    }
}
