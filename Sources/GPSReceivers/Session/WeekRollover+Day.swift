// SPDX-License-Identifier: MIT
package import GNSS

extension WeekRollover {
    /// Creates the check for a live receiver's dates on a day; on the release's day if `day` is
    /// `nil`.
    package init?(on day: UTCTime?) {
        guard let built = CalendarDate(daysSince1970: Release.daysSince1970) else { return nil }
        self.init(built: built, today: day?.date ?? built)
    }
}
