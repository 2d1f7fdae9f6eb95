// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing

/// Scripted attacks. They show that the tests work as described, not that real attacks look like
/// this.
///
/// Each begins after twelve minutes, when the oscillator counts as warm.
@Suite(.timeLimit(.generous)) struct AttackTests {
    private static let start = 720.0

    /// A bench with a quiet history, at rest; `change` also applies to it.
    private func bench(
        speed: Double = 0, _ change: (inout Bench.Epoch) -> Void = { _ in }
    ) -> Bench {
        Bench(speed: speed, after: Self.start, change)
    }

    /// The values of a receiver with detectors, an oscillator and a gain.
    private func equip(_ epoch: inout Bench.Epoch) {
        (epoch.fix.jamming, epoch.fix.spoofing) = (JammingState.none, SpoofingState.none)
        epoch.fix.gain = 0.61
        let bias = Int32((-370 * epoch.second).truncatingRemainder(dividingBy: 1e6))
        epoch.fix.receiverClock = ReceiverClock(bias: bias)
        epoch.fix.accuracy.time = 20e-9
    }

    @Test func `a jammer that passes is a warning by the fall of C/N0 alone`() throws {
        var bench = bench()
        #expect(bench.state == .ok)
        bench.run(40) { epoch in
            let seconds = epoch.second - Self.start
            let loss = 15 * max(0, 1 - abs(seconds - 20) / 20)
            epoch.strengths { ($0.cn0 ?? 0) - loss }
        }
        let warning = try #require(bench.first(.warning, after: Self.start))
        #expect(warning <= Self.start + 20)
        #expect(bench.tests == [.signalFall])
        bench.run(65)
        #expect(bench.state == .ok && bench.monitor.integrity.reasons.isEmpty)
    }

    @Test func `a jammer that the receiver reports is a warning after two seconds, then an alarm`()
        throws
    {
        var bench = bench(equip)
        bench.run(40) { epoch in
            equip(&epoch)
            let seconds = epoch.second - Self.start
            let loss = 15 * max(0, 1 - abs(seconds - 20) / 20)
            epoch.strengths { ($0.cn0 ?? 0) - loss }
            epoch.fix.gain = Float(0.61 - loss * 0.028)
            epoch.fix.jamming = loss > 12 ? .critical : loss > 3 ? .warning : JammingState.none
            epoch.fix.jammedFrequency = loss > 3 ? 1_575_420_000 : nil
            if loss > 12 { epoch.lose() }
        }
        #expect(try #require(bench.first(.warning, after: Self.start)) <= Self.start + 8)
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 20)
        #expect(bench.text.contains("jamming at 1575.42 MHz"))
    }

    @Test func `a jump to false signals is an alarm with the first fix, by the clock`() throws {
        var bench = bench(equip)
        bench.run(30) { epoch in
            equip(&epoch)
            let seconds = epoch.second - Self.start
            guard seconds > 5 else {
                epoch.lose()
                return epoch.strengths { _ in 0 }
            }
            epoch.strengths { 48 + ($0.id.svid.isMultiple(of: 2) ? 0.5 : -0.5) }
            epoch.shift(400)
            epoch.shiftTime(1.2)
            epoch.fix.accuracy.horizontal = 3
            if seconds <= 8 { epoch.fix.spoofing = .indicated }
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 7)
        #expect(
            bench.tests.isSuperset(of: [.clockStep, .positionGap, .signalSpread, .spoofing]))
        // Five lists, which begin five seconds after the start.
        #expect(try #require(bench.first(.signalSpread)) <= Self.start + 5 + 5 + 2)
        #expect(bench.text.contains("receiver clock stepped 1.1"))
    }

    @Test func `equally strong satellites are an alarm after five lists`() throws {
        var bench = bench()
        bench.run(10) { $0.strengths { 46 + ($0.id.svid.isMultiple(of: 2) ? 1 : -1) } }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 5 + 2)
        #expect(bench.tests == [.signalSpread])
        #expect(bench.text.hasPrefix("C/N0 of 28 satellites is equal within 1.0 dB for "))
    }

    @Test func `a slow drag-off is an alarm by the strength of its signals`() throws {
        var bench = bench(equip)
        bench.run(60) { epoch in
            equip(&epoch)
            let seconds = epoch.second - Self.start
            let share = min(1, seconds / 10)
            // Position and velocity agree: the step shows nothing.
            epoch.shift(max(0, seconds - 10))
            epoch.fix.speed = seconds > 10 ? 1 : 0
            let strength = { (signal: SatelliteSignal) in
                let own = signal.cn0 ?? 0
                let false_ = 44 + (signal.id.svid.isMultiple(of: 2) ? 1.2 : -1.2)
                return own + 3 * share + (false_ - own - 3) * share
            }
            epoch.strengths(strength)
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 10 + 5 + 2)
        #expect(bench.tests == [.signalSpread])
    }

    @Test func `false signals of GPS alone are an alarm by their strength, and by the silence`()
        throws
    {
        var bench = bench(equip)
        bench.run(30) { epoch in
            equip(&epoch)
            epoch.strengths { signal in
                guard signal.id.constellation == .gps else { return (signal.cn0 ?? 0) - 30 }
                return 46 + (signal.id.svid.isMultiple(of: 2) ? 0.5 : -0.5)
            }
            epoch.fix.spoofing = nil
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 5 + 2)
        #expect(bench.tests.isSuperset(of: [.signalSpread, .systemsLost, .detectorSilent]))
        #expect(bench.text.contains("receiver no longer reports whether there is spoofing"))
    }

    @Test func `delayed true signals are an alarm by the step, and by the oscillator`() throws {
        var bench = bench(equip)
        bench.run(10) { epoch in
            equip(&epoch)
            epoch.strengths { ($0.cn0 ?? 0) + 4 }
            epoch.shift(300)
            epoch.fix.receiverClock?.bias? += 1000
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 2)
        #expect(bench.tests == [.positionStep, .receiverClock])
        #expect(bench.text.contains("moved 300 m in 1 s at a reported speed of 0 m/s"))
    }

    @Test func `time that is dragged along is an alarm by the oscillator within two seconds`()
        throws
    {
        var bench = bench(equip)
        bench.run(60) { epoch in
            equip(&epoch)
            epoch.fix.receiverClock?.bias? += Int32(100 * (epoch.second - Self.start))
        }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 2)
        #expect(bench.tests == [.receiverClock])
    }

    @Test(arguments: [true, false])
    func `a date 1024 weeks back is an alarm at once, also in a recording`(isLive: Bool) throws {
        var bench = Bench(isLive: isLive, after: Self.start)
        bench.run(10) { $0.shiftTime(-1024 * 7 * 86_400) }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + 1)
        #expect(bench.text.contains("date jumped 1024 weeks backwards"))
    }

    @Test(arguments: [(1.0, 1.0), (-1.0, 40.0)])
    func `a wrong leap second is an alarm: forwards at once, backwards after half a minute`(
        step: Double, window: Double
    ) throws {
        var bench = bench()
        bench.run(60) { $0.shiftTime(step) }
        #expect(try #require(bench.first(.alarm, after: Self.start)) <= Self.start + window)
        #expect(bench.tests == [.clockStep])
    }

    @Test func `a frozen receiver that drives is a warning after 50 m`() throws {
        var bench = bench(speed: 10)
        let place = Bench.place(bench.east)
        bench.run(20) { $0.fix.coordinate = place }
        #expect(
            try #require(bench.first(.warning, after: Self.start)) <= Self.start + 6 + 2,
            "\(bench.events)")
        #expect(bench.tests.contains(.positionFrozen))
    }

    @Test func `a frozen sky is a warning after a minute`() throws {
        var bench = bench()
        var frozen: SatelliteView?
        bench.run(80) { epoch in
            let view = frozen ?? epoch.view
            (epoch.view, frozen) = (view, view)
        }
        #expect(
            try #require(bench.first(.warning, after: Self.start)) <= Self.start + 60 + 4,
            "\(bench.events)")
        #expect(bench.tests == [.signalsFrozen])
    }

    @Test func `a receiver that starts under an attack is an alarm within seconds`() throws {
        let bench = Bench(after: 10) {
            $0.strengths { 46 + ($0.id.svid.isMultiple(of: 2) ? 1 : -1) }
        }
        #expect(try #require(bench.first(.alarm)) <= 7)
    }

    @Test func `a drag-off with realistic signal strengths is not detected by a single receiver`() {
        var bench = bench()
        bench.run(300) { epoch in
            epoch.shift(epoch.second - Self.start)
            (epoch.fix.speed, epoch.fix.course) = (1, 90)
        }
        #expect(bench.state == .ok)
    }
}

/// Attacks on the signals of simulated receivers, whose bytes are decoded and examined.
@Suite(.timeLimit(.generous)) struct SimulatedAttackTests {
    /// Eleven minutes, after which the oscillator counts as warm.
    private static let warmUp = 660

    @Test(arguments: ExaminedReceiver.Kind.allCases, [false, true])
    func `a receiver notices each attack within its window, or never`(
        _ kind: ExaminedReceiver.Kind, isDriving: Bool
    ) throws {
        var receiver = try ExaminedReceiver(
            kind, seed: 39, isDriving: isDriving, isUrban: isDriving)
        receiver.run(seconds: Self.warmUp)
        #expect(receiver.integrity.state == .ok)
        #expect(!receiver.events.contains { $0.isRaised })
        for attack in ScriptedAttack.all {
            let (attacked, start) = try attack.run(on: receiver)
            let first = attacked.events.first { $0.isRaised && $0.second >= start }
            guard let window = attack.windows[kind] else {
                #expect(first == nil, "\(attack.fault): \(attacked.integrity.reasons)")
                continue
            }
            let delay = first.map { $0.second - start }
            #expect(delay ?? .max <= window + 2, "\(attack.fault): \(String(describing: first))")
        }
    }

    @Test
    func `the monitor of a single receiver does not detect a careful drag-off`()
        throws
    {
        var receivers = try (0..<3).map {
            try ExaminedReceiver(.m10, seed: UInt64(7 + $0), isDriving: false, isUrban: false)
        }
        receivers[2].add(try Fault("100s: careful-drag 1n"))
        for index in receivers.indices {
            receivers[index].run(seconds: 160)
            #expect(receivers[index].integrity.state == .ok)
        }
    }
}

/// An attack as a fault script, and the tests with which a receiver can notice it.
struct ScriptedAttack: Sendable {
    /// The duration of each attack in seconds.
    static let duration = 60

    let fault: String
    /// Seconds from the start of the attack to the end of the window of a test that must notice it, by
    /// the kind of receiver. A kind that is not listed can't notice it.
    let windows: [ExaminedReceiver.Kind: Int]

    /// Runs the attack on a copy of a receiver. Returns the copy, and the second at which the
    /// attack began.
    func run(on receiver: ExaminedReceiver) throws -> (receiver: ExaminedReceiver, start: Int) {
        var attacked = receiver
        let start = receiver.second
        attacked.add(try Fault("\(start)s: \(fault)"))
        attacked.run(seconds: Self.duration)
        return (attacked, start)
    }

    private init(_ fault: String, _ windows: [ExaminedReceiver.Kind: Int]) {
        (self.fault, self.windows) = (fault, windows)
    }

    private static func all(_ seconds: Int) -> [ExaminedReceiver.Kind: Int] {
        [.nmea: seconds, .m10: seconds, .f9p: seconds]
    }

    static let all: [ScriptedAttack] = [
        ScriptedAttack("passing-jammer 25dB for 60s", all(30)),
        ScriptedAttack("spoof 400n", all(1)),
        ScriptedAttack("equal-power 0n", all(5)),
        ScriptedAttack("equal-power 400n", all(1)),
        // Signals become equal within ten seconds, and five lists follow.
        ScriptedAttack("drag-off 1n", all(15)),
        ScriptedAttack("drag-off 10n", all(15)),
        ScriptedAttack("meacon 300e", all(1)),
        // Sentences arrive too irregularly to notice a second at once.
        ScriptedAttack("clock-off 2s", [.nmea: 10, .m10: 1, .f9p: 1]),
        // Repeated times are left out. Later ones are late, which takes half a minute to notice.
        ScriptedAttack("clock-off -2s", all(40)),
        ScriptedAttack("time-walk 300ns", [.m10: 1, .f9p: 1]),
        ScriptedAttack("time-walk 20ns", [:]),
        ScriptedAttack("careful-drag 1n", [:]),
    ]
}

/// A simulated receiver whose bytes are decoded, and examined by a monitor. A copy continues
/// independently.
struct ExaminedReceiver: Sendable {
    /// The protocol and the generation of a receiver.
    enum Kind: String, CaseIterable, Sendable {
        /// Sentences: GPS and GLONASS.
        case nmea = "NMEA"
        /// UBX, without a detector of false signals.
        case m10 = "M10"
        /// UBX, with all detectors.
        case f9p = "F9P"
    }

    private struct Listener: DecoderListener {
        var monitor = IntegrityMonitor()
        var arrival: MonotonicInstant?
        var second = 0
        var epochs = 0
        var events: [Event] = []
        var wantsSentences: Bool { false }

        mutating func didReceive(fix: Fix, satellites view: SatelliteView) {
            epochs += 1
            note(monitor.receive(fix, arrival: arrival))
        }

        mutating func didReceive(satellites view: SatelliteView) { note(monitor.receive(view)) }

        private mutating func note(_ isNew: Bool) {
            let integrity = monitor.integrity
            guard isNew else { return }
            events.append(
                Event(
                    second: second, state: integrity.state,
                    tests: Set(integrity.reasons.map(\.test)),
                    text: integrity.reasons.map(\.text).joined(separator: "; ")))
        }
    }

    /// A change of the state or of its reasons.
    struct Event: Sendable {
        /// Seconds since the start.
        var second: Int
        var state: Integrity.State
        var tests: Set<Integrity.Test>
        /// The reasons as text.
        var text: String

        var isRaised: Bool { state == .warning || state == .alarm }
    }

    private static let boot = MonotonicInstant.now

    let kind: Kind
    private var receiver: SimulatedReceiver
    private var decoder = NMEADecoder()
    private var listener = Listener()
    private var random: SeededGenerator

    /// A receiver at rest or driving, in a street or in the open. Walls reflect everywhere.
    init(_ kind: Kind, seed: UInt64, isDriving: Bool, isUrban: Bool) throws {
        self.kind = kind
        random = SeededGenerator(seed: seed ^ 0xA77A_C4ED)
        var configuration = SimulatedReceiver.Configuration()
        configuration.seed = seed
        // Each seed has a different sky.
        let start = 1_774_094_400 + Int64(seed % 86_400) * 997 % 86_400
        configuration.start = UTCTime(unixNanoseconds: start * 1_000_000_000)
        switch kind {
        case .nmea: configuration.personality = .generic
        case .m10: configuration.personality = .ublox10
        case .f9p: configuration.personality = .f9p
        }
        if kind != .nmea { configuration.protocols = .ubx }
        configuration.surroundings = isUrban ? .urban() : Surroundings(hasMultipath: true)
        let place = Coordinate(latitude: 48.2, longitude: 16.37)
        configuration.trajectory =
            isDriving ? try Self.drive(from: place, &random) : Stationary(at: place, altitude: 171)
        receiver = SimulatedReceiver(configuration)
    }

    /// Returns the `number`-th of many runs, which cover all kinds, at rest and driving, in the
    /// open and in streets.
    init(run number: Int) throws {
        let kinds = Kind.allCases
        try self.init(
            kinds[number % kinds.count], seed: UInt64(number) + 1,
            isDriving: number / kinds.count % 2 == 1, isUrban: number / kinds.count / 2 % 2 == 1)
    }

    /// A drive around blocks, with stops.
    private static func drive(
        from place: Coordinate, _ random: inout SeededGenerator
    ) throws -> Drive {
        var (north, east) = (0.0, 0.0)
        let waypoints = (0..<60).map { index in
            defer {
                let way = Double.random(in: -400...400, using: &random)
                if index.isMultiple(of: 2) { north += way } else { east += way }
            }
            return Drive.RoutePoint(
                Coordinate(
                    latitude: place.latitude + north / 111_200,
                    longitude: place.longitude + east / 74_140),
                altitude: 171, stop: index.isMultiple(of: 3) ? 20 : 0)
        }
        return try #require(Drive(waypoints))
    }

    /// Seconds since the start.
    var second: Int { listener.second }
    var epochs: Int { listener.epochs }
    var events: [Event] { listener.events }
    var integrity: Integrity { listener.monitor.integrity }

    /// The number of epochs in which a test hit.
    func hits(of test: Integrity.Test) -> Int { listener.monitor.counts(of: test).hit }

    mutating func add(_ fault: Fault) { receiver.add(fault) }

    mutating func run(seconds: Int) {
        for _ in 0..<seconds {
            let bytes = receiver.next().bytes
            // The delay of sentences varies by 0.6 s, as measured on serial lines.
            let wander = kind == .nmea ? 0.6 : 0.05
            let delay = 0.33 + wander * random.unit()
            listener.arrival = Self.boot.advanced(by: .seconds(Double(second) + delay))
            decoder.push(bytes.span, to: &listener)
            decoder.silence(to: &listener)
            listener.second += 1
        }
    }
}
