// SPDX-License-Identifier: MIT
package import GNSS
package import GPSFormats
package import GPSIO
import GPSReceivers
import Glibc
import Synchronization

/// Sends a receiver's fixes to an NMEA 2000 bus, on which this process is a device with its own
/// address.
///
/// The polling thread writes as many frames as the bus accepts immediately. The clients' thread
/// writes the others later, from a short queue.
final class NMEA2000Output: Sendable {
    private struct State {
        var node: NMEA2000Node
        var reports = NMEA2000Writer()
        var queue = NMEA2000Queue()
        /// The socket of the open interface; `nil` while the interface cannot be used.
        var bus: Descriptor?
        /// The time at which dropped messages were last logged, and their total number at that
        /// time; `nil` if none were logged.
        var reported: (time: MonotonicInstant, count: Int)?

        /// Writes queued frames, or discards them if the bus is not open. Returns 0 or an `errno`.
        mutating func write(at now: MonotonicInstant) -> CInt {
            if let bus { return queue.write(to: bus, at: now) }
            queue.removeAll()
            return 0
        }

        /// Returns the total number of dropped messages if it has increased and was not logged
        /// within the last minute; otherwise `nil`.
        mutating func newLosses(at now: MonotonicInstant) -> Int? {
            let count = queue.droppedCount
            guard count > reported?.count ?? 0 else { return nil }
            if let reported, now < reported.time + NMEA2000Output.silence { return nil }
            reported = (now, count)
            return count
        }
    }

    /// The minimum time between two log messages about dropped NMEA 2000 messages.
    private static let silence = Duration.seconds(60)
    /// The minimum time between two attempts to open the bus.
    private static let pause = Duration.seconds(1)
    /// How long closing the bus waits until it accepts the last messages.
    private static let grace = Duration.milliseconds(100)
    private static let poller = Poller.clients

    /// The name of the CAN interface.
    let interface: String
    private let open: @Sendable (String) throws(IOError) -> Descriptor
    private let watch: @Sendable () -> Descriptor?
    private let log: MessageLog
    private let state: Mutex<State>
    private let (fullQueues, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))

    /// Creates an output for a CAN interface. It sends nothing until `run()` is called. `watch`
    /// returns a descriptor that becomes readable when network interfaces change, or `nil`.
    init(
        _ interface: String, log: MessageLog,
        open: @escaping @Sendable (String) throws(IOError) -> Descriptor,
        watch: @escaping @Sendable () -> Descriptor?
    ) {
        (self.interface, self.log, self.open, self.watch) = (interface, log, open, watch)
        let name = NMEA2000Name(uniqueNumber: VesselIdentity.number(for: interface))
        state = Mutex(State(node: NMEA2000Node(name: name)))
    }

    /// Opens the interface. The socket receives only address claims and requests of other devices.
    static func open(_ interface: String) throws(IOError) -> Descriptor {
        let groups: [NMEA2000Message.Group] = [.addressClaim, .request]
        // The mask ignores the priority, the destination and the source address.
        let filters = groups.map { (identifier: $0.rawValue << 8, mask: UInt32(0x03FF_0000)) }
        return try CANSocket.open(interface, filters: filters, poller: poller)
    }

    /// Checks that the interface can be used. An interface that is down passes the check.
    ///
    /// Throws a ``ServerError`` if it cannot be used.
    func check() throws(ServerError) { try Self.check(interface, open) }

    static func check(
        _ interface: String, _ open: (String) throws(IOError) -> Descriptor
    ) throws(ServerError) {
        do throws(IOError) {
            try open(interface).close()
        } catch {
            guard error.errno != ENETDOWN else { return }
            throw ServerError(.useCAN(interface), errno: error.errno)
        }
    }

    /// The number of messages that were dropped because the bus did not accept them in time.
    var droppedCount: Int { state.withLock(\.queue.droppedCount) }

    // MARK: What the receiver sends

    /// Sends the messages about an epoch that are due. Each kind of message has a transmission
    /// interval.
    func report(_ epoch: ReceiverEpoch) {
        let fix = epoch.fix
        let clockTime = ClockFilter.obstacle(to: fix) == nil ? fix.time : nil
        send { state, now in
            let messages = state.reports.messages(
                of: fix, epoch.satellites, origin: epoch.origin, clockTime: clockTime, at: now)
            return state.node.frames(of: messages, at: now)
        }
    }

    /// Sends messages that mark the position as unknown.
    func lost() {
        send { $0.node.frames(of: $0.reports.lost(at: $1), at: $1) }
    }

    /// Queues the messages that `make` returns, each an array of frames, and writes the queue.
    private func send(
        _ make: (inout State, MonotonicInstant) -> [[NMEA2000Frame]] = { _, _ in [] }
    ) {
        let now = Self.poller.now
        let (error, bus, losses) = state.withLock { state in
            for message in make(&state, now) { state.queue.append(message, at: now) }
            return (state.write(at: now), state.bus, state.newLosses(at: now))
        }
        switch error {
        case 0: break
        case EAGAIN: continuation.yield()
        // Closing the socket ends `use`, which reads it.
        default: bus?.close()
        }
        guard let losses else { return }
        log(
            "messages cannot be sent on \(interface) (NMEA 2000 messages lost so far: \(losses)): "
                + "check that another device is on the bus",
            .warning)
    }

    // MARK: The bus

    /// Keeps the bus open whenever the interface is up, until the task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask(executorPreference: Self.poller) { await self.writeWaiting() }
            await self.useBus()
            group.cancelAll()
        }
    }

    /// Writes queued frames whenever a full bus accepts frames again.
    private func writeWaiting() async {
        for await _ in fullQueues {
            guard let bus = state.withLock(\.bus) else { continue }
            if [.ready, .hungUp].contains(await bus.writable()) { send() }
        }
    }

    private func useBus() async {
        let changes = watch()
        while let bus = await openBus(changes) {
            let start = Self.poller.now
            await use(bus)
            lost()
            let rest = state.withLock { state -> NMEA2000Queue in
                defer { state.queue.removeAll() }
                state.bus = nil
                return state.queue
            }
            await rest.finish(writingTo: bus, until: Self.poller.now + Self.grace)
            bus.close()
            // This limits how often a bus that fails immediately is reopened.
            guard !Task.isCancelled, Self.poller.now < start + Self.pause else { continue }
            _ = await Self.poller.sleep(until: start + Self.pause)
        }
    }

    /// Opens the interface. If that fails, tries again after each change of the network interfaces
    /// or, if the kernel does not report changes, after `pause`. Returns `nil` on cancellation.
    private func openBus(_ changes: Descriptor?) async -> Descriptor? {
        var reported: CInt = 0
        while !Task.isCancelled {
            do throws(IOError) {
                return try open(interface)
            } catch {
                if error.errno != reported {
                    log("\(ServerError(.useCAN(interface), errno: error.errno))", .warning)
                }
                reported = error.errno
            }
            switch await changes?.read(atMost: 65_536, until: nil) {
            // ENOBUFS means that changes were lost.
            case .bytes, .failed(ENOBUFS): break
            default: _ = await Self.poller.sleep(until: Self.poller.now + Self.pause)
            }
        }
        return nil
    }

    /// Claims an address, answers other devices and sends heartbeats, until the bus fails or the
    /// task is cancelled.
    private func use(_ bus: Descriptor) async {
        send { state, now in
            state.bus = bus
            state.queue.removeAll()
            return [[state.node.join(at: now)]]
        }
        reportAddress(before: nil)
        var heartbeat = Self.poller.now + NMEA2000Node.heartbeatPeriod
        while true {
            switch await bus.read(atMost: 4 * CANSocket.frameSize, until: heartbeat) {
            case .bytes(let bytes): receive(bytes)
            case .silence: break
            case .end, .hangup, .cancelled, .failed: return
            }
            guard Self.poller.now >= heartbeat else { continue }
            heartbeat = Self.poller.now + NMEA2000Node.heartbeatPeriod
            send { $0.node.heartbeat(at: $1) }
        }
    }

    private func receive(_ bytes: [UInt8]) {
        guard let (identifier, data) = CANSocket.content(of: bytes) else { return }
        let frame = NMEA2000Frame(identifier: identifier, bytes: data)
        let before = state.withLock(\.node.address)
        send { $0.node.receive(frame, at: $1) }
        reportAddress(before: before)
    }

    private func reportAddress(before: UInt8?) {
        let address = state.withLock(\.node.address)
        guard address != before else { return }
        guard let address else {
            return log(
                "cannot send NMEA 2000 on \(interface): other devices use all addresses; "
                    + "disconnect some, then restart the server", .warning)
        }
        let reason = before.map { ", because another device has \($0)" } ?? ""
        log("NMEA 2000 on \(interface): this device has address \(address)\(reason)")
    }
}

/// The messages that wait for a busy bus. Messages older than a second are dropped, because other
/// devices would take a late position for the current one.
package struct NMEA2000Queue: Sendable {
    private static let lifetime = Duration.seconds(1)
    /// The maximum number of queued messages. An epoch has at most six.
    private static let limit = 64

    private struct Message: Sendable {
        var frames: ArraySlice<NMEA2000Frame>
        let expiry: MonotonicInstant
    }

    private var messages: [Message] = []
    /// The number of messages that were dropped because they were too old, or because this queue or
    /// the kernel's queue was full.
    package private(set) var droppedCount = 0

    /// Creates an empty queue.
    package init() {}

    /// Adds a message, given as its frames. Drops it if the queue is full.
    package mutating func append(_ frames: [NMEA2000Frame], at now: MonotonicInstant) {
        guard messages.count < Self.limit else {
            droppedCount += 1
            return
        }
        messages.append(Message(frames: frames[...], expiry: now + Self.lifetime))
    }

    /// Removes all messages without counting them as dropped.
    package mutating func removeAll() { messages.removeAll() }

    /// Writes frames until the bus accepts no more. Returns 0 if the queue is now empty, `EAGAIN`
    /// if messages are left, or the `errno` of another failure.
    package mutating func write(to bus: Descriptor, at now: MonotonicInstant) -> CInt {
        while let message = messages.first {
            guard let frame = message.frames.first else {
                messages.removeFirst()
                continue
            }
            let isExpired = message.expiry < now
            let bytes = CANSocket.frame(frame.identifier, frame.bytes)
            // ENOBUFS means that the interface's queue, which all programs share, is full. The
            // kernel does not report when it has space again, so the message is dropped.
            switch isExpired ? ENOBUFS : bus.write(bytes[...], by: .send).errno {
            case 0: messages[0].frames.removeFirst()
            case ENOBUFS:
                messages.removeFirst()
                droppedCount += 1
            case let error: return error
            }
        }
        return 0
    }

    /// Writes the messages as the bus accepts them, until the deadline at the latest, even if the
    /// task is cancelled.
    package func finish(writingTo bus: Descriptor, until deadline: MonotonicInstant) async {
        // A cancelled task cannot wait.
        await Task(executorPreference: bus.poller) {
            var rest = self
            let now = bus.poller.now
            while bus.poller.now < deadline, rest.write(to: bus, at: now) == EAGAIN,
                await bus.writable(until: deadline) == .ready
            {}
        }.value
    }
}
