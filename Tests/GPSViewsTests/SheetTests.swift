// SPDX-License-Identifier: MIT
import CGPSExpat
import GNSS
import GPSReceivers
import GPSTestTraits
import GPSViews
import Glibc
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct SheetTests {
    /// The plot of the documentation: ten minutes of a receiver at rest.
    private static let example: Plot = {
        var plot = Plot()
        plot.begin("simulated:ublox9", .simulated)
        plot.watch(600) {
            $0.trajectory = Stationary(
                at: Coordinate(latitude: 48.137, longitude: 11.575), altitude: 520)
        }
        return plot
    }()

    /// The second plot of the documentation: a drive of twenty minutes whose speed depends on the
    /// course.
    private static let drive: Plot? = {
        var points: [TrackPoint] = []
        var (seconds, place) = (0.0, LocalPlane.Point(east: 0, north: 0))
        for step in 0..<240 {
            let turn = Double(step) / 240 * 2 * .pi
            let course = 2 * turn + 1.2 * sin(5 * turn)
            let speed = 14 + 6 * cos(course - 1)
            place.east += speed * 5 * sin(course)
            place.north += speed * 5 * cos(course)
            points.append(
                TrackPoint(
                    seconds: seconds,
                    coordinate: Coordinate(
                        latitude: 48.137 + place.north / 111_200,
                        longitude: 11.575 + place.east / 74_300),
                    altitude: 520 + 40 * sin(2 * turn)))
            seconds += 5
        }
        guard let track = RecordedTrack(points) else { return nil }
        var plot = Plot()
        plot.begin("simulated:ublox9", .simulated)
        plot.watch(1195) { $0.trajectory = track }
        return plot
    }()

    private func isWellFormed(_ bytes: [UInt8]) throws -> Bool {
        let parser = try #require(XML_ParserCreate(nil))
        defer { XML_ParserFree(parser) }
        return bytes.withUnsafeBytes { buffer in
            XML_Parse(parser, buffer.baseAddress, CInt(buffer.count), 1) == XML_STATUS_OK
        }
    }

    @Test func `simulated data is labelled in the banner and in the image's title`() throws {
        let drawing = Sheet.draw(Self.example)
        #expect(drawing.texts.first?.hasPrefix("SIMULATED") == true)
        #expect(drawing.title.hasPrefix("SIMULATED"))
        #expect(drawing.texts.contains("simulated:ublox9"))
        for text in ["Track", "Sky", "Scatter", "Speed over ground (km/h)", "UTC", "N", "2 m"] {
            #expect(drawing.texts.contains(text), "\(text)")
        }
        #expect(drawing.texts.contains { $0.hasPrefix("CEP50 ") && $0.hasSuffix(" m") })
        #expect(drawing.texts.contains("G09"))
    }

    @Test func `a recording is labelled, also if part of it is simulated`() {
        var plot = Plot()
        plot.begin("drive.nmea", .replay)
        plot.take(Positions.fix(0, 48, 11))
        #expect(Sheet.draw(plot).texts.first?.hasPrefix("REPLAYED") == true)
        var invented = Positions.fix(1, 48, 11)
        invented.quality = .simulated
        plot.take(invented)
        #expect(
            Sheet.draw(plot).texts.first == "PARTLY SIMULATED: 1 of 2 positions are simulated")
    }

    @Test func `a live receiver has no banner`() {
        var plot = Plot()
        plot.begin("/dev/ttyACM0", .live)
        plot.take(Positions.fix(0, 48, 11))
        #expect(Sheet.draw(plot).texts.first == "/dev/ttyACM0")
    }

    @Test func `missing data is labelled`() {
        var plot = Plot()
        #expect(plot.isEmpty)
        plot.begin("a.nmea", .replay)
        #expect(Sheet.draw(plot).texts.contains("No position"))
        plot.take(Positions.fix(0, 48, 11))
        #expect(!plot.isEmpty)
        let texts = Sheet.draw(plot).texts
        for text in ["No satellites", "One position", "No altitude", "No speed", "the only fix"] {
            #expect(texts.contains(text), "\(text)")
        }
    }

    @Test func `the requested units are used`() {
        var settings = PlotSettings()
        settings.units = .nautical
        var plot = Plot(settings)
        for second in 0..<100 {
            let (latitude, longitude) = Positions.place(Double(second) * 30, 0)
            plot.take(
                Positions.fix(
                    Double(second), latitude, longitude, speed: 1852 / 3600.0 * 20,
                    altitude: 304.8))
        }
        let texts = Sheet.draw(plot).texts
        #expect(texts.contains("20.0 to 20.0 kn, mean 20.0"))
        #expect(texts.contains("304.8 to 304.8 m, mean 304.8"))
        #expect(texts.contains("Speed, kn"))
        #expect(texts.contains { $0.hasSuffix(" nmi") || $0.hasSuffix(" ft") })
    }

    @Test func `SVG is well-formed with escaped texts`() throws {
        var plot = Plot()
        plot.begin("a <b> & \"c\"\u{1}.nmea", .replay)
        plot.take(Positions.fix(0, 48, 11))
        let bytes = SVGImage.bytes(of: Sheet.draw(plot))
        #expect(try isWellFormed(bytes))
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains(">a &lt;b&gt; &amp; &quot;c&quot;?.nmea</text>"))
        #expect(text.contains("width=\"1600\" height=\"1000\""))
    }

    @Test(.enabled(if: PNGImage.missing == nil, "libcairo2 is not installed"))
    func `the PNG has the size of the sheet`() throws {
        let bytes = try #require(PNGImage.bytes(of: Sheet.draw(Self.example)))
        #expect(bytes.prefix(8) == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        // IHDR: 1600 by 1000, eight bits, colour.
        #expect(bytes[16..<26] == [0, 0, 0x06, 0x40, 0, 0, 0x03, 0xE8, 8, 2])
    }

    @Test(arguments: [
        (90.0, 0.0), (-90, 180), (0, 180), (0, -180), (89.999_999, -179.999_999), (0, 0),
    ])
    func `every place on Earth can be drawn`(_ latitude: Double, _ longitude: Double) throws {
        var plot = Plot()
        for second in 0..<50 {
            let step = Double(second) * 1e-5
            plot.take(
                Positions.fix(
                    Double(second), latitude > 0 ? latitude - step : latitude + step,
                    longitude > 0 ? longitude - step : longitude + step, speed: 9e99,
                    altitude: -9e99))
        }
        plot.take(Positions.fix(7e9, -latitude, 0, altitude: 9e99))
        plot.take(Positions.fix(-9e9, latitude, -longitude))
        #expect(try isWellFormed(SVGImage.bytes(of: Sheet.draw(plot))))
    }

    @Test(arguments: [1, 1600, 1677, 2263, 9999])
    func `a single fix with a date beyond the range of the time axis can be drawn`(
        _ year: Int
    ) throws {
        let date = try #require(CalendarDate(year: year, month: 1, day: 1))
        var fix = Positions.fix(0, 48, 11, speed: 1, altitude: 500)
        fix.time?.date = date
        var plot = Plot()
        plot.take(fix)
        #expect(try isWellFormed(SVGImage.bytes(of: Sheet.draw(plot))))
    }

    @Test func `the memory of a plot is bounded`() {
        var plot = Plot()
        for second in 0..<100_000 {
            let (latitude, longitude) = Positions.place(
                sin(Double(second) * 12.9) * 5, sin(Double(second) * 78.2) * 5)
            plot.take(Positions.fix(Double(second), latitude, longitude, speed: 0, altitude: 5))
        }
        #expect(plot.sample.values.count == Plot.sampleLimit)
        #expect(plot.track.points.count < TrackThinning.limit)
        #expect(plot.altitude.steps.count <= TimeSeries.limit)
        let texts = Sheet.draw(plot).texts
        #expect(texts.contains("of a sample of 32\u{202F}768 of 100\u{202F}000 positions"))
    }

    @Test func `for a moving receiver the sheet has the trip, speeds by course and C/N0`() {
        var plot = Plot()
        plot.watch(300) {
            $0.trajectory = CircleTrack(
                center: Coordinate(latitude: 48.137, longitude: 11.575), radius: 300, speed: 12)
        }
        let texts = Sheet.draw(plot).texts
        for text in ["Trip", "duration", "distance", "C/N0 (dB-Hz)", "mean", "greatest"] {
            #expect(texts.contains(text), "\(text)")
        }
        #expect(texts.contains("Speed by course, km/h"))
        #expect(!texts.contains("Scatter"))
        #expect(plot.speedByCourse.all.allSatisfy { $0.count > 0 && abs($0.mean - 12) < 0.5 })
        // 12 m/s for five minutes, and the noise.
        #expect(abs(plot.trip.distance - 12 * 299) < 60)
        #expect(plot.strength.mean.map { 30...50 ~= $0 } == true)
    }

    @Test func `the points of a scatter lie above its circles`() throws {
        let shapes = Sheet.draw(Self.example).shapes
        let title = try #require(
            shapes.firstIndex { if case .text("Scatter", _, _) = $0 { true } else { false } })
        let points = try #require(
            shapes[title...].firstIndex { if case .discs = $0 { true } else { false } })
        let circles = shapes[title..<points].count { if case .ring = $0 { true } else { false } }
        #expect(circles == 2)
        // Only the symbols of the legend are drawn after it.
        let later = shapes[points...].compactMap { shape -> Double? in
            if case .ring(_, let radius, _) = shape { radius } else { nil }
        }
        #expect(later == [6, 6])
    }

    @Test func `satellites that are close together all have labels on the sky plot`() {
        var plot = Plot()
        plot.take(Positions.fix(0, 48, 11))
        let signals = (1...12).compactMap { number in
            SatelliteID(.gps, number).map {
                SatelliteSignal(
                    id: $0, elevation: 45 + Double(number % 3), azimuth: 200 + Double(number % 4))
            }
        }
        plot.didReceive(satellites: SatelliteView(signals: signals))
        let texts = Sheet.draw(plot).texts
        for number in 1...12 {
            #expect(texts.contains(number < 10 ? "G0\(number)" : "G\(number)"))
        }
    }

    /// `GPSBRIDGE_RECORD=1` rewrites it.
    @Test(arguments: ["simulated", "drive"])
    func `the sheet of a simulation is the one in the documentation`(
        _ name: String
    ) throws {
        let path = "docs/plots/\(name).svg"
        let plot = try #require(name == "drive" ? Self.drive : Self.example)
        let bytes = SVGImage.bytes(of: Sheet.draw(plot))
        let isSame = bytes == SVGImage.bytes(of: Sheet.draw(plot))
        #expect(isSame)
        if getenv("GPSBRIDGE_RECORD") != nil {
            let file = try #require(
                fopen("\(PackageFile.folder)/\(path)", "w"), "\(path) cannot be written")
            fwrite(bytes, 1, bytes.count, file)
            fclose(file)
        } else {
            let isShown = try PackageFile.bytes(path) == bytes
            #expect(isShown, "\(path)")
        }
    }
}
