// SPDX-License-Identifier: MIT
package import GNSS

extension WeekRollover {
    /// What the dates of a live receiver are checked by on a day; by the release's where that is not known.
    package init?(on day: UTCTime?) {
        guard let built = CalendarDate(daysSince1970: Release.daysSince1970) else { return nil }
        self.init(built: built, today: day?.date ?? built)
    }
}
