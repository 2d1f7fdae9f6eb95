// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The sentences that are written for a fix from another format.
@Suite(.timeLimit(.generous)) struct WrittenFixTests {
    private func track(_ count: Int, from start: Int64, step: Int64) -> [Fix] {
        (0..<count).map { index in
            var fix = Fix()
            fix.time = UTCTime(unixNanoseconds: start + Int64(index) * step)
            fix.timeOfDay = fix.time?.time
            fix.coordinate = Coordinate(latitude: 48 + Double(index) / 64, longitude: 11.5)
            fix.altitude = 500 + Double(index)
            fix.mode = .threeD
            fix.quality = .autonomous
            return fix
        }
    }

    private func write(_ fixes: [Fix]) -> String {
        var writer = SentenceWriter()
        for fix in fixes { writer.write(fix) }
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func read(_ text: String) -> [Fix] {
        var bench = Bench()
        bench.send(text)
        bench.finish()
        return bench.fixes
    }

    private static let start: Int64 = 1_774_094_397_000_000_000

    @Test func `a true heading is written before RMC, and read again with its fix`() {
        var fixes = track(2, from: Self.start, step: 1_000_000_000)
        fixes[0].attitude.heading = 231.25
        let text = write(fixes)
        #expect(text.contains("\r\n$GNHDT,231.25"))
        #expect(read(text).map(\.attitude.heading) == [231.25, nil])
    }

    @Test func `RMC is the last sentence, so that gpsd and gpsbabel find the time of a position`() {
        let lines = write(track(1, from: Self.start, step: 0)).split(separator: "\r\n")
        #expect(lines.map { $0.prefix(6).dropFirst(3) } == ["ZDA", "GGA", "GSA", "RMC"])
        // pynmea2 takes the navigational status V for an invalid position.
        #expect(lines.last?.contains(",A*") == true)
        // gpsd needs a number of satellites.
        #expect(lines.dropFirst().first?.contains(",E,1,00,") == true)
    }

    @Test(arguments: [100_000_000, 50_000_000, 1_000_000_000, 1_037_000_000, 600_000_000_000])
    func `a track is read back unchanged, also at 10 Hz and across midnight`(step: Int64) {
        let midnight = Self.start + 43_200_000_000_000 - 3 * step
        for start in [Self.start, midnight] {
            let fixes = track(40, from: start, step: step)
            let read = read(write(fixes))
            #expect(read.map(\.time) == fixes.map(\.time))
            #expect(read.map(\.coordinate) == fixes.map(\.coordinate))
            #expect(read.map(\.altitude) == fixes.map(\.altitude))
            #expect(read.allSatisfy { $0.satellitesUsed == nil && $0.mode == .threeD })
        }
    }

    // A model of the geoid has any number of decimals.
    @Test(arguments: [46.375, 46.374_999_123, 46.375_321_987, -0.123_456_7])
    func `both altitudes are read back to a millimetre`(_ separation: Double) throws {
        var fix = track(1, from: Self.start, step: 0)[0]
        (fix.altitude, fix.geoidSeparation) = (500 - separation, separation)
        let read = try #require(read(write([fix])).first)
        #expect(abs((read.altitude ?? 0) - (500 - separation)) <= 0.000_501)
        #expect(abs((read.geoidSeparation ?? 0) - separation) <= 0.000_501)
        #expect(abs((read.ellipsoidalAltitude ?? 0) - 500) <= 0.001_001)
    }

    @Test func `a track without altitudes, dates or times keeps its positions`() {
        var fixes = track(20, from: Self.start, step: 1_000_000_000)
        for index in fixes.indices {
            fixes[index].altitude = nil
            fixes[index].mode = .twoD
            fixes[index].time = nil
        }
        // gpsd ignores the time in RMC without a date.
        #expect(write(fixes).contains("$GNGLL,"))
        let undated = read(write(fixes))
        #expect(undated.map(\.coordinate) == fixes.map(\.coordinate))
        #expect(undated.map(\.timeOfDay) == fixes.map(\.timeOfDay))
        #expect(undated.allSatisfy { $0.mode == .twoD && $0.time == nil })
        for index in fixes.indices { fixes[index].timeOfDay = nil }
        #expect(read(write(fixes)).map(\.coordinate) == fixes.map(\.coordinate))
    }

    @Test func `a fix without a time does not get the time of the next one`() {
        var fixes = track(6, from: 3_639_000_000_000_000_000, step: 1_000_000_000)
        for index in [0, 2, 3] { (fixes[index].time, fixes[index].timeOfDay) = (nil, nil) }
        let read = read(write(fixes))
        #expect(read.map(\.coordinate) == fixes.map(\.coordinate))
        #expect(read.map(\.timeOfDay) == fixes.map(\.timeOfDay))
    }

    @Test func `00 satellites beside a satellite fix is an unknown number`() {
        let fixes = ["1", "6"].map { quality in
            decode(
                line("GPGGA,120000.00,5400.0,N,00800.0,E,\(quality),00,,5.0,M,,M,,")
                    + line("GPRMC,120000.00,A,5400.0,N,00800.0,E,,,010624,,")
            ).fix
        }
        #expect(fixes.map(\.satellitesUsed) == [nil, 0])
    }
}

/// Every sentence type survives writing and reading.
@Suite(.timeLimit(.generous)) struct RoundTripTests {
    @Test(arguments: knownSentences.indices)
    func `a sentence survives reading and writing`(index: Int) throws {
        let known = knownSentences[index]
        guard let type = known as? any (Sentence & Equatable).Type else {
            Issue.record("\(known) cannot be compared")
            return
        }
        let specimen = try SentenceFiles.specimen(of: type)
        let isSpecimenRead = try check(type, specimen)
        #expect(isSpecimenRead)

        let seed = UInt64.random(in: 0 ... .max)
        var random = SeededGenerator(seed: seed)
        var read = 0
        for _ in 0..<200 {
            let text = vary(specimen, &random)
            if try check(type, text, "seed \(seed)") { read += 1 }
        }
        #expect(read > 25, "\(type): only \(read) variations could be read")
    }

    /// Checks the round trip; returns whether the text could be read.
    private func check<S: Sentence & Equatable>(
        _ type: S.Type, _ text: String, _ note: String = ""
    ) throws -> Bool {
        guard let sentence = try? S(text) else { return false }
        var writer = SentenceWriter()
        // Some fields depend on the talker, which must therefore be the same.
        writer.write(sentence, talker: Talker(rawValue: String(text.dropFirst().prefix(2))))
        let written = String(decoding: writer.bytes, as: UTF8.self)
        let again = try S(written)
        #expect(again == sentence, "\(text) became \(written) \(note)")
        return true
    }

    /// Returns the sentence with other digits, and sometimes a more precise or an empty field.
    private func vary(_ specimen: String, _ random: inout SeededGenerator) -> String {
        let body = specimen.dropFirst().prefix { $0 != "*" }
        var fields = body.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let isProprietary = body.hasPrefix("P")
        for index in fields.indices.dropFirst(isProprietary ? 2 : 1) {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: fields[index] = ""
            case 1: fields[index] = precise(fields[index], &random)
            case 2...4: fields[index] = otherDigits(fields[index], &random)
            default: break
            }
        }
        return line(fields.joined(separator: ","))
    }

    private func otherDigits(_ field: String, _ random: inout SeededGenerator) -> String {
        String(field.map { $0.isNumber ? digit(&random) : $0 })
    }

    private func precise(_ field: String, _ random: inout SeededGenerator) -> String {
        guard field.contains(".") else { return otherDigits(field, &random) }
        let whole = field.prefix { $0 != "." }
        let decimals = Int.random(in: 0...9, using: &random)
        return whole + "." + String((0..<decimals).map { _ in digit(&random) })
    }

    private func digit(_ random: inout SeededGenerator) -> Character {
        Character("\(Int.random(in: 0...9, using: &random))")
    }
}
