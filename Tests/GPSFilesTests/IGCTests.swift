// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

/// IGC as other recorders write it, and as `convert` does.
@Suite(.timeLimit(.generous))
struct IGCTests {
    private static let vario = """
        AXCT7d82c1b5e8a9f6b1\r
        HFDTEDATE: 210326,01\r
        HFPLTPILOTINCHARGE:A. Pilot\r
        I023638FXA3940SIU\r
        B1200004812449N01621803WA001600017100508\r
        B1200014812450N01621804WV001600000000500\r
        B1200024812451S01621805EA00160-002100508\r
        GABCDEF\r

        """

    @Test func `a recorder's fixes have the date of the header and altitudes above the ellipsoid`()
        throws
    {
        let reading = Reading(Self.vario)
        #expect(reading.error == nil)
        #expect(
            reading.fixes.map { $0.time?.description } == [
                "2026-03-21T12:00:00.000Z", "2026-03-21T12:00:02.000Z",
            ])
        #expect(reading.fixes.map(\.ellipsoidalAltitude) == [171, -21])
        #expect(reading.fixes.allSatisfy { $0.altitude == nil && $0.mode == .threeD })
        // A record that is not valid may repeat an old position.
        #expect(reading.entries.map(\.segment) == [1, 2])
        let last = try #require(reading.fixes.last?.coordinate)
        #expect(abs(last.latitude + 48.207_516_667) < 1e-9)
        #expect(abs(last.longitude - 16.363_416_667) < 1e-9)
    }

    // Some recorders write one or two such records in a flight.
    @Test func `malformed records are left out and reported`() throws {
        func warning(_ records: String...) throws -> String? {
            let text = Self.vario.replacing("B120001", with: records.joined() + "B120001")
            #expect(Reading(text).error == nil)
            #expect(Reading(text).fixes == Reading(Self.vario).fixes)
            var reader = IGCInput(file: "file")
            try reader.push(Array(text.utf8)[...]) { _ in }
            try reader.finish { _ in }
            return reader.leftOut.warning
        }
        let (short, impossible) = ("B12000148124\r\n", "B1200019100000N01600000EA0000000171\r\n")
        #expect(try warning() == nil)
        #expect(
            try warning(short)
                == #"has 1 B record in an unknown form (line 6: "B12000148124"), which is left out"#
        )
        #expect(
            try warning(short, impossible) == "has 2 B records in an unknown form "
                + #"(the first in line 6: "B12000148124"), which are left out"#)
    }

    @Test func `without a date only the time of day is known`() {
        let text = Self.vario.replacing("HFDTEDATE: 210326", with: "HFDTE000000")
        let fixes = Reading(text).fixes
        #expect(fixes.count == 2)
        #expect(fixes.allSatisfy { $0.time == nil && $0.timeOfDay?.hour == 12 })
    }

    @Test func `a record that is not valid does not change the date of the next fix`() {
        let reading = Reading(
            "AXXX001\nHFDTE210326\nB2350000000000N00000000EV0000000000\n"
                + "B0800004812000N01622000EA0017100171\n")
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.description } == ["2026-03-21T08:00:00.000Z"])
    }

    @Test func `a midnight between records that are not valid changes the date of the next fix`() {
        let reading = Reading(
            "AXXX001\nHFDTE210326\nB2000004812000N01622000EA0017100171\n"
                + ["230000", "235900", "000030", "085900"].map {
                    "B\($0)0000000N00000000EV0000000000\n"
                }.joined() + "B0900004812000N01622000EA0017100171\n")
        let dates = reading.fixes.map { $0.time?.description }
        #expect(dates == ["2026-03-21T20:00:00.000Z", "2026-03-22T09:00:00.000Z"])
    }

    @Test func `a date may have all four digits of the year`() {
        let text = Self.vario.replacing("HFDTEDATE: 210326", with: "HFDTE21032026")
        #expect(Reading(text).fixes.first?.time?.description == "2026-03-21T12:00:00.000Z")
        for date in ["HFDTE2103261", "HFDTE21032601"] {
            let other = Self.vario.replacing("HFDTEDATE: 210326", with: date)
            #expect(Reading(other).fixes.first?.time?.description == "2026-03-21T12:00:00.000Z")
        }
    }

    /// 2026-03-21T12:00:00Z.
    private static let noon: Int64 = 1_774_094_400

    /// Returns fixes at the given Unix times, with altitudes above mean sea level.
    private func reading(_ seconds: [Int64]) -> Reading {
        var reading = Reading([])
        for second in seconds {
            var fix = Fix()
            fix.time = UTCTime(unixNanoseconds: second * 1_000_000_000)
            fix.coordinate = Coordinate(latitude: -33.999_999_999_9, longitude: 180)
            fix.altitude = -12.4
            fix.complete(mode: nil, quality: nil)
            reading.entries.append(Reading.Entry(fix: fix, segment: 1))
        }
        return reading
    }

    @Test func `dates survive midnights, gaps of days and steps back`() {
        let midnight = Self.noon + 43_200
        let seconds: [Int64] = [
            -2, -1, 0, 1, 40_000, 86_400 * 3, 86_400 * 3 - 60, 5, 40_000, 86_400 + 39_000,
        ]
        let original = reading(seconds.map { midnight + $0 })
        let written = original.written(as: IGCFormat.self)
        let read = Reading(written)
        #expect(read.fixes.map(\.time) == original.fixes.map(\.time))
        #expect(read.fixes.allSatisfy { $0.altitude == -12 && $0.ellipsoidalAltitude == nil })
        // The next day follows without a header, as other programs expect.
        let text = String(decoding: written, as: UTF8.self)
        #expect(text.contains("HFDTE210326\r\n"))
        #expect(text.contains("HFDTE250326\r\n"))
        #expect(!text.contains("HFDTE220326\r\nB000000"))
        #expect(text.contains("B2359583400000S18000000EA00000-0012"))
    }

    @Test func `a missing pressure is declared, and there is no signature`() {
        let text = String(decoding: reading([Self.noon]).written(as: IGCFormat.self), as: UTF8.self)
        #expect(text.contains("\r\nHFALPALTPRESSURE:NIL\r\n"))
        #expect(text.contains("\r\nLXXXorigin: replay\r\n"))
        #expect(!text.contains("\nG"))
        #expect(text.split(separator: "\r\n").allSatisfy { $0.count <= 76 })
    }

    @Test func `altitudes above the ellipsoid are declared as such`() {
        var reading = reading([Self.noon, Self.noon + 1])
        for index in reading.entries.indices {
            reading.entries[index].fix.altitude = nil
            reading.entries[index].fix.ellipsoidalAltitude = 99_999.4
        }
        let read = Reading(reading.written(as: IGCFormat.self))
        #expect(read.fixes.map(\.ellipsoidalAltitude) == [99_999, 99_999])
        #expect(read.fixes.allSatisfy { $0.altitude == nil })
    }

    @Test func `a file may declare that it has no GNSS altitude, and records may be short`() {
        let reading = Reading(
            "AXXX\nHFDTE210326\nHFALGALTGPS:NIL\nI013638FXA\nB1200004812449N01621803EA0010000000\n"
        )
        #expect(reading.error == nil)
        #expect(reading.fixes.map(\.ellipsoidalAltitude) == [nil])
        #expect(reading.fixes.map(\.mode) == [.twoD])
    }

    @Test func `an altitude that does not fit is unknown`() {
        var reading = reading([Self.noon])
        reading.entries[0].fix.altitude = 123_456
        let fix = Reading(reading.written(as: IGCFormat.self)).fixes.first
        #expect(fix?.altitude == nil)
        #expect(fix?.mode == .twoD)
    }

    /// A TCX file of two sources, each with all the fixes.
    private func twoActivities(of reading: Reading) -> String {
        var conversion = Conversion(to: TCXFormat.self)
        var bytes: [UInt8] = []
        for name in ["a", "b"] {
            conversion.begin(OutputSource(name: name, origin: .replay))
            for fix in reading.fixes { conversion.add(fix) }
            conversion.end()
        }
        conversion.drain { bytes += Array($0) }
        return String(decoding: bytes + conversion.closing, as: UTF8.self)
    }

    @Test func `TCX has an activity for each source with a unique identifier, and laps`() {
        let text = twoActivities(of: reading((0..<4000).map { Self.noon + $0 }))
        #expect(text.contains("<Id>2026-03-21T12:00:00.000Z</Id>"))
        #expect(text.contains("<Id>2026-03-21T12:00:00.001Z</Id>"))
        #expect(text.split(separator: "<Lap StartTime=\"").count == 5)
        #expect(text.contains("<TotalTimeSeconds>3599.000</TotalTimeSeconds>"))
        #expect(text.contains("<LongitudeDegrees>-180.000000000</LongitudeDegrees>"))
        #expect(Reading(text).fixes.count == 8000)
    }

    @Test func `an activity in TCX has the start of its first lap, in any order of the activities`()
    {
        var conversion = Conversion(to: TCXFormat.self)
        let millisecond = Self.noon * 1000
        for (index, start) in [100_000, 0, 0, 1, 0, 100_000, -5000].enumerated() {
            conversion.begin(OutputSource(name: "\(index)", origin: .replay))
            var fix = reading([Self.noon]).fixes[0]
            fix.time = UTCTime(unixNanoseconds: (millisecond + Int64(start)) * 1_000_000)
            conversion.add(fix)
            conversion.end()
        }
        var bytes: [UInt8] = []
        conversion.drain { bytes += Array($0) }
        let text = String(decoding: bytes + conversion.closing, as: UTF8.self)
        let ids = text.split(separator: "<Id>2026-03-21T").dropFirst().map { $0.prefix(12) }
        // Only activities with the same start get a later millisecond.
        #expect(
            ids == [
                "12:01:40.000", "12:00:00.000", "12:00:00.001", "12:00:00.002", "12:00:00.003",
                "12:01:40.001", "11:59:55.000",
            ])
    }

    @Test func `laps in TCX are named in a message if an activity of another program has several`()
    {
        let point =
            "<Track><Trackpoint><Position><LatitudeDegrees>48</LatitudeDegrees>"
            + "<LongitudeDegrees>16</LongitudeDegrees></Position></Trackpoint></Track>"
        func warning(_ activities: String...) -> String? {
            let list = activities.map { "<Activity>\($0)</Activity>" }
            return Reading(
                "<TrainingCenterDatabase>\(list.joined())</TrainingCenterDatabase>"
            ).warning
        }
        let lap = "<Lap>\(point)</Lap>"
        #expect(warning(lap, lap) == nil)
        #expect(warning(lap + lap) == "has values that are not read: laps")
        #expect(
            Reading(twoActivities(of: reading((0..<4000).map { Self.noon + $0 }))).warning == nil)
    }

    @Test func `the tracks of a lap in TCX are segments, and laps are not`() {
        func track(_ longitudes: Int...) -> String {
            let points = longitudes.map {
                "<Trackpoint><Position><LatitudeDegrees>48</LatitudeDegrees><LongitudeDegrees>\($0)"
                    + "</LongitudeDegrees></Position></Trackpoint>"
            }
            return "<Track>\(points.joined())</Track>"
        }
        let laps = [track(1, 2), track(3) + track(4), track(5)].map { "<Lap>\($0)</Lap>" }
        let reading = Reading(
            "<TrainingCenterDatabase><Activities><Activity>\(laps.joined())</Activity></Activities>"
                + "</TrainingCenterDatabase>")
        #expect(reading.entries.map(\.segment) == [1, 1, 1, 2, 2])
    }

    @Test func `TCX has the identifiers and laps of any year`() throws {
        let start = try #require(UTCTime(written: "9999-12-31T23:00:00Z"))
        var reading = reading([Self.noon, Self.noon + 5])
        reading.entries[0].fix.set(time: start)
        reading.entries[1].fix.set(time: start.onward(to: TimeOfDay(secondsOfDay: 82_805)))
        let text = twoActivities(of: reading)
        #expect(text.contains("<Id>9999-12-31T23:00:00.000Z</Id>"))
        #expect(text.contains("<Id>9999-12-31T23:00:00.001Z</Id>"))
        #expect(text.contains("<TotalTimeSeconds>5.000</TotalTimeSeconds>"))
    }

    private static let fix = "B1201004700000N00830000EA0120001250\n"

    @Test(arguments: [
        "HFDTE DATE: 28 07 09, 01", "HFDTEDATE:28/07/09", "HFDTE280709", "HFDTEDATE:28.7.2009",
    ])
    func `a date may have separators`(_ header: String) {
        let reading = Reading("AXXXABC\n\(header)\n\(Self.fix)")
        #expect(reading.fixes.map { $0.time?.description } == ["2009-07-28T12:01:00.000Z"])
    }

    @Test(arguments: ["AXXXABC\n", ""])
    func `a file without a date record is read`(_ start: String) {
        let reading = Reading(start + Self.fix + Self.fix)
        #expect(reading.fixes.map(\.time) == [nil, nil])
        #expect(reading.fixes.first?.timeOfDay?.hour == 12)
    }

    @Test func `a date that is written before midnight is that of the day after it`() {
        func record(_ time: String) -> String { "B\(time)3821178S14417886EA0000000117\n" }
        func read(_ first: String, _ second: String, _ third: String) -> [Int?] {
            Reading(
                "AXXXABC\nHFDTE040219\n\(record(first))HFDTE050219\n\(record(second))"
                    + record(third)
            ).fixes.map { $0.time?.date.day }
        }
        #expect(read("235950", "235955", "000000") == [4, 4, 5])
        #expect(read("235950", "000000", "000005") == [4, 5, 5])
        #expect(read("150000", "160000", "160005") == [4, 5, 5])
        #expect(read("150000", "090000", "090005") == [4, 5, 5])
    }

    @Test func `a GNSS altitude of 0 throughout is unknown`() {
        func read(_ altitudes: Int...) -> [Double?] {
            let records = altitudes.map {
                "B1201004700000N00830000EA01200\(String(100_000 + $0).dropFirst())\n"
            }
            return Reading("AXXXABC\nHFDTE250625\n\(records.joined())")
                .fixes.map(\.ellipsoidalAltitude)
        }
        #expect(read(0, 0) == [nil, nil])
        #expect(read(5, 0) == [5, 0])
    }
}
