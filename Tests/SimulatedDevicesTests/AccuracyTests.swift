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
