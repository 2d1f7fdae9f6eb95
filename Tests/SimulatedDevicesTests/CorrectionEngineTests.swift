// SPDX-License-Identifier: MIT
import GNSS
import GPSTestSupport
import GPSTestTraits
import NMEA
import RTCM
import SimulatedDevices
import Testing
import UBX

/// A simulated receiver that gets corrections each second.
private struct Rover {
    private var receiver: SimulatedReceiver
    private var decoder = NMEADecoder()
    private(set) var fix = Fix()
    private(set) var error = 0.0
    /// The reports that messages were used, and not used.
    private(set) var reports = (used: 0, unused: 0)

    init(_ personality: Personality) { receiver = SimulatedReceiver(.noon(personality)) }

    /// Runs for some seconds. Each second, a base sends its position and these observations.
    mutating func run(seconds: Int, observations type: Int? = 1077) {
        for _ in 0..<seconds {
            let epoch = receiver.next()
            if let type {
                let head = [(type, 12), (7, 12), (0, 30), (0, 115)]
                let position = [(1005, 12), (7, 12), (0, 128)]
                let bytes = Specimen.rtcm(position) + Specimen.rtcm(head)
                for answer in receiver.receive(bytes, at: epoch.seconds) { count(answer.bytes) }
            }
            decoder.push(epoch.bytes.span) { if case .fix(let fix, _) = $0 { self.fix = fix } }
            decoder.silence { if case .fix(let fix, _) = $0 { self.fix = fix } }
            error =
                epoch.observation.solution.map {
                    $0.coordinate.distance(to: epoch.observation.truth.state.coordinate)
                } ?? .infinity
        }
    }

    private mutating func count(_ bytes: [UInt8]) {
        var start = 0
        while start < bytes.count,
            let frame = UBXFrame(bytes.span.extracting(start..<bytes.count))
        {
            if let flags = RxmRTCM(frame)?.flags {
                reports.used += flags.use == 2 ? 1 : 0
                reports.unused += flags.use == 1 ? 1 : 0
            }
            start += frame.payload.count + 8
        }
    }

    /// Sets values in the receiver's configuration database.
    mutating func set(_ items: [ConfigurationItem]) {
        _ = receiver.answers(to: CfgVALSET(items).frame)
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

    @Test func `a ZED-F9P whose input of RTCM 3 is off uses no corrections`() throws {
        var rover = Rover(.f9p)
        rover.set([ConfigurationItem(.input(.rtcm3, on: .usb), false)])
        rover.run(seconds: 60)
        #expect(try rover.carrierSolution() == .none)
        rover.set([ConfigurationItem(.input(.rtcm3, on: .usb), true)])
        rover.run(seconds: 60)
        #expect(try rover.carrierSolution() == .fixed)
    }

    @Test func `a ZED-F9P reports which messages it uses, if that is enabled`() throws {
        var rover = Rover(.f9p)
        rover.run(seconds: 2)
        #expect(rover.reports == (0, 0))
        let output = try #require(MessageOutput.output(RxmRTCM.id))
        rover.set([ConfigurationItem(output.key(on: .usb), 1)])
        rover.run(seconds: 5)
        #expect(rover.reports == (10, 0))
        rover.run(seconds: 5, observations: 1071)
        #expect(rover.reports == (15, 5))
    }

    @Test func `a simulated base makes a rover fixed`() throws {
        var base = SimulatedReceiver(.noon(try #require(Personality.named("base"))))
        var rover = SimulatedReceiver(.noon(.f9p))
        var framer = CorrectionFramer()
        var types: [String: Int] = [:]
        var last: SimulatedEpoch?
        for _ in 0..<60 {
            let bytes = base.next().bytes
            framer.push(bytes) { message in
                types[message.kind.type, default: 0] += 1
                if let text = RTCMText(message) { #expect(text.text == RTCMText.simulated) }
                // A rover knows that the base is simulated before it has a position of it.
                if message.kind.type == "1005" { #expect(types["1029"] == types["1005"]) }
                guard let head = RTCMObservationsHead(message) else { return }
                #expect(head.format == 4 && head.cellCount == head.satellites.count)
                #expect(head.isContinued == (head.constellation != .beiDou))
            }
            let epoch = rover.next()
            _ = rover.receive(bytes, at: epoch.seconds)
            last = epoch
        }
        #expect(types["1074"] == 60 && types["1084"] == 60 && types["1124"] == 60)
        #expect(types["1005"] == 12 && types["1230"] == 12 && types["1029"] == 12)
        #expect(last?.observation.solution?.corrections?.isFixed == true)
    }

    /// Runs a base and a rover, whose tracks are given, for a minute, and returns the rover's last fix. The
    /// rover's first epoch is `delay` seconds after the base's.
    private func fix(
        of base: String, at place: any Trajectory, rover: any Trajectory, delay: Int = 0
    ) throws -> (fix: Fix, truth: TrueState) {
        var configuration = SimulatedReceiver.Configuration.noon(
            try #require(Personality.named(base)))
        configuration.trajectory = place
        var base = SimulatedReceiver(configuration)
        configuration.personality = .f9p
        (configuration.trajectory, configuration.protocols, configuration.seed) = (rover, .ubx, 2)
        var rover = SimulatedReceiver(configuration)
        let output = try #require(MessageOutput.output(NavRELPOSNED.id))
        let items = [ConfigurationItem(output.key(on: .usb), 1)]
        _ = rover.answers(to: CfgVALSET(items).frame)
        for _ in 0..<delay + 1 { _ = base.next() }
        var decoder = NMEADecoder()
        var (fix, truth) = (Fix(), rover.next().truth.state)
        for _ in 0..<60 {
            let bytes = base.next().bytes
            let epoch = rover.next()
            truth = epoch.truth.state
            decoder.push(epoch.bytes.span) { if case .fix(let new, _) = $0 { fix = new } }
            _ = rover.receive(bytes, at: epoch.seconds)
        }
        return (fix, truth)
    }

    @Test(arguments: [0, 3])
    func `a moving base gives a rover the heading and the vector between the antennas`(
        delay: Int
    ) throws {
        // The rover's antenna is two metres to the left of the base's.
        let fix = try fix(
            of: "movingbase", at: CircleTrack(radius: 100, speed: 10),
            rover: CircleTrack(radius: 102, speed: 10.2), delay: delay
        ).fix
        let corrections = fix.corrections
        let north = try #require(corrections.baselineNorth)
        let east = try #require(corrections.baselineEast)
        #expect(abs((north * north + east * east).squareRoot() - 2) < 0.05)
        // The last epoch that the rover knows is the base's before the last; the circle takes 20 π
        // seconds.
        let outward = (Double(59 + delay) / 10 * 180 / .pi).wrappedDegrees
        let heading = try #require(fix.attitude.heading)
        #expect(abs((heading - outward + 180).wrappedDegrees - 180) < 1.5)
        #expect(try #require(fix.attitude.headingAccuracy) < 2)
        #expect(abs(try #require(corrections.baselineDown)) < 0.05)
        // The position stays as accurate as without corrections.
        #expect(try #require(fix.accuracy.horizontal) > 0.2)
    }

    @Test func `the direction from a fixed base is no heading`() throws {
        let place = Coordinate(latitude: 48.2, longitude: 16.4)
        let (fix, truth) = try fix(
            of: "base", at: Stationary(at: place, altitude: 200),
            rover: Stationary(at: place.moved(north: 0, east: 500), altitude: 210))
        #expect(fix.attitude.heading == nil && fix.corrections.baselineEast == nil)
        #expect(try #require(fix.coordinate).distance(to: truth.coordinate) < 0.03)
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
