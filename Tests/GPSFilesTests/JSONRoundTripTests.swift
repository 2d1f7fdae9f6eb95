// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSReceivers
import GPSTestSupport
import NMEA
import Testing

/// The conversion of our JSON is the same as that of the original sentences.
@Suite(.timeLimit(.generous))
struct JSONRoundTripTests {
    /// Converts sentences, or JSON.
    private static func converted(
        _ bytes: [UInt8], to format: any OutputFormat.Type,
        _ selection: FixSelection = FixSelection()
    ) -> [UInt8] {
        var conversion = Conversion(to: format, selecting: selection)
        conversion.begin(OutputSource(name: "track", origin: .replay))
        var detector = InputDetector(file: "track")
        if case .reader(var reader) = detector.push(bytes[...], isLast: true) {
            func receive(_ event: InputEvent) {
                switch event {
                case .fix(let fix, let view): conversion.add(fix, view)
                case .satellites(let view): conversion.add(view)
                case .segment, .track: conversion.endSegment()
                case .waypoint, .route: break
                }
            }
            do throws(InputError) {
                try reader.push(bytes[...], receive)
                try reader.finish(receive)
            } catch {
                Issue.record("\(error)")
            }
        } else {
            conversion.push(bytes.span)
        }
        conversion.end()
        var result: [UInt8] = []
        conversion.drain { result += Array($0) }
        return conversion.completed(result)
    }

    @Test func `what binary receivers report about signals and solutions survives`() throws {
        let object = """
            {"class":"TPV","device":"track","mode":3,"time":"2026-03-21T12:00:00.000Z",\
            "lat":48.208200000,"lon":16.373800000,"ecefx":4158801.1700,"ecefy":681905.3400,\
            "ecefvz":-0.82,"ecefpAcc":13.3400,"clockbias":-108868,"clockdrift":-333,\
            "datum":"WGS84","uSat":1}
            {"class":"SKY","device":"track","time":"2026-03-21T12:00:00.000Z","nSat":2,"uSat":1,\
            "satellites":[\
            {"PRN":5,"gnssid":0,"svid":5,"sigid":7,"az":120.0,"el":60.0,"prRes":-2.3,"qual":7,\
            "ss":40.0,"used":true,"health":2},\
            {"PRN":67,"gnssid":6,"svid":3,"freqid":12,"prRes":0.0,"qual":1,"ss":8.0,"used":false,\
            "health":1}]}

            """
        let once = Self.converted(Array(object.utf8), to: GPSDFormat.self)
        let text = String(decoding: once, as: UTF8.self)
        for line in object.split(separator: "\n") {
            for member in line.dropFirst().dropLast().split(separator: ",") {
                #expect(text.contains(member), "\(member)")
            }
        }
        #expect(Self.converted(once, to: GPSDFormat.self) == once)
    }

    private static func lines(_ bytes: [UInt8]) -> [Substring] {
        // TCX's distances are computed from speeds and courses that have more digits in sentences.
        String(decoding: bytes, as: UTF8.self)
            .replacing(#/<DistanceMeters>[0-9.]+/#, with: "<DistanceMeters>")
            .split(separator: "\n")
    }

    /// The lines of `monitor`.
    private static func text(_ bytes: [UInt8]) -> [Substring] {
        var reports = FixLines()
        return Reading(bytes).fixes.map { fix in
            var fix = fix
            // JSON has three decimals, and the line shows one of them.
            fix.speed = fix.speed.map { ($0 * 1000).rounded() / 1000 }
            return reports.line(for: fix, inView: 0, origin: .replay)[...]
        }
    }

    /// Whether a line keeps its place: as with gpsd, satellites without a time belong to the next fix.
    private static func isPlaced(_ line: Substring) -> Bool {
        !line.hasPrefix(#"{"class":"SKY""#) || line.contains(#""time":"#)
    }

    private static func time(_ line: Substring, of name: String) -> Substring? {
        guard line.hasPrefix("{\"class\":\"\(name)\"") else { return nil }
        return line.firstMatch(of: /"time":"([^"]+)"/)?.1
    }

    /// The times of epochs whose satellites precede their fix. `convert` does not learn where a cycle
    /// ends, so a list that the receiver repeats after a lost sentence completes the view first.
    private static func timesOfEarlyViews(_ lines: [Substring]) -> Set<Substring> {
        var (known, early): (Set<Substring>, Set<Substring>) = ([], [])
        for line in lines {
            if let time = time(line, of: "TPV") { known.insert(time) }
            if let time = time(line, of: "SKY"), !known.contains(time) { early.insert(time) }
        }
        return early
    }

    /// Puts the satellites of these epochs after their fix, as the reader of JSON does, and removes
    /// the errors that are estimated from the satellites' geometry.
    private static func fixFirst(
        _ lines: [Substring], _ early: Set<Substring>
    ) -> [Substring] {
        var (result, views): ([Substring], [Substring: Substring]) = ([], [:])
        for line in lines {
            if let time = time(line, of: "SKY"), early.contains(time) {
                views[time] = line
            } else if let time = time(line, of: "TPV"), early.contains(time) {
                result.append(line.replacing(/"(epx|epy|eps)":[0-9.]+,/, with: ""))
            } else {
                result.append(line)
            }
        }
        return result + views.values.sorted()
    }

    private func expectSame(_ a: [Substring], _ b: [Substring], _ what: String) {
        #expect(a.count == b.count, "\(what)")
        let difference = zip(a, b).first { $0 != $1 }
        #expect(difference == nil, "\(what)")
    }

    private func check(_ path: String) {
        let sentences = readFile(path)
        let json = Self.converted(sentences, to: GPSDFormat.self)
        // FIT is binary; its records are compared as CSV.
        for format in OutputFormats.all
        where !format.traits.wantsSentences && format != FITFormat.self {
            let a = Self.lines(Self.converted(sentences, to: format)).filter(Self.isPlaced)
            let b = Self.lines(Self.converted(json, to: format)).filter(Self.isPlaced)
            let early = Self.timesOfEarlyViews(a)
            expectSame(
                Self.fixFirst(a, early), Self.fixFirst(b, early), "\(path) as \(format.name)")
        }
        expectSame(Self.text(sentences), Self.text(json), "\(path) as text")
        let binary = [sentences, json].map { bytes in
            let file = Self.converted(bytes, to: FITFormat.self)
            // Without a fix, there is only a header and a checksum.
            return file.count > 16 ? Self.lines(Self.converted(file, to: CSVFormat.self)) : []
        }
        expectSame(binary[0], binary[1], "\(path) as fit")
        // The sentences converted from JSON have the same positions.
        let written = Self.converted(json, to: NMEAFormat.self)
        expectSame(Self.positions(sentences), Self.positions(written), "\(path) as nmea")
    }

    private static func positions(_ bytes: [UInt8]) -> [Substring] {
        lines(converted(bytes, to: CSVFormat.self)).map {
            $0.split(separator: ",", omittingEmptySubsequences: false).prefix(3)
                .joined(separator: ",")[...]
        }
    }

    @Test(arguments: Corpus.fixtures)
    func `every format is the same from sentences and from their JSON`(_ path: String) {
        check(path)
    }

    @Test(
        .enabled(
            if: !Corpus.captures.isEmpty, "no recordings: set GPSBRIDGE_CORPUS to their folder"),
        arguments: Corpus.captures)
    func `the formats of every recording are the same from its JSON`(_ path: String) {
        check(path)
    }

    @Test(arguments: Corpus.fixtures + Corpus.captures)
    func `the filters by DOP, satellites and accuracy choose the same fixes`(_ path: String) {
        let sentences = readFile(path)
        let json = Self.converted(sentences, to: GPSDFormat.self)
        var selection = FixSelection()
        selection.maximumHDOP = 2
        selection.minimumSatellites = 4
        selection.maximumAccuracy = 8
        expectSame(
            Self.lines(Self.converted(sentences, to: CSVFormat.self, selection)),
            Self.lines(Self.converted(json, to: CSVFormat.self, selection)), path)
    }
}
