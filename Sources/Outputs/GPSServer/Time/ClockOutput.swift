// SPDX-License-Identifier: MIT
package import GNSS
import GPSIO
package import GPSReceivers
import Glibc
import Synchronization
import UBX

/// Sends the receivers' time, and PPS pulses, to the configured clock services. The server's clients
/// get the same samples, with and without such services.
final class ClockOutput: Sendable {
    let configuration: ClockConfiguration
    private let sockets: [ChronySocket]
    private let segments: [SharedMemoryClock]
    /// The shared memory segments for pulses. As in gpsd, each uses the unit after the unit for
    /// sentences.
    private let pulseSegments: [SharedMemoryClock]
    private let pulseDevice: PulseDevice?
    /// The path of the tty with pulses on one of its lines; `nil` if another device provides the
    /// pulses.
    private let pulseLine: String?
    /// Keeps the processors from sleeping deeply; `nil` if that is not requested.
    private let latency: Descriptor?
    private let log: @Sendable (String) -> Void
    private let state: Mutex<(pulses: PulseClock, targets: ClockTargets)>

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
            try pulseLine == nil
            ? path.map { try PulseDevice($0, edge: configuration.pulses.edge) } : nil
        latency = try configuration.cpuLatency.map { try Self.holdLatency($0) }
        let units = configuration.sharedMemoryUnits
        sockets = try configuration.chronySockets.map {
            try ChronySocket($0, keepsRights: keepsRights)
        }
        segments = try units.map { try SharedMemoryClock(unit: $0) }
        pulseSegments =
            path == nil ? [] : try units.map { try SharedMemoryClock(unit: $0 + 1) }
        let targets = ClockTargets(
            sockets: sockets.map(\.path), units: (segments + pulseSegments).map(\.unit),
            pulseDevice: path)
        state = Mutex((PulseClock(), targets))
    }

    deinit { pulseDevice?.close() }

    /// Whether only the time of fixes is used in which a satellite's data are authenticated.
    var needsAuthentication: Bool { configuration.needsAuthentication }

    /// Opens `/dev/cpu_dma_latency`, which limits the processors' time to wake until it is closed.
    private static func holdLatency(_ microseconds: Int) throws -> Descriptor {
        guard let descriptor = Pulse.holdLatency(microseconds) else {
            throw ServerError(
                cannot: "open /dev/cpu_dma_latency, which --cpu-latency needs", errno: errno)
        }
        return descriptor
    }

    /// Starts to receive the pulses of a PPS device, if one is configured.
    func start() throws {
        if let pulseLine, access(FileName.native(pulseLine), F_OK) != 0 {
            log("\(pulseLine) does not exist: pulses are used when a receiver is plugged in there")
        }
        try pulseDevice?.start { [weak self] pulse in
            self?.state.withLock { $0.pulses.receive(pulse) }
        } onFailure: { [log] error in
            log("pulses are no longer used: \(error) Then start this program again.")
        }
    }

    /// Returns whether a path is a tty rather than a PPS device. A missing device counts as a tty
    /// unless it is named `/dev/pps…`, because it may be plugged in later.
    static func isLine(_ path: String) -> Bool {
        PulseLine.isPossible(at: path)
            || access(FileName.native(path), F_OK) != 0 && !path.hasPrefix("/dev/pps")
    }

    /// Returns whether the tty at this path is the configured `pulseDevice`.
    func usesPulses(from path: String) -> Bool {
        pulseLine.map { SourceIdentity(path: $0) == SourceIdentity(path: path) } ?? false
    }

    /// Starts to search for pulses on a tty's lines. It stops when the returned object is released.
    func pulses(on line: ControllableLine) throws(DeviceError) -> PulseLine {
        let path = pulseLine ?? line.connection.name
        return try line.connection.pulses(configuration.pulses) { [weak self, log] event in
            switch event {
            case .pulse(let pulse): self?.state.withLock { $0.pulses.receive(pulse) }
            case .moving: break
            case .found(let report):
                self?.state.withLock { $0.pulses.report = report }
                log("pulses on \(path) are found \(report)")
            case .notFound(let reason):
                self?.state.withLock { $0.pulses.report = nil }
                log("there are no pulses on \(path): \(reason)")
            }
        }
    }

    /// Records a receiver's message about its next pulse.
    func receive(_ message: TimTP) {
        let now = MonotonicInstant.now.nanoseconds
        state.withLock { $0.pulses.receive(message, at: now) }
    }

    /// Returns whether the pulses may be those of the receiver at a path. `receiver` is its index
    /// among several; `nil` for the only one.
    func mayUsePulses(from path: String, of receiver: Int?) -> Bool {
        pulseDevice != nil && receiver == nil || usesPulses(from: path)
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

    /// The pulses, for `/metrics`; `nil` without any.
    var pulseStatistics: PulseClock.Statistics? { state.withLock { $0.pulses.statistics } }

    /// The destinations of the time and whether they are reached, for `/metrics`.
    var metrics: [ClockTargets.Target] { state.withLock { $0.targets.targets } }

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
    /// With pulses, chronyd receives only the pulse's sample. `burstStart` is the start of the
    /// epoch's burst by the clock of `MonotonicInstant`, in nanoseconds. `receiver` is the
    /// receiver's index among several; `nil` for the only one.
    ///
    /// If the delay of sentences is not configured, it is learned from the pulses.
    ///
    /// Returns the sample of the epoch with this delay, and of the pulse; `nil` if there is none.
    func send(
        _ sample: ClockSample, burstStart: Int64? = nil, of receiver: Int?,
        isLeapSecond: Bool = false, at now: MonotonicInstant
    ) -> (sentence: ClockSample, pulse: ClockSample?) {
        var (sample, pulse) = (sample, ClockSample?.none)
        if configuration.pulseDevice != nil, let burstStart {
            // `trueTime` includes the delay of sentences, which does not apply to pulses.
            let delay = Int64(nanosecondsIn: configuration.delay)
            let user = max(sockets.count, segments.count) > 1 ? receiver : nil
            let label = isLeapSecond ? nil : sample.trueTime &- delay
            let (found, learned) = state.withLock {
                let found = $0.pulses.pulse(before: burstStart, labelled: label, by: user)
                return (found, $0.pulses.sentenceDelay)
            }
            pulse = found.map {
                // A step of the system's clock since the pulse does not matter.
                let systemTime = $0.pulse.time &+ Pulse.clockOffset()
                return ClockSample(
                    trueTime: label ?? sample.trueTime,
                    systemTime: systemTime &- Int64(nanosecondsIn: configuration.pulseOffset),
                    precision: $0.pulse.precision, pulseError: $0.error)
            }
            if delay == 0, let learned {
                sample = ClockSample(
                    trueTime: sample.trueTime &+ learned, systemTime: sample.systemTime)
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
        let messages = state.withLock {
            $0.targets.note(results: outcomes, areRead: areRead, hasPulse: pulse != nil, at: now)
        }
        for line in messages { log(line) }
        return (sample, pulse)
    }
}

/// The clock services to which the receivers' time is sent, and how the time is measured.
package struct ClockConfiguration: Hashable, Sendable {
    /// The socket paths of chrony's SOCK reference clocks.
    package var chronySockets: [String] = []
    /// The units of NTP's shared memory to write, each from 0 to 255. With a `pulseDevice`, the
    /// pulses are written to the unit after each, which must not be in this list.
    package var sharedMemoryUnits: [Int] = []
    /// The path of the device that provides PPS pulses: a device such as `/dev/pps0`, whose pulses
    /// the kernel timestamps, or the tty of a receiver with pulses on one of its lines. `nil` for
    /// none.
    package var pulseDevice: String?
    /// Which pulses are used, and how their time is taken.
    package var pulses = PulseOptions()
    /// The delay from a second to the time stamp of its pulse, in seconds.
    package var pulseOffset = 0.0
    /// The time in microseconds in which processors must wake; `nil` to leave it to the system.
    package var cpuLatency: Int?
    /// The delay from an epoch to the arrival of its first byte, in seconds: the time that the
    /// receiver needs to compute and send.
    package var delay = 0.0
    /// Whether the time of pseudo terminals and network sources is used, although its delay is
    /// unknown. Use this only for tests.
    package var trustsAnySource = false

    /// Whether only the time of fixes is used in which a satellite's data are authenticated.
    package var needsAuthentication = false

    /// Creates a configuration without clock services.
    package init() {}

    /// Whether no clock service is configured.
    package var isEmpty: Bool { chronySockets.isEmpty && sharedMemoryUnits.isEmpty }

    /// A unit that would receive the pulses of the unit before it in addition to its own sentences;
    /// `nil` if there is none.
    package var unitWithTwoInputs: Int? {
        guard pulseDevice != nil else { return nil }
        return sharedMemoryUnits.first { sharedMemoryUnits.contains($0 &- 1) }
    }

    /// Attempts checks that throw the error that opening the clock services would throw if the PPS
    /// device is missing or may not be read, or if the path of a socket cannot be used.
    func checkMachine(_ attempt: (() throws -> Void) -> Void) {
        for path in chronySockets { attempt { _ = try ChronySocket.address(of: path) } }
        attempt {
            guard let pulseDevice, !ClockOutput.isLine(pulseDevice),
                access(FileName.native(pulseDevice), R_OK) != 0
            else { return }
            throw DeviceError.opening(pulseDevice, errno: errno)
        }
    }
}

/// The reason why a receiver's time is not used.
package enum ClockObstacle: String, Hashable, Sendable {
    /// The data is simulated.
    case simulated = "it is simulated"
    /// The data comes from a recording.
    case replayed = "it comes from a recording"
    /// The source's delay is unknown, because it is not a serial line.
    case noLine = "its delay is not known, because it does not come from a serial line"
    /// The source's delay is unknown, because it is a pseudo terminal.
    case pseudoTerminal = "its delay is not known, because it comes from a pseudo terminal"
    /// The receiver sends no date and time.
    case noTime = "the receiver reports no date and time"
    case noFix = "the receiver has no fix"
    /// The receiver estimates its position (dead reckoning), or the position was entered manually
    /// and the receiver does not report the accuracy of its time.
    case estimated = "the receiver estimates its position"
    /// The date may be wrong by a multiple of 1024 weeks, or is too far from this release.
    case suspectDate = "its date is wrong or may be 1024 weeks off (a rollover of the GPS week)"
    /// The time may be a second or more off, because the receiver does not know the leap seconds.
    case inaccurateTime =
        "it may be a second off, because the receiver does not know the leap seconds yet: wait some minutes"
    /// The data has waited in a buffer, or the receiver's time has jumped.
    case jump = "the data arrived late, or the time has jumped"
    /// The serial line is never silent, so the start of a burst cannot be detected.
    case neverSilent = """
        the line is never silent, so the first byte of an epoch is not found: raise the baud rate, or \
        configure the receiver to send fewer sentences
        """
    /// There is strong evidence that the position or the time is false.
    case alarm = "there is an integrity alarm"
    /// No satellite's data are authenticated.
    case notAuthenticated = "Galileo's signatures do not authenticate a satellite that is used"
    /// There are several clock services, and each uses the time of a receiver other than this one.
    case otherReceiver = """
        each --chrony and --shm uses another receiver: the first one uses the first receiver, \
        and so on
        """
    /// The last fix is suitable, but does not follow three consecutive suitable fixes.
    case settling = "fewer than four valid fixes have been received in a row"

    /// The reason as text that follows "the time from … is not passed to chronyd or
    /// NTP's shared memory: ".
    package var description: String { rawValue }
}

/// Decides whether the time of a fix is good enough to set the system's clock.
///
/// The time of a fix is used if the three fixes before it were suitable, too. A fix is not
/// suitable:
///
/// - without a position, or if it is simulated or estimated
/// - if its position was entered by the user, unless the receiver reports the accuracy of its time
/// - if its date may be wrong by a multiple of 1024 weeks, is earlier than this release,
///   or more than 1024 weeks later
/// - if its time may be a second off
/// - if its data has waited in a buffer, or its time has jumped
/// - during an integrity alarm
package struct ClockFilter: Sendable {
    private static let minimumFixes = 3

    /// The largest one-sigma error of a time that is used, in seconds. u-blox receivers report at
    /// least a second until they know the leap seconds.
    private static let largestError = 0.5

    /// The largest change of the delay between two fixes, in nanoseconds. If more than five seconds
    /// have passed between the fixes, a tenth of that time is permitted, because the clock may be
    /// slewed by as much.
    private static let largestJump: UInt64 = 500_000_000

    private var validCount = 0
    /// The time of the last fix and of the arrival of its burst, in nanoseconds.
    private var last: (time: Int64, arrival: Int64)?

    /// The reason why the time of the last fix is not used; `nil` if it is used.
    package private(set) var obstacle: ClockObstacle? = .settling

    /// Whether a satellite's data must be authenticated.
    private let needsAuthentication: Bool

    /// Creates a filter in its initial state.
    package init(needsAuthentication: Bool = false) {
        self.needsAuthentication = needsAuthentication
    }

    /// Returns the fix's time in nanoseconds since 1970; `nil` if it must not be used.
    ///
    /// `arrival` is the time of the monotonic clock at the start of the fix's burst, in nanoseconds;
    /// `nil` if it is not known.
    package mutating func time(of fix: Fix, arrival: Int64? = nil) -> Int64? {
        let isJump = hasJumped(fix, arrival)
        let isAuthenticated =
            fix.authentication?.state == .authenticated || fix.authentication?.state == .partial
        obstacle =
            Self.obstacle(to: fix)
            ?? (needsAuthentication && !isAuthenticated ? .notAuthenticated : isJump ? .jump : nil)
        guard let time = fix.time, obstacle == nil else {
            validCount = 0
            return nil
        }
        validCount += 1
        guard validCount > Self.minimumFixes else {
            obstacle = .settling
            return nil
        }
        return time.unixNanoseconds
    }

    /// Returns whether the time between the last two fixes differs too much from the time between
    /// their arrivals. The cause may be data that has waited in a buffer, because the machine was
    /// suspended, this process was stopped or a radio link was interrupted.
    private mutating func hasJumped(_ fix: Fix, _ arrival: Int64?) -> Bool {
        guard let arrival, let time = fix.time?.unixNanoseconds else { return false }
        let former = exchange(&last, with: (time: time, arrival: arrival))
        guard let former else { return false }
        let elapsed = arrival &- former.arrival
        let change = (time &- former.time) &- elapsed
        return change.magnitude > max(Self.largestJump, elapsed.magnitude / 10)
    }

    /// Returns the reason why the time of a fix of a live receiver must not set a clock; `nil` if it
    /// may.
    static func obstacle(to fix: Fix) -> ClockObstacle? {
        switch fix.quality {
        case .simulated: return .simulated
        case .estimated: return .estimated
        // A timing receiver with a surveyed position reports how accurate its time is.
        case .manual where fix.accuracy.time == nil: return .estimated
        default: break
        }
        if fix.integrity?.state == .alarm { return .alarm }
        if fix.mode <= .noFix || fix.quality == .invalid { return .noFix }
        if fix.receivedDate != nil || fix.hasImpossibleDate { return .suspectDate }
        if let error = fix.accuracy.time, error > largestError { return .inaccurateTime }
        return fix.time == nil ? .noTime : nil
    }
}

/// The receiver's time and the system's time at the same instant.
package struct ClockSample: Hashable, Sendable {
    /// The receiver's time, in nanoseconds of Unix time.
    package let trueTime: Int64
    /// The system's time at that instant, in nanoseconds of Unix time.
    package let systemTime: Int64
    /// The precision as the exponent of a power of two in seconds, as in NTP: -1 means 0.5 s.
    let precision: Int
    /// The time from the pulse to the second that it marks in picoseconds, as the receiver reported
    /// it; `nil` if it did not. `systemTime` includes it.
    private let pulseError: Int?

    /// Creates a sample. The default precision is that of an epoch's sentences.
    ///
    /// `systemTime` is the time of the pulse. Its error in picoseconds, if known, is added.
    package init(
        trueTime: Int64, systemTime: Int64, precision: Int = ClockSample.sentencePrecision,
        pulseError: Int? = nil
    ) {
        self.trueTime = trueTime
        let error = pulseError.map { Int64((Double($0) / 1000).rounded()) } ?? 0
        self.systemTime = systemTime &+ error
        self.precision = precision
        self.pulseError = pulseError
    }

    /// The precision of times from sentences: half a second.
    private static let sentencePrecision = -1

    /// Whether the sample comes from a PPS pulse.
    private var isPulse: Bool { precision < Self.sentencePrecision }

    /// The sample as the 40-byte datagram of chrony's SOCK reference clock.
    package var chronyDatagram: [UInt8] {
        // The time field has a resolution of microseconds, and only dates the sample. The offset is
        // that of the exact times: chronyd uses it as it is.
        let (seconds, nanoseconds) = Self.divided(systemTime)
        let offset = Double(Int128(trueTime) - Int128(systemTime)) / 1e9
        var bytes: [UInt8] = []
        append(seconds, to: &bytes)
        append(nanoseconds / 1000, to: &bytes)
        append(offset.bitPattern, to: &bytes)
        // This is chrony's `pulse` field. It is 0 even for a pulse, because the time includes the
        // second.
        append(Int32(0), to: &bytes)
        append(Int32(0), to: &bytes)  // no leap second
        append(Int32(0), to: &bytes)
        append(Int32(0x534F_434B), to: &bytes)
        return bytes
    }

    /// Returns `PPS` for the sample of a pulse, otherwise `TOFF`: a line with both times.
    package func report(device: String) -> [UInt8] {
        var object = JSONObject(class: isPulse ? "PPS" : "TOFF")
        object.add("device", device)
        for (name, time) in [("real", trueTime), ("clock", systemTime)] {
            let (seconds, nanoseconds) = Self.divided(time)
            object.add("\(name)_sec", Int(seconds))
            object.add("\(name)_nsec", Int(nanoseconds))
        }
        if isPulse {
            object.add("precision", precision)
            object.add("qErr", pulseError)
        }
        return object.line
    }

    /// Divides nanoseconds of Unix time into seconds and the nanoseconds after them.
    static func divided(_ time: Int64) -> (seconds: Int64, nanoseconds: Int64) {
        let seconds = floorDivided(time, 1_000_000_000)
        // The product may be below the range of `Int64`; the difference never is.
        return (seconds, time &- seconds &* 1_000_000_000)
    }

    private func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: value) { bytes += $0 }
    }
}

/// Decides when to report that a service works or fails. Success is reported immediately, a failure
/// only after it has lasted for `delay`. The same state is never reported twice in succession.
package struct OutageWatch: Sendable {
    /// The time that a failure must last before it is reported.
    private let delay: Duration
    private var failedSince: MonotonicInstant?

    /// Whether the service works, according to the last report; `nil` before the first report.
    package private(set) var works: Bool?

    /// Creates a watch in its initial state.
    package init(delay: Duration) {
        self.delay = delay
    }

    /// Records whether the service works at `time`. Returns whether to report this.
    package mutating func shouldReport(isWorking now: Bool, at time: MonotonicInstant) -> Bool {
        guard !now else {
            failedSince = nil
            return exchange(&works, with: true) != true
        }
        let since = failedSince ?? time
        failedSince = since
        guard works != false, time - since >= delay else { return false }
        works = false
        return true
    }
}
