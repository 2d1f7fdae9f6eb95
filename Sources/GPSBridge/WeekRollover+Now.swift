// SPDX-License-Identifier: MIT
import FoundationEssentials
package import GNSS

extension WeekRollover {
    /// The day of this release, 20 November 2026, in days since 1 January 1970: raised with each.
    private static let release = 20_777

    /// What a live receiver's dates are held against.
    package static var now: WeekRollover? {
        let seconds = Date().timeIntervalSince1970
        guard let built = CalendarDate(daysSince1970: release) else { return nil }
        let today = CalendarDate(daysSince1970: Int((seconds / 86_400).rounded(.down)))
        return WeekRollover(built: built, today: today ?? built)
    }
}
