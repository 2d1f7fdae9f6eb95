// SPDX-License-Identifier: MIT
import CGPSRelay
package import GNSS
import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// Sends samples to a SOCK reference clock of chrony. Its datagram socket is created by chronyd at
/// each start.
package final class ChronySocket: Sendable {
    /// The path of chronyd's socket.
    package let path: String
    private let descriptor: Descriptor
    /// The address of chronyd's socket; `nil` if a helper process sends, which keeps the privileges
    /// that this process drops.
    private let address: SocketAddress?

    /// Prepares to send. chronyd does not have to be running.
    ///
    /// If `keepsRights` is `true`, a helper process sends the samples with the current privileges,
    /// even after this process has dropped them. This is necessary because chronyd recreates the
    /// socket at each start, and only root may write to it.
    ///
    /// Throws a ``ServerError`` if the path is empty or too long, or if no socket can be created.
    package init(_ path: String, keepsRights: Bool = false) throws(ServerError) {
        let address = try Self.address(of: path)
        let kind = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let fd =
            keepsRights
            ? crelay_start(FileName.native(path))
            : socket(AF_UNIX, kind | CInt(SOCK_NONBLOCK.rawValue), 0)
        guard fd >= 0 else { throw ServerError(cannot: Self.action(path), errno: errno) }
        self.path = path
        self.address = keepsRights ? nil : address
        descriptor = Descriptor(fd)
    }

    /// Returns the address of the socket at a path. Throws a ``ServerError`` if the path is empty or
    /// too long.
    static func address(of path: String) throws(ServerError) -> SocketAddress {
        guard !path.isEmpty, let address = SocketAddress(unix: path) else {
            throw ServerError(cannot: action(path), errno: path.isEmpty ? ENOENT : ENAMETOOLONG)
        }
        return address
    }

    private static func action(_ path: String) -> String { "send to '\(path)'" }

    /// Sends a sample. It is lost if chronyd is not running.
    ///
    /// Returns 0 on success, otherwise the `errno`. With a helper process, returns the latest
    /// result of earlier samples that has arrived since the last call, or `nil` if none has.
    package func send(_ sample: ClockSample) -> CInt? {
        let bytes = sample.chronyDatagram
        let flags = CInt(MSG_DONTWAIT) | CInt(MSG_NOSIGNAL)
        return descriptor.use { fd -> CInt? in
            if let address {
                let count = address.use { sendto(fd, bytes, bytes.count, flags, $0, $1) }
                return count == bytes.count ? 0 : errno
            }
            let result = Self.lastResult(fd)
            // Any other error means that the helper process has ended.
            guard Glibc.send(fd, bytes, bytes.count, flags) >= 0 || errno == EAGAIN else {
                return ESRCH
            }
            return result
        } ?? ESRCH
    }

    /// Reads all results that the helper process has sent, and returns the last one: 0 or an
    /// `errno`; `nil` if there is none.
    private static func lastResult(_ fd: CInt) -> CInt? {
        var result: CInt?
        var next: CInt = 0
        while recv(fd, &next, MemoryLayout<CInt>.size, CInt(MSG_DONTWAIT))
            == MemoryLayout<CInt>.size
        {
            result = next
        }
        return result
    }
}

/// Tracks whether the time reaches each clock service, and creates log messages about changes.
package struct ClockTargets: Sendable {
    /// A clock service to which the time is sent.
    package struct Target: Sendable {
        /// The name of the target: a socket's path, or `shm` and a unit, such as `shm 2`.
        package let name: String
        /// The number of samples that the target has received.
        package fileprivate(set) var count = 0
        fileprivate var watch: OutageWatch

        /// Whether the time reaches the target, according to the last message; `nil` before the
        /// first message.
        package var isReached: Bool? { watch.works }
    }

    /// The targets: chronyd's sockets, then the units of NTP's shared memory.
    package private(set) var targets: [Target]
    private let socketCount: Int
    private let pulseDevice: String?
    /// The name of the user whose privileges are used for sending.
    private let sender: String
    private var pulseWatch = OutageWatch(delay: .seconds(10))

    /// Creates a tracker for chronyd's sockets and the units of shared memory, to which nothing has
    /// been sent.
    package init(sockets: [String], units: [Int], pulseDevice: String?) {
        // The delays allow for a restart of chronyd, and for readers that poll shared memory once a
        // second.
        targets =
            sockets.map { Target(name: $0, watch: OutageWatch(delay: .seconds(2))) }
            + units.map { Target(name: "shm \($0)", watch: OutageWatch(delay: .seconds(10))) }
        socketCount = sockets.count
        self.pulseDevice = pulseDevice
        let user = geteuid()
        sender = getpwuid(user).map { String(cString: $0.pointee.pw_name) } ?? "\(user)"
    }

    /// Records the results of a sample, and returns the messages to log. `results` contains 0 or an
    /// `errno` for each socket, and `areRead` whether each unit was read. An element is `nil` if
    /// nothing was sent or the result is unknown.
    package mutating func note(
        results: [CInt?], areRead: [Bool?], hasPulse: Bool, at now: MonotonicInstant
    ) -> [String] {
        var messages: [String] = []
        let outcomes = results.map { $0.map { error in error == 0 } } + areRead
        for (index, outcome) in outcomes.enumerated() where targets.indices.contains(index) {
            guard let outcome else { continue }
            targets[index].count += outcome ? 1 : 0
            guard targets[index].watch.shouldReport(isWorking: outcome, at: now) else { continue }
            let name = targets[index].name
            if index < socketCount {
                messages.append(text(name, results[index] ?? 0))
            } else {
                messages.append(
                    outcome
                        ? "the time goes to NTP's shared memory (\(name)), and a program reads it"
                        : "the time is in NTP's shared memory (\(name)), but no program reads it: add "
                            + "'refclock SHM \(name.dropFirst(4))' to chrony.conf, and restart chronyd"
                )
            }
        }
        if let pulseDevice, pulseWatch.shouldReport(isWorking: hasPulse, at: now) {
            // The kernel offers such a device for any tty, but some drivers stamp nothing.
            let other =
                pulseDevice.hasPrefix("/dev/pps")
                ? ". If it is a CP210x or built-in USB, give its tty instead: their drivers stamp "
                    + "no pulses" : ""
            messages.append(
                hasPulse
                    ? "pulses on \(pulseDevice) are used: they mark the seconds"
                    : "pulses on \(pulseDevice) are not used, because they do not arrive once per "
                        + "second, at most 0.9 s before the sentences: check that the receiver "
                        + "has a fix and sends one pulse per second\(other)"
            )
        }
        return messages
    }

    private func text(_ path: String, _ error: CInt) -> String {
        guard error != 0 else { return "the time goes to chronyd at \(path)" }
        let remedy =
            switch error {
            case ENOENT, ENOTDIR:
                "there is no such socket: add 'refclock SOCK \(path) refid GPS' to chrony.conf, and start chronyd"
            case ECONNREFUSED:
                "chronyd, which created this socket, is no longer running: start chronyd"
            case EACCES, EPERM:
                "user '\(sender)' is not allowed to write to this socket: start this program as "
                    + "root, or give that user access"
            case EPROTOTYPE, ENOTSOCK:
                "this is not the socket of a reference clock: give the same path as the "
                    + "line 'refclock SOCK' in chrony.conf"
            case EAGAIN, ENOBUFS: "chronyd does not read this socket: restart chronyd"
            case ESRCH: "the process that sends the time has ended: start this program again"
            default: String(cString: strerror(error))
            }
        return "no time reaches chronyd at \(path): \(remedy)"
    }
}

/// Compares one receiver's time with the system's clock. It creates samples from fixes and the
/// arrival times of their bytes.
struct ClockSampler: Sendable {
    private var timer: BurstTimer
    private var filter: ClockFilter
    private var watch = OutageWatch(delay: .seconds(10))
    /// The reason why the source's time must not be used, determined when it is opened; `nil` if it
    /// may be.
    private let obstacle: ClockObstacle?

    /// Creates the clock of a device that has just been opened. `ignoresBaudRate` is `true` if the
    /// line's baud rate does not determine the transmission time, as with built-in USB.
    init(
        obstacle: ClockObstacle?, ignoresBaudRate: Bool = false, needsAuthentication: Bool = false
    ) {
        filter = ClockFilter(needsAuthentication: needsAuthentication)
        timer = BurstTimer(ignoresBaudRate: ignoresBaudRate)
        self.obstacle = obstacle
    }

    /// Whether the source's time may be used.
    private var isUsable: Bool { obstacle == nil }

    /// Whether the time is used, according to the last `Change`; `nil` before the first one.
    /// `false` if the source's time may not be used.
    var isUsed: Bool? { isUsable ? watch.works : false }

    /// Records that a chunk of bytes has arrived now. `baudRate` is `nil` if it is unknown.
    mutating func receive(byteCount: Int, baudRate: Int?) {
        if isUsable { timer.receive(byteCount: byteCount, baudRate: baudRate) }
    }

    /// Returns the sample of a fix; `nil` if its time must not be used. `change` reports that the
    /// receiver's time is now used, or no longer used; `nil` if there is nothing to report.
    /// `burstStart` is the start of the fix's burst by the clock of `MonotonicInstant`, in
    /// nanoseconds. `delay` is in seconds.
    mutating func sample(
        of fix: Fix, delay: Double, at now: MonotonicInstant
    ) -> (sample: ClockSample?, burstStart: Int64?, change: Change?) {
        guard isUsable else { return (nil, nil, nil) }
        let start = timer.takeStart()
        let time = filter.time(of: fix, arrival: start == nil ? nil : timer.steadyStart)
        guard let time, let start else {
            let isNews = watch.shouldReport(isWorking: false, at: now)
            return (nil, nil, isNews ? .notUsed(filter.obstacle ?? .neverSilent) : nil)
        }
        let isNews = watch.shouldReport(isWorking: true, at: now)
        return (
            ClockSample(trueTime: time &+ Int64(nanosecondsIn: delay), systemTime: start),
            timer.steadyStart, isNews ? .used : nil
        )
    }

    /// A change to report about the use of a receiver's time.
    enum Change: Hashable, Sendable {
        case used
        case notUsed(ClockObstacle)
    }
}

/// Writes samples to NTP's shared memory reference clock: a segment of 96 bytes that ntpd or
/// chronyd reads.
package final class SharedMemoryClock: Sendable {
    private static let key = 0x4E54_5030
    private static let size = 96

    /// The valid unit numbers.
    package static let units = 0...255

    /// The unit number of the segment. The segment's key is the key of unit 0 plus this number.
    package let unit: Int
    /// The address of the attached segment, which is detached in `deinit`.
    private let segment: UInt

    /// Attaches the segment of a unit, and creates it if necessary. Units 0 and 1 require root,
    /// unless the segment exists and other users may write to it.
    ///
    /// Throws a ``ServerError`` if the unit is not valid or the user has no access. The
    /// corresponding C functions are `shmget` and `shmat`.
    package init(unit: Int) throws(ServerError) {
        func failed(_ error: CInt) -> ServerError {
            ServerError(.useSharedMemory(unit: unit), errno: error)
        }
        guard Self.units.contains(unit) else { throw failed(EDOM) }
        let isRoots = unit < 2
        // A segment that another user creates there could not be used by root's programs.
        let creates = isRoots && geteuid() != 0 ? 0 : 0o1000 | CInt(isRoots ? 0o600 : 0o666)
        let id = shmget(key_t(Self.key + unit), Self.size, creates)
        guard id >= 0 else { throw failed(isRoots && errno == ENOENT ? EACCES : errno) }
        let address = shmat(id, nil, 0)
        guard let address, UInt(bitPattern: address) != UInt.max else { throw failed(errno) }
        self.unit = unit
        segment = UInt(bitPattern: address)
    }

    deinit {
        shmdt(UnsafeRawPointer(bitPattern: segment))
    }

    /// Writes a sample. The counter is odd during the write, so that a reader discards a partial
    /// sample.
    ///
    /// Returns whether a program has read the previous sample; `false` for the first sample.
    @discardableResult
    package func write(_ sample: ClockSample) -> Bool {
        guard let memory = UnsafeMutableRawPointer(bitPattern: segment) else { return false }
        // The flag at offset 48 (`valid`) is cleared by a reader. It is also clear before the first
        // sample, when the count is 0.
        let isRead =
            memory.load(fromByteOffset: 4, as: Int32.self) != 0
            && memory.load(fromByteOffset: 48, as: Int32.self) == 0
        func store<Value>(_ value: Value, at offset: Int) {
            memory.storeBytes(of: value, toByteOffset: offset, as: Value.self)
        }
        let count = memory.load(fromByteOffset: 4, as: Int32.self)
        store(Int32(0), at: 48)  // valid
        store(Int32(1), at: 0)  // mode: the counter guards the fields
        store(count &+ 1, at: 4)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        for (time, offsets) in [
            (sample.trueTime, (8, 16, 52)), (sample.systemTime, (24, 32, 56)),
        ] {
            let (seconds, nanoseconds) = ClockSample.divided(time)
            store(seconds, at: offsets.0)
            store(Int32(nanoseconds / 1000), at: offsets.1)
            store(UInt32(nanoseconds), at: offsets.2)
        }
        store(Int32(0), at: 36)  // leap
        store(Int32(sample.precision), at: 40)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        store(count &+ 2, at: 4)
        store(Int32(1), at: 48)
        return isRead
    }
}
