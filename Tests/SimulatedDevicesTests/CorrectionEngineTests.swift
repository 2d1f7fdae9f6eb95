// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing
import UBX

/// A simulated receiver that gets corrections each second.
private struct Rover {
    private var receiver: SimulatedReceiver
    private var decoder = NMEADecoder()
    private(set) var fix = Fix()
    private(set) var error = 0.0

    init(_ personality: Personality) { receiver = SimulatedReceiver(.noon(personality)) }

    /// Runs for some seconds. Each second, a base sends its position and these observations.
    mutating func run(seconds: Int, observations type: Int? = 1077) {
        for _ in 0..<seconds {
            let epoch = receiver.next()
            if let type {
                let head = [(type, 12), (7, 12), (0, 30), (0, 115)]
                let position = [(1005, 12), (7, 12), (0, 128)]
                let bytes = Specimen.rtcm(position) + Specimen.rtcm(head)
                _ = receiver.receive(bytes, at: epoch.seconds)
            }
            decoder.push(epoch.bytes.span) { if case .fix(let fix, _) = $0 { self.fix = fix } }
            decoder.silence { if case .fix(let fix, _) = $0 { self.fix = fix } }
            error =
                epoch.observation.solution.map {
                    $0.coordinate.distance(to: epoch.observation.truth.state.coordinate)
                } ?? .infinity
        }
    }

    /// The carrier solution that a poll of NAV-PVT gets.
    mutating func carrierSolution() throws -> UBXCarrierSolution {
        let answer = receiver.answers(to: UBXFrame.bytes(NavPVT.id, payload: []))
        var solution: UBXCarrierSolution?
        if let frame = UBXFrame(answer.span) { solution = NavPVT(frame)?.flags.carrierSolution }
        return try #require(solution)
    }
}

@Suite(.timeLimit(.generous))
struct CorrectionEngineTests {
    @Test func `a ZED-F9P has float after ten seconds of corrections, and fixed after thirty`()
        throws
    {
        var rover = Rover(.f9p)
        rover.run(seconds: 60, observations: nil)
        #expect(try rover.carrierSolution() == .none)
        #expect(rover.fix.correctionAge == nil)
        rover.run(seconds: 15)
        #expect(try rover.carrierSolution() == .float)
        #expect(rover.error < 1)
        rover.run(seconds: 20)
        #expect(try rover.carrierSolution() == .fixed)
        #expect(rover.fix.correctionStation == 7)
        #expect(rover.fix.correctionAge.map { $0 <= 1 } == true)
        #expect(rover.error < 0.03)
        // The corrections end.
        rover.run(seconds: 20, observations: nil)
        #expect(try rover.carrierSolution() == .float)
        rover.run(seconds: 60, observations: nil)
        #expect(try rover.carrierSolution() == .none)
        #expect(rover.fix.correctionAge == nil)
        rover.run(seconds: 40)
        #expect(try rover.carrierSolution() == .fixed)
    }

    @Test func `observations without the full phase are of no use`() throws {
        var rover = Rover(.f9p)
        rover.run(seconds: 60, observations: 1071)
        #expect(try rover.carrierSolution() == .none)
    }

    @Test func `an LG290P reports the corrections in GGA`() {
        var rover = Rover(.lg290p)
        rover.run(seconds: 60)
        #expect(rover.fix.correctionStation == 7)
        #expect(rover.error < 0.03)
    }

    @Test func `a receiver without RTK ignores corrections`() {
        var rover = Rover(.ublox10)
        rover.run(seconds: 60)
        #expect(rover.fix.correctionAge == nil)
    }
}
