// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// Fixes from the UBX of simulated chips.
@Suite(.timeLimit(.generous))
struct ChipTests {
    private static let chips = Personality.all.filter(\.sendsUBX)

    private func run(
        _ chip: Personality, _ protocols: OutputProtocols = .ubx, _ faults: String = "",
        epochs: Int = 6
    ) throws -> DecodedRun {
        var configuration = SimulatedReceiver.Configuration.noon(chip)
        configuration.protocols = protocols
        configuration.faults = try FaultScript(faults)
        return DecodedRun(configuration, epochs: epochs)
    }

    @Test(arguments: chips, [OutputProtocols.ubx, .both])
    func `the messages decode to the observation`(
        _ chip: Personality, _ protocols: OutputProtocols
    ) throws {
        let run = try run(chip, protocols)
        #expect(run.fixes.count == 6)
        for (fix, epoch) in zip(run.fixes, run.epochs) {
            let solution = try #require(epoch.observation.solution)
            let coordinate = try #require(fix.coordinate)
            #expect(abs(coordinate.latitude - solution.coordinate.latitude) <= 0.6e-7)
            #expect(abs(coordinate.longitude - solution.coordinate.longitude) <= 0.6e-7)
            #expect(fix.mode == .threeD && fix.quality == .simulated)
            #expect(fix.time == epoch.observation.time)
            #expect(abs(try #require(fix.altitude) - solution.altitude) <= 0.001)
            // A u-blox 6 sends centimetres per second.
            let resolution = chip == .ublox6 ? 0.0051 : 0.001
            #expect(abs(try #require(fix.speed) - solution.speed) <= resolution)
            #expect(fix.satellitesUsed == epoch.observation.satellites.count { $0.isUsed })
        }
        #expect(run.statistics.rejected == 0 && run.statistics.junkBytes == 0)
    }

    @Test(arguments: chips)
    func `every satellite keeps its ID`(_ chip: Personality) throws {
        let run = try run(chip)
        let view = try #require(run.views.last)
        let observed = run.epochs.last?.observation.satellites ?? []
        #expect(Set(view.satellites.map(\.id)) == Set(observed.map(\.id)))
        #expect(
            Set(view.satellites.filter(\.isUsed).map(\.id))
                == Set(observed.filter(\.isUsed).map(\.id)))
    }

    @Test func `a high-precision position has nine decimals`() throws {
        let run = try run(.f9p)
        for (fix, epoch) in zip(run.fixes, run.epochs) {
            let solution = try #require(epoch.observation.solution)
            let error = try #require(fix.coordinate).latitude - solution.coordinate.latitude
            #expect(abs(error) <= 0.51e-9)
        }
    }

    @Test(arguments: [Personality.ublox10, .f9p])
    func `a jammer is reported while it jams`(_ chip: Personality) throws {
        let run = try run(chip, .ubx, "3s: jam for 4s", epochs: 12)
        let states = run.fixes.map(\.jamming)
        #expect(states[1] == JammingState.none)
        #expect(states[5] == .critical && run.fixes[5].mode == .noFix)
        #expect(states[10] == JammingState.none)
        #expect(try #require(run.fixes[5].interferenceLevel) > 100)
    }

    @Test func `a lost fix has no position`() throws {
        let run = try run(.ublox8, .ubx, "2s: lose-fix for 2s", epochs: 8)
        #expect(run.fixes[2].mode == .noFix && run.fixes[2].coordinate == nil)
        #expect(run.fixes[7].mode == .threeD)
    }

    @Test(arguments: ["bad-checksums 20%", "cut-sentences 20%", "bit-errors 0.1%"])
    func `damaged frames give no wrong position`(_ fault: String) throws {
        let run = try run(.ublox8, .both, "0s: \(fault)", epochs: 60)
        for fix in run.fixes {
            guard let coordinate = fix.coordinate, let time = fix.time else { continue }
            let epoch = run.epochs.first { $0.observation.time == time }
            let truth = try #require(epoch?.observation.solution?.coordinate)
            #expect(abs(coordinate.latitude - truth.latitude) < 1e-6)
            #expect(abs(coordinate.longitude - truth.longitude) < 1e-6)
        }
    }
}

@Suite(.timeLimit(.generous))
struct CompassTests {
    @Test func `a compass sends magnetic and true headings, marked as simulated, and nothing else`()
        throws
    {
        let run = DecodedRun(.noon(.compass), epochs: 10)
        #expect(run.addresses == (0..<10).flatMap { _ in ["HCHDG", "HCTHS"] })
        #expect(run.statistics.rejected == 0 && run.statistics.fieldErrors == 0)
        let fields = run.sentences.map { $0.prefix { $0 != "*" }.split(separator: ",") }
        #expect(fields.allSatisfy { $0[0].hasSuffix("HDG") || $0[2] == "S" })
        for (hdg, ths) in zip(
            fields.enumerated().filter { $0.offset % 2 == 0 },
            fields.enumerated().filter { $0.offset % 2 == 1 })
        {
            let magnetic = try #require(Double(hdg.element[1]))
            let heading = try #require(Double(ths.element[1]))
            #expect(abs((magnetic + 4).wrappedDegrees - heading) < 0.01)
        }
    }

    @Test func `the heading follows the course, and swings by two degrees`() throws {
        let run = DecodedRun(.noon(.satelliteCompass), epochs: 60)
        var greatest = 0.0
        for (fix, epoch) in zip(run.fixes, run.epochs).dropFirst(3) {
            let heading = try #require(fix.attitude.heading)
            let course = try #require(epoch.truth.state.course)
            let off = abs((heading - course + 180).wrappedDegrees - 180)
            greatest = max(greatest, off)
            #expect(off <= 2.1)
            #expect(fix.quality == .simulated && fix.attitude.magneticHeading != nil)
        }
        #expect(greatest > 1.9)
    }

    @Test func `a compass at rest points north, and the same seed gives the same bytes`() {
        var configuration = SimulatedReceiver.Configuration.noon(.compass)
        configuration.trajectory = .stationary(at: Coordinate(latitude: 48, longitude: 16))
        let bytes = SimulatedReceiver(configuration).bytes(of: 8)
        #expect(bytes == SimulatedReceiver(configuration).bytes(of: 8))
        #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("$HCHDG,356.0,,,4.0,E*"))
    }

    @Test func `a lost fix does not stop a compass`() {
        let run = DecodedRun(.noon(.compass, [Fault(.lostFix)]), epochs: 3)
        #expect(run.addresses.count == 6)
    }
}

/// The order of sentences and the times of lists, as in recordings of the receivers.
@Suite(.timeLimit(.generous))
struct CycleTests {
    @Test(arguments: [
        ("ublox6", "GPRMC GPVTG GPGGA GPGSA GPGSV GPGLL"),
        ("ublox8", "GNRMC GNVTG GNGGA GNGSA GPGSV GLGSV GNGLL"),
        (
            "ublox9",
            "GNRMC GNVTG GNGGA GNGSA GPGSV GLGSV GAGSV GBGSV GNGLL GNGST GNZDA PUBX,00"
        ),
        ("sirf3", "GPGGA GPGSA GPRMC"),
        ("sirf4", "GPGGA GNGSA GNRMC GPZDA"),
        ("mt3339", "GPGGA GPGSA GPRMC GPVTG"),
        ("l76", "GNGGA GNGLL GNGSA GPGSV BDGSV GLGSV GNRMC GNVTG GNZDA"),
        ("lc29h", "GPGSV GLGSV GAGSV GBGSV GQGSV GNGSA GNVTG GNRMC GNGGA GNGLL"),
        ("teseo", "GNRMC GNGGA GNVTG GNGST GNGBS GNGSA GPGSV GAGSV BDGSV"),
        ("garmin", "GPRMC GPGGA GPGSA GPGSV PGRME GPGLL PGRMZ PGRMM"),
        ("nmea20", "GPGGA GPGLL GPGSA GPGSV GPRMC GPVTG"),
    ])
    func `sentences are in the order of the receiver`(_ name: String, _ order: String) throws {
        let personality = try #require(Personality.named(name))
        let run = DecodedRun(.noon(personality), epochs: 3)
        // The second epoch has neither start-up texts nor, with some, lists of satellites.
        let words = order.split(separator: " ").map(String.init)
        #expect(Array(run.addresses.suffix(words.count)) == words)
    }

    @Test func `a SiRF lists the satellites every fifth second`() {
        var receiver = SimulatedReceiver(.noon(.sirf3))
        let lists = (0..<11).map { _ in
            String(decoding: receiver.next().bytes, as: UTF8.self).contains("GSV")
        }
        #expect(lists.indices.filter { lists[$0] } == [0, 5, 10])
    }

    @Test func `start-up sentences come first, and only once`() {
        let sentences = DecodedRun(.noon(.ublox8), epochs: 3).sentences
        #expect(sentences.first?.hasPrefix("$GNTXT,01,01,02,u-blox AG") == true)
        #expect(sentences.filter { $0.contains("TXT") }.count == 4)
    }

    @Test func `a two-band receiver lists both signals`() throws {
        let view = try #require(DecodedRun(.noon(.lc29h), epochs: 2).views.last)
        let galileo = view.signals.filter { $0.id.constellation == .galileo }
        #expect(Set(galileo.map(\.signal)) == [1, 7])
    }

    @Test func `a user-defined personality is a value`() {
        var mine = Personality(
            name: "mine", summary: "RMC and GGA alone", cycle: [.rmc, .gga])
        mine.decimals = SentenceDecimals(minutes: 3)
        #expect(
            DecodedRun(.noon(mine), epochs: 2).addresses == ["GPRMC", "GPGGA", "GPRMC", "GPGGA"])
    }
}

@Suite(.timeLimit(.generous))
struct SimulatedInstrumentTests {
    @Test func `instruments send after the receiver's cycle, and their values reach the fixes`()
        throws
    {
        var configuration = SimulatedReceiver.Configuration.noon(.garmin)
        configuration.instruments = Set(SimulatedInstrument.allCases)
        // To the west, almost into the wind.
        configuration.trajectory = CircleTrack(radius: 1e6, speed: -5)
        let run = DecodedRun(configuration, epochs: 20)
        #expect(run.addresses.suffix(5) == ["HCHDG", "WIMWV", "WIMWD", "SDDPT", "YXMTW"])
        // The end of a cycle is learned from the first ones.
        for fix in run.fixes.dropFirst(4) {
            let instruments = fix.instruments
            #expect(8...16 ~= (instruments[.depth] ?? 0) && instruments[.depthOffset] == -1.2)
            #expect(instruments[.waterTemperature] == 17.5)
            #expect(instruments[.trueWindDirection] == 240 && instruments[.trueWindSpeed] == 7)
            // The wind of the motion is added: 7 m/s from 30° to port, and 5 m/s from ahead.
            #expect(abs(try #require(instruments[.apparentWindSpeed]) - 11.6) < 0.06)
            #expect(abs(try #require(instruments[.apparentWindAngle]) - 342.5) < 0.2)
        }
    }

    @Test func `a position may have an altitude, and instruments are a list`() throws {
        var arguments = SimulationArguments()
        try arguments.setPlace("54.3, 10.1, -2.5")
        try arguments.set("instruments", "wind+depth")
        let configuration = try arguments.configured()
        #expect(configuration.instruments == [.wind, .depth])
        #expect(configuration.trajectory.state(after: 0).altitude == -2.5)
        #expect(throws: UsageError.self) { try arguments.setPlace("54,10,x") }
        #expect(throws: UsageError.self) { try arguments.setPlace("54,10,1,2") }
        #expect(throws: UsageError.self) { try arguments.set("instruments", "sextant") }
    }
}
