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
