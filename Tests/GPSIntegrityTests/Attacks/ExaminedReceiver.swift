// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity
import NMEA
import SimulatedDevices
import Testing

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
            return Drive.Waypoint(
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
