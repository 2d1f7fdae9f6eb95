// SPDX-License-Identifier: MIT
package import FoundationEssentials
package import GNSS

extension WeekRollover {
    /// What the dates of a live receiver are checked by now.
    package static var now: WeekRollover? { WeekRollover(on: Date()) }

    /// What the dates of a live receiver are checked by on a day.
    package init?(on day: Date) {
        guard let built = CalendarDate(daysSince1970: Release.daysSince1970) else { return nil }
        let days = Int((day.timeIntervalSince1970 / 86_400).rounded(.down))
        self.init(built: built, today: CalendarDate(daysSince1970: days) ?? built)
    }
}
