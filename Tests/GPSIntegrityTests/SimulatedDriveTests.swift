// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSIntegrity
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// Drives through a town of houses that hide and reflect satellites must raise no alarm.
@Suite(.timeLimit(.generous)) struct SimulatedDriveTests {
    /// Hours of each drive; a day of driving by `GPSBRIDGE_INTEGRITY_HOURS=6`.
    private static let hours =
        ProcessInfo.processInfo.environment["GPSBRIDGE_INTEGRITY_HOURS"].flatMap(Double.init)
        ?? 0.1

    private struct Run: DecoderListener {
        var monitor = IntegrityMonitor()
        var epochs = 0
        var verdicts: [String] = []
        var arrival: MonotonicInstant?
        var wantsSentences: Bool { false }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            epochs += 1
            note(monitor.receive(fix, arrival: arrival))
        }

        mutating func didReceive(satellites view: SatelliteView) {
            note(monitor.receive(view))
        }

        private mutating func note(_ isNew: Bool) {
            let integrity = monitor.integrity
            guard isNew, !integrity.reasons.isEmpty else { return }
            verdicts.append("\(epochs) s: \(integrity.state) \(integrity.reasons)")
        }
    }

    /// A drive around blocks, with stops, along streets of every direction.
    private static func drive() throws -> Drive {
        var waypoints: [Drive.RoutePoint] = []
        var random = SeededGenerator(seed: 7)
        var (north, east) = (0.0, 0.0)
        for index in 0..<Int(120 * max(1, hours)) {
            if index.isMultiple(of: 2) {
                north += .random(in: -400...400, using: &random)
            } else {
                east += .random(in: -400...400, using: &random)
            }
            waypoints.append(
                Drive.RoutePoint(
                    Coordinate(latitude: 48.2 + north / 111_200, longitude: 16.37 + east / 74_340),
                    altitude: 170, stop: index.isMultiple(of: 3) ? 20 : 0))
        }
        return try #require(Drive(waypoints))
    }

    @Test(arguments: [Personality.generic, .ublox8, .ublox10, .f9p], [false, true])
    func `a drive through a town raises no alarm`(_ personality: Personality, isUrban: Bool) throws
    {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000)
        configuration.personality = personality
        if personality.sendsUBX { configuration.protocols = .ubx }
        configuration.trajectory = try Self.drive()
        if isUrban { configuration.surroundings = .urban() }
        var receiver = SimulatedReceiver(configuration)
        var decoder = NMEADecoder()
        var run = Run()
        let start = MonotonicInstant.now
        let count = Int(3600 * Self.hours)
        for second in 0..<count {
            run.arrival = start.advanced(by: .seconds(second))
            let bytes = receiver.next().bytes
            decoder.push(bytes.span, to: &run)
            decoder.silence(to: &run)
        }
        #expect(run.verdicts.filter { $0.contains("alarm") } == [])
        #expect(run.verdicts.count <= (count + 9999) / 10_000, "\(run.verdicts)")
        #expect(run.epochs >= count - 1)
    }
}
