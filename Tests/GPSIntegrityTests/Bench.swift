// SPDX-License-Identifier: MIT
import GNSS
import GPSIntegrity

/// A monitor that gets the epochs of a synthetic receiver, one per second.
///
/// Without disturbances, the receiver is at rest or drives east, receives four systems under an
/// open sky, and its sentences arrive up to 0.1 s late.
struct Bench {
    /// One epoch, as the receiver reports it.
    struct Epoch {
        /// Seconds since the start.
        let second: Double
        var fix: Fix
        var view: SatelliteView
        /// The seconds from the epoch to the arrival of the first byte.
        var delay: Double
    }

    /// The changes of the state, with their times.
    struct Event: Equatable {
        let second: Double
        let state: Integrity.State
        let tests: Set<Integrity.Test>
    }

    private static let noon = UTCTime(
        date: CalendarDate(year: 2026, month: 3, day: 21) ?? .unixEpoch,
        time: TimeOfDay(wrapping: 43_200_000_000_000))
    private static let boot = MonotonicInstant.now

    var monitor: IntegrityMonitor
    /// Metres per second to the east.
    var speed = 0.0
    /// Whether arrival times are given.
    var isLive = true
    /// The error of the system's clock in seconds; `nil` if the monitor is not given its time.
    var systemError: Double?
    /// The seconds between two epochs.
    var period = 1.0
    /// The distance to the east of the start in metres.
    private(set) var east = 0.0
    private(set) var second = 0.0
    private(set) var events: [Event] = []
    private var random: SeededGenerator

    /// Creates a monitor, and runs it for a number of seconds. `change` modifies each epoch.
    init(
        settings: IntegrityMonitor.Settings = .init(), seed: UInt64 = 1, speed: Double = 0,
        isLive: Bool = true, systemError: Double? = nil, after seconds: Double = 0,
        _ change: (inout Epoch) -> Void = { _ in }
    ) {
        monitor = IntegrityMonitor(settings: settings)
        random = SeededGenerator(seed: seed)
        self.speed = speed
        self.isLive = isLive
        self.systemError = systemError
        run(seconds, change)
    }

    var state: Integrity.State { monitor.integrity.state }
    var tests: Set<Integrity.Test> { Set(monitor.integrity.reasons.map(\.test)) }
    var text: String { monitor.integrity.reasons.map(\.text).joined(separator: "; ") }

    /// Returns the first event with this state in or after a second.
    func first(_ state: Integrity.State, after second: Double = 0) -> Double? {
        events.first { $0.state == state && $0.second >= second }?.second
    }

    /// Returns the second in which a test was first named.
    func first(_ test: Integrity.Test) -> Double? {
        events.first { $0.tests.contains(test) }?.second
    }

    /// Runs for a number of seconds. `change` modifies each epoch.
    mutating func run(_ seconds: Double, _ change: (inout Epoch) -> Void = { _ in }) {
        for _ in 0..<Int((seconds / period).rounded()) {
            second += period
            east += speed * period
            var epoch = undisturbed()
            change(&epoch)
            let arrival = Self.boot.advanced(by: .seconds(second + epoch.delay))
            let system = systemError.flatMap { Self.time(second + epoch.delay + $0) }
            let isNew = monitor.receive(
                epoch.fix, arrival: isLive ? arrival : nil, time: system)
            let isNewer = monitor.receive(epoch.view)
            if isNew || isNewer {
                events.append(Event(second: second, state: state, tests: tests))
            }
        }
    }

    /// Returns the position at a distance in metres east of the start.
    static func place(_ east: Double, north: Double = 0) -> Coordinate {
        Coordinate(latitude: 48.2 + north / 111_200, longitude: 16.37 + east / 74_340)
    }

    static func time(_ second: Double) -> UTCTime? {
        UTCTime(unixNanoseconds: noon.unixNanoseconds + Int64((second * 1e9).rounded()))
    }

    private mutating func undisturbed() -> Epoch {
        var fix = Fix()
        fix.time = Self.time(second)
        fix.timeOfDay = fix.time?.time
        (fix.mode, fix.quality) = (.threeD, .autonomous)
        fix.coordinate = Self.place(
            east + .random(in: -0.3...0.3, using: &random),
            north: .random(in: -0.3...0.3, using: &random))
        (fix.altitude, fix.ellipsoidalAltitude) = (170, 214)
        (fix.speed, fix.course) = (speed, 90)
        fix.accuracy.horizontal = 2.5
        return Epoch(
            second: second, fix: fix, view: sky(),
            delay: .random(in: 0.05...0.15, using: &random))
    }

    private mutating func sky() -> SatelliteView {
        var view = SatelliteView()
        for constellation in [Constellation.gps, .galileo, .beiDou, .glonass] {
            for number in 1...7 {
                guard let id = SatelliteID(constellation, number) else { continue }
                let elevation = Double(5 + number * 11)
                let strength = 28 + Double(number * 3) + .random(in: -1...1, using: &random)
                view.signals.append(
                    SatelliteSignal(
                        id: id, signal: 1, elevation: elevation, azimuth: Double(number * 40),
                        cn0: strength.rounded()))
                view.used.insert(id)
            }
        }
        view.signals.sort { $0.sortKey < $1.sortKey }
        view.time = Self.time(second)
        return view
    }
}

extension Bench.Epoch {
    /// Removes the fix.
    mutating func lose() {
        var lost = Fix()
        (lost.time, lost.timeOfDay) = (fix.time, fix.timeOfDay)
        fix = lost
        view.used = SatelliteIDSet()
    }

    /// Changes the strength of each signal; those that fall below 25 dB-Hz are lost.
    mutating func strengths(_ change: (SatelliteSignal) -> Double) {
        for index in view.signals.indices where view.signals[index].cn0 != nil {
            let strength = change(view.signals[index])
            view.signals[index].cn0 = strength < 25 ? nil : strength
        }
    }

    /// Moves the position to the east by a number of metres.
    mutating func shift(_ metres: Double) {
        fix.coordinate?.longitude += metres / 74_340
    }

    /// Changes the time by a number of seconds.
    mutating func shiftTime(_ seconds: Double) {
        guard let time = fix.time else { return }
        fix.time = UTCTime(unixNanoseconds: time.unixNanoseconds + Int64(seconds * 1e9))
        fix.timeOfDay = fix.time?.time
    }
}
