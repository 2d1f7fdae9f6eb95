// SPDX-License-Identifier: MIT
import Devices
import GNSS
import Glibc
import Synchronization

/// Where the time of receivers goes.
public struct ClockConfiguration: Hashable, Sendable {
    /// The sockets of chrony's SOCK reference clocks.
    public var chronySockets: [String] = []
    /// The units of NTP's shared memory.
    public var sharedMemoryUnits: [Int] = []
    /// Seconds from the epoch to its first byte: what the receiver takes to compute and to begin.
    public var delay = 0.0
    /// Also takes the time of pseudo terminals and the network, whose delay is anything. For tests.
    public var trustsAnySource = false

    /// Creates a configuration without any output.
    public init() {}
}

/// The clocks that receivers set.
final class ClockOutput: Sendable {
    let configuration: ClockConfiguration
    private let sockets: [ChronySocket]
    private let segments: [SharedMemoryClock]

    init(_ configuration: ClockConfiguration) throws(ServerError) {
        self.configuration = configuration
        var (sockets, segments): ([ChronySocket], [SharedMemoryClock]) = ([], [])
        for path in configuration.chronySockets { sockets.append(try ChronySocket(path)) }
        for unit in configuration.sharedMemoryUnits {
            segments.append(try SharedMemoryClock(unit: unit))
        }
        self.sockets = sockets
        self.segments = segments
    }

    /// Whether the time goes nowhere.
    var isEmpty: Bool { sockets.isEmpty && segments.isEmpty }

    /// Whether the time of what is read through this path can be trusted: a line of a receiver's.
    func trusts(_ path: String) -> Bool {
        configuration.trustsAnySource
            || path.hasPrefix("/dev/")
                && !SourceIdentity(path: path).description.hasPrefix("/dev/pts")
    }

    func send(_ sample: ClockSample) {
        for socket in sockets { socket.send(sample) }
        for segment in segments { segment.write(sample) }
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
        timer.receive(
            byteCount: byteCount, baudRate: baudRate, now: Self.nanoseconds(CLOCK_MONOTONIC),
            clock: Self.nanoseconds(CLOCK_REALTIME))
    }

    /// The sample of a fix, where there is one.
    mutating func sample(of fix: Fix, delay: Double) -> ClockSample? {
        let start = timer.takeStart()
        guard let time = filter.time(of: fix), let start else { return nil }
        return ClockSample(trueTime: time + Int64(delay * 1e9), systemTime: start)
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
