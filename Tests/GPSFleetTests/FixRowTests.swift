// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct FixColumnTests {
    @Test func `columns keep the positions that spools of earlier versions use`() {
        let names = [
            "mode", "quality", "lat", "lon", "alt", "geoid", "speed", "course", "climb", "heading",
            "hacc", "vacc", "hdop", "vdop", "pdop", "used", "inView", "correctionAge", "station",
            "timeOfDay", "odometer", "integrity",
        ]
        let others = [
            "vote", "voteRadius", "voteWitnesses", "voteDisagreeing", "anchor", "anchorDistance",
        ]
        let instruments = [
            "depth", "depthOffset", "wtemp", "wangler", "wspeedr", "trueWindAngle", "wanglet",
            "wanglem", "wspeedt", "waterSpeed", "log", "tripLog", "rudder", "engineSpeed",
            "portEngineSpeed",
        ]
        let receiver = [
            "antenna", "leapSeconds", "authentication", "galileoSatellites",
            "authenticatedSatellites", "failedSatellites", "receiverAuthentication",
        ]
        let corrections = ["correctionState", "rtk", "baseDistance", "relN", "relE", "relD"]
        let later = instruments + receiver + corrections + ["temperature"]
        #expect(FixColumn.all.map(\.name) == names + others + later)
        #expect(names.count == FixColumn.CommonTable<Int>.count)
        #expect(FixColumn.all[FixColumn.latitude].name == "lat")
        #expect(FixColumn.all[FixColumn.longitude].name == "lon")
        #expect(FixColumn.all[FixColumn.odometer].name == "odometer")
        #expect(FixColumn.all[FixColumn.integrity].name == "integrity")
        #expect(FixColumn.all[FixColumn.vote].name == "vote")
        #expect(FixColumn.all[FixColumn.voteWitnesses].name == "voteWitnesses")
        #expect(FixColumn.all[FixColumn.anchor].name == "anchor")
        #expect(FixColumn.all[FixColumn.anchorDistance].name == "anchorDistance")
        // A row has a bit for each column after the common ones.
        #expect(others.count + later.count <= 64)
    }

    @Test func `columns of instruments have the names of a TPV`() {
        for (index, column) in FixColumn.all.enumerated() {
            guard let quantity = Instruments.Quantity(rawValue: column.property.name) else {
                continue
            }
            var fix = Fix()
            fix.instruments[quantity] = 2.5
            var reports = GPSDReports(device: "d", isSimulated: false)
            reports.report(fix)
            let text = String(decoding: reports.bytes.withUnsafeBytes { Array($0) }, as: UTF8.self)
            #expect(text.contains("\"\(column.name)\":"), "\(column.name)")
            let row = FixRow(fix, received: 5)
            #expect(row.value(index) == 2.5 && row.fix.instruments[quantity] == 2.5)
        }
        #expect(
            FixColumn.all.count { Instruments.Quantity(rawValue: $0.property.name) != nil }
                == Instruments.Quantity.allCases.count)
    }

    @Test func `a row has what a receiver reports about itself and about corrections`() {
        var fix = Fix()
        fix.antenna = .short
        #expect(FixRow(fix, received: 5).fix.antenna == .short)
        fix = Fix()
        fix.leapSeconds = 18
        #expect(FixRow(fix, received: 5).fix.leapSeconds == 18)
        fix = Fix()
        fix.temperature = -7
        #expect(FixRow(fix, received: 5).fix.temperature == -7)
        fix = Fix()
        fix.corrections.state = .farBase
        fix.corrections.carrier = .float
        fix.corrections.baseDistance = 51_234.5
        fix.corrections.baselineDown = -1.234
        let row = FixRow(fix, received: 5)
        #expect(row.fix.corrections == fix.corrections)
        var copy = FixRow(sequence: 0, time: nil, received: 5)
        copy.setOthers(row.othersText ?? "")
        #expect(copy.fix.corrections == fix.corrections)
    }

    @Test func `a new table has each column with the type that an earlier table receives`() throws {
        let schema = FixTable.schema
        let head = try #require(schema.firstRange(of: "TABLE IF NOT EXISTS gpsbridge.fix ("))
        let table = schema[head.upperBound...]
        let end = try #require(table.firstRange(of: ") PARTITION BY"))
        let prefix = "ALTER TABLE gpsbridge.fix ADD COLUMN IF NOT EXISTS "
        let lines: [Substring] = schema.split(separator: "\n")
        let added = lines.filter { $0.hasPrefix(prefix) }
            .map { String($0.dropFirst(prefix.count).dropLast()) }
        #expect(added.count == FixColumn.all.count - FixColumn.odometer)
        for column in added {
            #expect(table[..<end.lowerBound].contains(" \(column),"), "\(column)")
        }
    }
}
