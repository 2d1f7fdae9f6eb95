// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSFormats
import GPSReceivers
import GPSTestTraits
import Testing

/// Tests of every format.
@Suite(.timeLimit(.generous))
struct OutputFormatsTests {
    @Test func `every format of the module is in the list`() throws {
        let types = try PackageFile.sources(of: "GPSFormats").flatMap { source in
            source.matches(of: #/(?:public|package) struct (\w+): OutputFormat\b/#)
                .map { String($0.1) }
        }
        let listed = OutputFormats.all.map { "\($0)" }
        for type in types {
            #expect(listed.contains(type), "add to OutputFormats.all: \(type).self,")
        }
        #expect(types.count == listed.count)
    }

    @Test func `the help lists the formats that are converted on several cores`() throws {
        let text = try PackageFile.text(
            "Sources/Programs/GPSBridgeCLI/Commands/ConvertCommand.swift")
        let range = try #require(text.firstRange(of: "if the format is "))
        let words = text[range.upperBound...].prefix { !"|-".contains($0) }
            .split { !$0.isLetter }.map(String.init)
        let parallel = OutputFormats.all.filter { $0 is any Equatable.Type }.map { $0.name }
        #expect(Set(words).intersection(OutputFormats.names) == Set(parallel))
    }

    @Test func `names and extensions distinguish formats`() {
        #expect(Set(OutputFormats.names).count == OutputFormats.all.count)
        let endings = OutputFormats.all.flatMap { $0.traits.extensions }
        #expect(Set(endings).count == endings.count)
        #expect(OutputFormats.of(path: "a.b/Track.GPX").map { $0.name } == "gpx")
        #expect(OutputFormats.of(path: "gpx") == nil)
    }

    @Test(arguments: OutputFormats.names)
    func `the output is the same for every chunking`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        let track = Track.straight(30)
        let whole = track.converted(to: format)
        for chunk in [1, 7, 100] {
            #expect(track.converted(to: format, chunk: chunk) == whole)
        }
    }

    @Test(arguments: OutputFormats.names)
    func `simulated data is marked, and other data is not`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        var simulated = Track()
        for second in 0..<3 { simulated.add(second, 48, quality: .simulated) }
        // A sentence's mode letter, gpsd's status, or the word.
        let mark = ["nmea": ",S,", "json": "\"status\":8"][name] ?? "simulated"
        let isMarked = simulated.converted(to: format).contains(mark)
        #expect(isMarked, "\(name) has to say what is simulated: source.originName(isSimulated:)")
        #expect(!Track.straight(3).converted(to: format).contains(mark))
        if name != "nmea" {
            let written = Track.straight(3).converted(to: format, origin: .simulated)
            #expect(written.contains(mark))
        }
    }

    @Test(arguments: OutputFormats.names)
    func `an altitude above a surface that a format does not have is modelled`(_ name: String)
        throws
    {
        let format = try #require(OutputFormats.named(name))
        for hasAltitude in [false, true] {
            var fix = Fix()
            fix.time = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000)
            fix.coordinate = Coordinate(latitude: 48, longitude: 16)
            fix.ellipsoidalAltitude = 214
            fix.altitude = hasAltitude ? 171 : nil
            fix.complete(mode: nil, quality: nil)
            var conversion = Conversion(to: format)
            conversion.begin(OutputSource(name: "a.igc", origin: .replay))
            conversion.add(fix)
            conversion.end()
            let isLost = !format.traits.storesEllipsoidalAltitude && !hasAltitude
            #expect(conversion.hasModelledAltitude == isLost && !conversion.hasLostAltitude)
        }
    }

    @Test func `an altitude above another surface than the declared one of IGC is reported`() {
        func loses(_ altitudes: [(altitude: Double?, ellipsoidal: Double?)]) -> Bool {
            var conversion = Conversion(to: IGCFormat.self)
            conversion.begin(OutputSource(name: "a", origin: .replay))
            for (second, known) in altitudes.enumerated() {
                var fix = Fix()
                fix.time = UTCTime(
                    unixNanoseconds: (1_774_094_400 + Int64(second)) * 1_000_000_000)
                fix.coordinate = Coordinate(latitude: 48, longitude: 16)
                (fix.altitude, fix.ellipsoidalAltitude) = (known.altitude, known.ellipsoidal)
                fix.complete(mode: nil, quality: nil)
                conversion.add(fix)
            }
            conversion.end()
            return conversion.hasLostAltitude
        }
        // Without an altitude of the first fix, the header declares the geoid.
        #expect(loses([(nil, nil), (nil, 214)]))
        #expect(loses([(nil, 214), (171, nil)]))
        #expect(!loses([(nil, nil), (171, nil), (171, 214)]))
        #expect(!loses([(nil, 214), (nil, nil), (171, 214)]))
    }

    // A merge begins another source after any fix.
    @Test(arguments: OutputFormats.names)
    func `output that has not been drained is kept when another source begins`(
        _ name: String
    ) throws {
        let format = try #require(OutputFormats.named(name))
        func written(drains: Bool) -> [UInt8] {
            var conversion = Conversion(to: format)
            var output: [UInt8] = []
            for second in 0..<4 {
                var fix = Fix()
                fix.time = UTCTime(
                    unixNanoseconds: (1_774_094_400 + Int64(second)) * 1_000_000_000)
                fix.coordinate = Coordinate(latitude: 48 + Double(second), longitude: 16)
                fix.complete(mode: nil, quality: nil)
                conversion.begin(OutputSource(name: "\(second / 2)", origin: .replay))
                conversion.add(fix)
                guard drains || second == 3 else { continue }
                conversion.drain { span in for i in span.indices { output.append(span[i]) } }
            }
            conversion.end()
            conversion.drain { span in for i in span.indices { output.append(span[i]) } }
            return output
        }
        #expect(written(drains: false) == written(drains: true))
    }

    @Test(arguments: OutputFormats.names)
    func `no date is invented`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        var track = Track()
        for second in 0..<3 { track.add(second, 48 + Double(second) * 1e-5, dated: false) }
        let written = track.converted(to: format)
        if format.traits.needsDate {
            var conversion = Conversion(to: format)
            conversion.begin(OutputSource(name: "a.nmea", origin: .replay))
            conversion.push(track.bytes.span)
            conversion.end()
            #expect((conversion.fixCount, conversion.hasUndated) == (0, true))
            #expect(!written.contains("48"))
            return
        }
        #expect(written.contains(name == "nmea" ? "4800.00000" : "48.000010000"))
        #expect(!written.contains("T12:00"))
        #expect(!written.contains("<time"))
        #expect(!written.contains("\"time\""))
    }

    /// `FITTests` has the same test for FIT, which is binary.
    @Test(arguments: OutputFormats.names.filter { $0 != "fit" })
    func `from and to select fixes in every format`(_ name: String) throws {
        let format = try #require(OutputFormats.named(name))
        let written = Track.straight(30).converted(to: format) {
            $0.start = UTCTime(unixNanoseconds: 1_774_094_410_000_000_000)
            $0.end = UTCTime(unixNanoseconds: 1_774_094_420_000_000_000)
        }
        let latitudes = (0..<30).filter { second in
            let minutes = String(format: "48%08.5f", Double(second) * 6e-4)
            let degrees = String(format: "48.%09d", second * 10_000)
            let mark = ["nmea": minutes, "igc": String(format: "B1200%02d48", second)][name]
            return written.contains(mark ?? degrees)
        }
        #expect(latitudes == Array(10..<20))
    }

    @Test(arguments: OutputFormats.all.filter { $0.traits.isContinuable }.map { $0.name })
    func `a file cut off anywhere is continued after its last complete line`(
        _ name: String
    ) throws {
        let format = try #require(OutputFormats.named(name))
        let whole = Array(Track.straight(6).converted(to: format).utf8)
        for cut in stride(from: 20, through: whole.count, by: 17) {
            var writer = format.init()
            let place = writer.resume(
                head: Array(whole[..<min(cut, 4096)]), end: Array(whole[..<cut]))
            let kept = try #require(place, "cut at \(cut)")
            #expect(kept <= cut)
            var conversion = Conversion(to: format)
            conversion.begin(OutputSource(name: "b.nmea", origin: .replay))
            conversion.switchFormat(to: writer)
            conversion.push(Track.straight(2).bytes.span)
            conversion.end()
            var file = Array(whole[..<kept])
            conversion.drain { span in for i in span.indices { file.append(span[i]) } }
            let text = String(decoding: file + conversion.closing, as: UTF8.self)
            switch name {
            case "gpx": #expect(GPXCheck(text).problems == [], "cut at \(cut)")
            case "geojson":
                #expect(throws: Never.self, "cut at \(cut)") {
                    try JSONSerialization.jsonObject(with: Data(text.utf8))
                }
            default: #expect(text.utf8.last == 0x0A)
            }
        }
    }
}
