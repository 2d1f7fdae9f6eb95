// SPDX-License-Identifier: MIT
import Devices
import GNSS
import Glibc
import Receivers
import Synchronization

/// Where the time of receivers goes.
public struct ClockConfiguration: Hashable, Sendable {
    /// The sockets of chrony's SOCK reference clocks.
    public var chronySockets: [String] = []
    /// The units of NTP's shared memory.
    public var sharedMemoryUnits: [Int] = []
    /// Where the receivers' pulses come: a device such as `/dev/pps0`, whose pulses the kernel stamps, or the
    /// tty of a receiver, on whose DCD line they are waited for.
    public var pulseDevice: String?
    /// Whether the falling edge of a pulse marks the second.
    public var usesClearEdge = false
    /// Seconds from the epoch to its first byte: what the receiver takes to compute and to begin.
    public var delay = 0.0
    /// Also takes the time of pseudo terminals and the network, whose delay is anything. For tests.
    public var trustsAnySource = false

    /// Creates a configuration without any output.
    public init() {}

    var edge: Pulse.Edge { usesClearEdge ? .clear : .assert }
}

/// The clocks that receivers set.
final class ClockOutput: Sendable {
    let configuration: ClockConfiguration
    private let sockets: [ChronySocket]
    private let segments: [SharedMemoryClock]
    /// Behind each segment the one for pulses, as gpsd has it.
    private let pulseSegments: [SharedMemoryClock]
    private let pulseDevice: PulseDevice?
    /// The tty on whose line pulses come, if that is where they come.
    private let pulseLine: String?
    private let pulses = Mutex(PulseClock())

    init(_ configuration: ClockConfiguration) throws {
        self.configuration = configuration
        let path = configuration.pulseDevice
        pulseLine = path.flatMap { Self.isLine($0) ? $0 : nil }
        pulseDevice =
            try pulseLine == nil ? path.map { try PulseDevice($0, edge: configuration.edge) } : nil
        var (sockets, segments): ([ChronySocket], [SharedMemoryClock]) = ([], [])
        var pulseSegments: [SharedMemoryClock] = []
        for path in configuration.chronySockets { sockets.append(try ChronySocket(path)) }
        for unit in configuration.sharedMemoryUnits {
            segments.append(try SharedMemoryClock(unit: unit))
            guard path != nil else { continue }
            pulseSegments.append(try SharedMemoryClock(unit: unit + 1))
        }
        self.sockets = sockets
        self.segments = segments
        self.pulseSegments = pulseSegments
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

    /// Whether pulses come on the line of the tty at this path.
    func havePulses(on path: String) -> Bool {
        pulseLine.map { SourceIdentity(path: $0) == SourceIdentity(path: path) } ?? false
    }

    /// Begins to wait for pulses on a line; they end with the value.
    func pulses(on line: any ControllableLine) throws(DeviceError) -> PulseLine {
        try line.pulses(configuration.edge) { [weak self] pulse in
            self?.pulses.withLock { $0.receive(pulse) }
        }
    }

    /// Whether the time goes nowhere.
    var isEmpty: Bool { sockets.isEmpty && segments.isEmpty }

    /// Whether the time of what is read through this path can be trusted: a line of a receiver's.
    func trusts(_ path: String) -> Bool {
        configuration.trustsAnySource
            || path.hasPrefix("/dev/")
                && !SourceIdentity(path: path).description.hasPrefix("/dev/pts")
    }

    /// Sends the time of an epoch: that of the pulse before it, where there are pulses, which is returned.
    func send(_ sample: ClockSample) -> ClockSample? {
        for segment in segments { segment.write(sample) }
        guard configuration.pulseDevice != nil else {
            for socket in sockets { socket.send(sample) }
            return nil
        }
        // The delay of the sentences is not that of the pulse.
        let delay = Int64(configuration.delay * 1e9)
        let pulse = pulses.withLock {
            $0.sample(trueTime: sample.trueTime - delay, burstStart: sample.systemTime)
        }
        guard let pulse else { return nil }
        for socket in sockets { socket.send(pulse) }
        for segment in pulseSegments { segment.write(pulse) }
        return pulse
    }
}

/// The time of one receiver: fixes and arrivals in, samples out.
struct ReceiverClock: Sendable {
    private var timer = BurstTimer()
    private var filter = ClockFilter()

    /// Begins anew.
    mutating func reset() {
        self = ReceiverClock()
    }

    /// Call with each chunk of bytes, as soon as it has been read.
    mutating func receive(byteCount: Int, baudRate: Int?) {
        timer.receive(byteCount: byteCount, baudRate: baudRate)
    }

    /// The sample of a fix, where there is one.
    mutating func sample(of fix: Fix, delay: Double) -> ClockSample? {
        let start = timer.takeStart()
        guard let time = filter.time(of: fix), let start else { return nil }
        return ClockSample(trueTime: time + Int64(delay * 1e9), systemTime: start)
    }
}
