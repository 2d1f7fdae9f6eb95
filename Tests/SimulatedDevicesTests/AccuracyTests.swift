// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// A simulated day, sent as sentences and decoded.
@Suite(.timeLimit(.generous))
struct AccuracyTests {
    /// The number of fixes whose error was within the reported accuracy.
    private struct Tally: DecoderListener {
        private var decoder = NMEADecoder()
        var truth = TrueState(coordinate: Coordinate(latitude: 0, longitude: 0), altitude: 0)
        var fixes = 0
        var within = 0
        var withinHeight = 0

        /// Decodes the sentences of an epoch.
        mutating func read(_ bytes: [UInt8], of observation: SimulatedObservation) {
            truth = observation.truth.state
            var decoder = self.decoder
            decoder.push(bytes.span, to: &self)
            decoder.silence(to: &self)
            self.decoder = decoder
        }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            guard let coordinate = fix.coordinate, let horizontal = fix.accuracy.horizontal,
                let altitude = fix.altitude,
                let way = Geodesic(from: truth.coordinate, to: coordinate)
            else { return }
            fixes += 1
            if way.length <= horizontal { within += 1 }
            if let vertical = fix.accuracy.vertical, abs(altitude - truth.altitude) <= vertical {
                withinHeight += 1
            }
        }
    }

    private static func sentences(_ observation: SimulatedObservation, withGST: Bool) -> [UInt8] {
        guard let solution = observation.solution else { return [] }
        var writer = SentenceWriter()
        if withGST {
            var gst = GST()
            gst.time = observation.time?.time
            gst.latitudeError = solution.deviations.north
            gst.longitudeError = solution.deviations.east
            gst.altitudeError = solution.deviations.up
            var gsa = GSA()
            gsa.fix = solution.mode
            gsa.vdop = solution.dilution.vdop
            writer.write(gga(observation, solution), talker: .gnss)
            writer.write(gst, talker: .gnss)
            writer.write(gsa, talker: .gnss)
        } else {
            writer.write(gga(observation, solution), talker: .gnss)
        }
        return writer.bytes
    }

    private static func gga(_ observation: SimulatedObservation, _ solution: Solution) -> GGA {
        var gga = GGA()
        gga.time = observation.time?.time
        gga.coordinate = solution.coordinate
        gga.quality = .simulated
        gga.hdop = solution.dilution.hdop
        gga.altitude = solution.altitude
        return gga
    }

    /// Returns the tallies of the same day, with accuracies from DOP alone and from GST.
    ///
    /// The errors change about every half minute, so that every thirtieth second is sufficient.
    private func day(_ configuration: Observer.Configuration) -> (byDOP: Tally, byGST: Tally) {
        var byDOP = Tally()
        var byGST = Tally()
        var observer = Observer(configuration)
        for second in stride(from: 0.0, to: 86_400, by: 30) {
            let observation = observer.observe(after: second)
            byDOP.read(Self.sentences(observation, withGST: false), of: observation)
            byGST.read(Self.sentences(observation, withGST: true), of: observation)
        }
        return (byDOP, byGST)
    }

    private func configuration(_ surroundings: Surroundings) throws -> Observer.Configuration {
        var configuration = Observer.Configuration(
            start: try #require(UTCTime(unixNanoseconds: 1_795_132_800_000_000_000)))
        configuration.trajectory = Stationary(
            at: Coordinate(latitude: 48.2066, longitude: 16.3634), altitude: 171)
        configuration.surroundings = surroundings
        return configuration
    }

    @Test(arguments: [Surroundings.openSky, .urban()])
    func `68 % of a day's fixes are within the reported accuracy, by GST and by DOP`(
        _ surroundings: Surroundings
    ) throws {
        let (byDOP, byGST) = day(try configuration(surroundings))
        for tally in [byDOP, byGST] {
            let share = Double(tally.within) / Double(tally.fixes)
            #expect(tally.fixes >= 2830)
            #expect(0.66...0.70 ~= share, "\(share)")
        }
        let inHeight = Double(byGST.withinHeight) / Double(byGST.fixes)
        #expect(0.66...0.70 ~= inHeight, "\(inHeight)")
    }

    // The error ellipses are longest with these settings. 1.07 sigma of a very long ellipse contain
    // 71 %.
    @Test func `68 % of the fixes are within the accuracy with GPS alone between houses`() throws {
        var configuration = try configuration(.urban())
        configuration.signals = [.gps: [1]]
        let tally = day(configuration).byDOP
        let share = Double(tally.within) / Double(tally.fixes)
        #expect(tally.fixes >= 2650)
        #expect(0.66...0.70 ~= share, "\(share)")
    }

    @Test func `errors are correlated over seconds and independent after minutes`()
        throws
    {
        var observer = Observer(try configuration(.openSky))
        var positions: [Coordinate] = []
        for second in 0..<1200 {
            let solution = try #require(observer.observe(after: Double(second)).solution)
            positions.append(solution.coordinate)
        }
        func mean(apart: Int) -> Double {
            let lengths = zip(positions, positions.dropFirst(apart)).compactMap {
                Geodesic(from: $0, to: $1)?.length
            }
            return lengths.reduce(0, +) / Double(lengths.count)
        }
        #expect(mean(apart: 1) < 0.5 * mean(apart: 120))
    }
}

@Suite(.timeLimit(.generous))
struct SameBitsTests {
    /// FNV-1a over the bits of numbers.
    private struct Digest {
        var value: UInt64 = 0xCBF2_9CE4_8422_2325

        mutating func add(_ bits: UInt64) {
            for shift in stride(from: UInt64(0), to: 64, by: 8) {
                value = (value ^ (bits >> shift & 0xFF)) &* 0x100_0000_01B3
            }
        }

        mutating func add(_ numbers: Double?...) {
            for number in numbers { add(number?.bitPattern ?? 1) }
        }
    }

    private func digest(_ observation: SimulatedObservation, _ digest: inout Digest) {
        digest.add(UInt64(bitPattern: observation.time?.unixNanoseconds ?? 0))
        let state = observation.truth.state
        digest.add(
            state.coordinate.latitude, state.coordinate.longitude, state.altitude, state.speed,
            state.course, state.climb)
        for satellite in observation.satellites {
            digest.add(UInt64(satellite.id.svid))
            digest.add(satellite.elevation, satellite.azimuth, satellite.signals.first?.cn0)
        }
        guard let solution = observation.solution else { return }
        digest.add(
            solution.coordinate.latitude, solution.coordinate.longitude, solution.altitude,
            solution.speed, solution.course, solution.climb)
        digest.add(
            solution.dilution.hdop, solution.dilution.vdop, solution.dilution.gdop,
            solution.deviations.semiMajor, solution.deviations.orientation)
    }

    // Computed once. If another machine gives different bits, some function depends on the machine;
    // after a change of the model, enter the new values.
    @Test func `a run has the same bits on every machine`() throws {
        var configuration = Observer.Configuration(
            start: try #require(UTCTime(unixNanoseconds: 1_795_132_800_000_000_000)))
        let home = Coordinate(latitude: 48.2066, longitude: 16.3634)
        let places = [(0.0, 0.0), (300, 20), (280, 400)].map {
            Drive.RoutePoint(home.moved(north: $0.0, east: $0.1), altitude: 170 + $0.0 / 10)
        }
        configuration.trajectory = Journey(
            .stationary(at: home, altitude: 170, for: 10), try #require(Drive(places)),
            CircleTrack())
        configuration.signals = [
            .gps: [1], .glonass: [1], .galileo: [7], .beiDou: [1], .qzss: [1], .sbas: [1],
        ]
        configuration.surroundings = .urban()
        configuration.acquisition = .warm
        var observer = Observer(configuration)
        var digest = Digest()
        for step in 0..<500 { self.digest(observer.observe(after: Double(step) / 4), &digest) }
        #expect(digest.value == 13_342_817_951_047_055_849)
    }
}
