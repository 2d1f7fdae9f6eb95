// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct ReleaseTests {
    @Test func `version and date are those of the latest entry of the change log`() throws {
        let text = try PackageFile.text("CHANGELOG.md")
        let headings = text.split(separator: "\n").filter { $0.hasPrefix("## ") }
        let newest = try #require(headings.first { $0 != "## Unreleased" })
        let day = try #require(CalendarDate(daysSince1970: Release.daysSince1970))
        let time = try #require(TimeOfDay(hour: 0, minute: 0, second: 0))
        let midnight = UTCTime(date: day, time: time)
        #expect(newest == "## \(Release.version) (\(midnight.description.prefix(10)))")
    }
}
