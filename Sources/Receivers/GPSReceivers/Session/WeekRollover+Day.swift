// SPDX-License-Identifier: MIT
package import GNSS

extension WeekRollover {
    /// Creates a check of the dates that a live receiver sends. `day` is the current date; if it is
    /// `nil`, the date of gpsbridge's release is used instead. Returns `nil` if the release has no
    /// valid date.
    package init?(on day: UTCTime?) {
        guard let built = CalendarDate(daysSince1970: Release.daysSince1970) else { return nil }
        self.init(built: built, today: day?.date ?? built)
    }
}
