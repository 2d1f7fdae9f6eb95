// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Glibc
import Synchronization

/// The clocks that receivers set.
final class ClockOutput: Sendable {
    let configuration: ClockConfiguration
    private let sockets: [ChronySocket]
    private let segments: [SharedMemoryClock]
    /// Behind each segment the one for pulses, as gpsd has it.
    private let pulseSegments: [SharedMemoryClock]
    private let pulseDevice: PulseDevice?
    /// The tty whose line has pulses; `nil` if they come from a device.
    private let pulseLine: String?
    private let pulses = Mutex(PulseClock())
    private let log: @Sendable (String) -> Void
    private let reports: Mutex<ClockReports>

    /// With `keepsRights` time is sent with the present rights of the process, also after it has given them up.
    init(
        _ configuration: ClockConfiguration, keepsRights: Bool = false,
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws {
        self.configuration = configuration
        self.log = log
        let path = configuration.pulseDevice
        pulseLine = path.flatMap { Self.isLine($0) ? $0 : nil }
        pulseDevice =
            try pulseLine == nil ? path.map { try PulseDevice($0, edge: configuration.edge) } : nil
        var (sockets, segments): ([ChronySocket], [SharedMemoryClock]) = ([], [])
        var pulseSegments: [SharedMemoryClock] = []
        for path in configuration.chronySockets {
            sockets.append(try ChronySocket(path, keepsRights: keepsRights))
        }
        for unit in configuration.sharedMemoryUnits {
            segments.append(try SharedMemoryClock(unit: unit))
            guard path != nil else { continue }
            pulseSegments.append(try SharedMemoryClock(unit: unit + 1))
        }
        self.sockets = sockets
        self.segments = segments
        self.pulseSegments = pulseSegments
        reports = Mutex(
            ClockReports(
                sockets: sockets.map(\.path), units: (segments + pulseSegments).map(\.unit),
                pulseDevice: path))
    }

    deinit { pulseDevice?.close() }

    /// Begins to wait for pulses.
    func start() throws {
        try pulseDevice?.start { [weak self] pulse in
            self?.pulses.withLock { $0.receive(pulse) }
        }
    }

    /// A tty that is not there may be plugged in later.
    private static func isLine(_ path: String) -> Bool {
        PulseLine.isPossible(at: path)
            || access(FileName.native(path), F_OK) != 0 && !path.hasPrefix("/dev/pps")
    }

    /// Whether the line of the tty at this path has pulses.
    func havePulses(on path: String) -> Bool {
        pulseLine.map { SourceIdentity(path: $0) == SourceIdentity(path: path) } ?? false
    }

    /// Begins to wait for pulses on a line; they end with the value.
    func pulses(on line: ControllableLine) throws(DeviceError) -> PulseLine {
        try line.pulses(configuration.edge) { [weak self] pulse in
            self?.pulses.withLock { $0.receive(pulse) }
        }
    }

    /// Whether there are no outputs of time.
    var isEmpty: Bool { sockets.isEmpty && segments.isEmpty }

    /// The reason for not using the time of a source with this path: it is not a receiver's line.
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

    /// The targets of the time, and whether it reaches them, for `/metrics`.
    var metrics: [ClockReports.Target] { reports.withLock { $0.targets } }

    /// Sends the time of an epoch: that of the pulse before it, where there are pulses, which is returned.
    func send(_ sample: ClockSample, at now: MonotonicInstant) -> ClockSample? {
        var pulse: ClockSample?
        if configuration.pulseDevice != nil {
            // The delay of the sentences is not that of the pulse.
            let delay = Int64(configuration.delay * 1e9)
            pulse = pulses.withLock {
                $0.sample(trueTime: sample.trueTime - delay, burstStart: sample.systemTime)
            }
        }
        let chronySample = configuration.pulseDevice == nil ? sample : pulse
        let results = sockets.map { socket in chronySample.flatMap { socket.send($0) } }
        let areRead =
            segments.map { $0.write(sample) }
            + pulseSegments.map { segment in pulse.map { segment.write($0) } }
        let news = reports.withLock { reports in
            reports.note(results: results, areRead: areRead, hasPulse: pulse != nil, at: now)
        }
        for line in news { log(line) }
        return pulse
    }
}
