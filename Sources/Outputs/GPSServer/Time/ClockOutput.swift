// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Glibc
import Synchronization

/// Sends the receivers' time, and PPS pulses, to the configured clock services.
final class ClockOutput: Sendable {
    let configuration: ClockConfiguration
    private let sockets: [ChronySocket]
    private let segments: [SharedMemoryClock]
    /// The shared memory segments for pulses. As in gpsd, each uses the unit after the unit for
    /// sentences.
    private let pulseSegments: [SharedMemoryClock]
    private let pulseDevice: PulseDevice?
    /// The path of the tty with pulses on its DCD line; `nil` if another device provides the
    /// pulses.
    private let pulseLine: String?
    private let pulses = Mutex(PulseClock())
    private let log: @Sendable (String) -> Void
    private let reports: Mutex<ClockReports>

    /// Opens the clock services and the PPS device. If `keepsRights` is `true`, samples are sent to
    /// chronyd with the current privileges, even after the process has dropped them.
    ///
    /// Throws an error if one cannot be used, or if a unit of shared memory would receive both
    /// sentences and pulses.
    init(
        _ configuration: ClockConfiguration, keepsRights: Bool = false,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        self.log = log
        if let unit = configuration.unitWithTwoInputs {
            throw ServerError(.useSharedMemory(unit: unit), errno: EBUSY)
        }
        let path = configuration.pulseDevice
        pulseLine = path.flatMap { Self.isLine($0) ? $0 : nil }
        pulseDevice =
            try pulseLine == nil ? path.map { try PulseDevice($0, edge: configuration.edge) } : nil
        let units = configuration.sharedMemoryUnits
        sockets = try configuration.chronySockets.map {
            try ChronySocket($0, keepsRights: keepsRights)
        }
        segments = try units.map { try SharedMemoryClock(unit: $0) }
        pulseSegments =
            path == nil ? [] : try units.map { try SharedMemoryClock(unit: $0 + 1) }
        reports = Mutex(
            ClockReports(
                sockets: sockets.map(\.path), units: (segments + pulseSegments).map(\.unit),
                pulseDevice: path))
    }

    deinit { pulseDevice?.close() }

    /// Starts to receive the pulses of a PPS device, if one is configured.
    func start() throws {
        try pulseDevice?.start { [weak self] pulse in
            self?.pulses.withLock { $0.receive(pulse) }
        } onFailure: { [log] error in
            log("pulses are no longer used: \(error) Then start this program again.")
        }
    }

    /// Returns whether a path is a tty rather than a PPS device. A missing device counts as a tty
    /// unless it is named `/dev/pps…`, because it may be plugged in later.
    private static func isLine(_ path: String) -> Bool {
        PulseLine.isPossible(at: path)
            || access(FileName.native(path), F_OK) != 0 && !path.hasPrefix("/dev/pps")
    }

    /// Returns whether the tty at this path is the configured `pulseDevice`.
    func usesPulses(from path: String) -> Bool {
        pulseLine.map { SourceIdentity(path: $0) == SourceIdentity(path: path) } ?? false
    }

    /// Starts to receive pulses on a tty's DCD line. It stops when the returned object is released.
    func pulses(on line: ControllableLine) throws(DeviceError) -> PulseLine {
        try line.connection.pulses(configuration.edge) { [weak self] pulse in
            self?.pulses.withLock { $0.receive(pulse) }
        }
    }

    /// `true` if no clock services are configured.
    var isEmpty: Bool { sockets.isEmpty && segments.isEmpty }

    /// Returns the reason why the time of a source that was opened at `path` must not be used;
    /// `nil` if it may be.
    func obstacle(to source: any DeviceSource, at path: String) -> ClockObstacle? {
        switch source.origin {
        case .simulated: return .simulated
        case .replay: return .replayed
        default: break
        }
        guard !configuration.trustsAnySource else { return nil }
        let path = SourceIdentity(path: path).description
        guard path.hasPrefix("/dev/") else { return .noLine }
        return path.hasPrefix("/dev/pts") ? .pseudoTerminal : nil
    }

    /// The destinations of the time and whether they are reached, for `/metrics`.
    var metrics: [ClockReports.Target] { reports.withLock { $0.targets } }

    /// Returns whether any clock follows a receiver. `receiver` is the receiver's index among
    /// several; `nil` for the only one.
    func usesTime(of receiver: Int?) -> Bool {
        [sockets.count, segments.count].contains { count in
            (0..<count).contains { Self.follows(receiver, $0, of: count) }
        }
    }

    /// Returns whether the clock with the index `clock`, among `count` of its kind, follows a
    /// receiver.
    ///
    /// Receivers report with different delays. So if there are several receivers and several
    /// clocks, the first clock follows the first receiver, and so on. The only receiver sets all
    /// clocks, and all receivers set the only clock.
    private static func follows(_ receiver: Int?, _ clock: Int, of count: Int) -> Bool {
        receiver == nil || count == 1 || receiver == clock
    }

    /// Sends an epoch's sample and, if pulses are configured, a sample for the pulse before it.
    /// With pulses, chronyd receives only the pulse's sample. `receiver` is the receiver's index
    /// among several; `nil` for the only one.
    ///
    /// Returns the pulse's sample; `nil` if there is none.
    func send(
        _ sample: ClockSample, of receiver: Int?, at now: MonotonicInstant
    ) -> ClockSample? {
        var pulse: ClockSample?
        if configuration.pulseDevice != nil {
            // `trueTime` includes the delay of sentences, which does not apply to pulses.
            let delay = Int64(nanosecondsIn: configuration.delay)
            let user = max(sockets.count, segments.count) > 1 ? receiver : nil
            pulse = pulses.withLock {
                $0.sample(
                    trueTime: sample.trueTime &- delay, burstStart: sample.systemTime, by: user)
            }
        }
        let chronySample = configuration.pulseDevice == nil ? sample : pulse
        func results<Output, Result>(
            of clocks: [Output], _ sample: ClockSample?, _ send: (Output, ClockSample) -> Result?
        ) -> [Result?] {
            clocks.enumerated().map { index, clock in
                guard let sample, Self.follows(receiver, index, of: clocks.count) else {
                    return nil
                }
                return send(clock, sample)
            }
        }
        let outcomes = results(of: sockets, chronySample) { $0.send($1) }
        let areRead =
            results(of: segments, sample) { $0.write($1) }
            + results(of: pulseSegments, pulse) { $0.write($1) }
        let messages = reports.withLock { reports in
            reports.note(results: outcomes, areRead: areRead, hasPulse: pulse != nil, at: now)
        }
        for line in messages { log(line) }
        return pulse
    }
}
