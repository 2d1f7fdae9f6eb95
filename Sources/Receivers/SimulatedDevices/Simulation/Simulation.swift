// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
public import GPSReceivers
import Glibc
import Synchronization

/// Runs a simulated receiver. Each epoch is sent to every output when it is due.
///
/// ```swift
/// let terminal = try SimulatedTerminal(configuration, link: "/tmp/gps")
/// try await Simulation(configuration, outputs: [terminal]).run()
/// ```
public struct Simulation: Sendable {
    private let configuration: SimulatedReceiver.Configuration
    private let outputs: [any SimulationOutput]

    /// Creates a simulation. If no start time is configured, the first epoch has the current time
    /// or, with a manual clock, `SimulatedReceiver.defaultStart`.
    public init(_ configuration: SimulatedReceiver.Configuration, outputs: [any SimulationOutput]) {
        self.configuration = configuration
        self.outputs = outputs
    }

    /// Runs until the task is cancelled, the manual clock is deinitialized, `epochs` epochs have
    /// been sent, or all epochs in the first `duration` seconds have been sent. Then closes the
    /// outputs. Returns the number of epochs sent.
    ///
    /// Throws the error of an output, for example if the disk is full.
    @discardableResult
    public func run(epochs: Int? = nil, duration: Double? = nil) async throws -> Int {
        defer { for output in outputs { output.close() } }
        var configuration = configuration
        if configuration.start == nil, configuration.pace.isRealTime {
            configuration.start = await Self.nextEpoch(configuration.effectiveRate)
            if Task.isCancelled { return 0 }
        }
        // With a manual clock, the result must not depend on the current time.
        let isStepped = configuration.pace.isStepped
        var receiver = SimulatedReceiver(
            configuration,
            startingAt: isStepped
                ? SimulatedReceiver.defaultStart : (SystemClock.nanoseconds ?? 0) / 1_000_000_000)
        var queue = TransmitQueue(configuration.baudRate, period: receiver.period)
        var commands = CommandQueue()
        let clock = configuration.pace.start()
        var plug = SimulatedEpoch.Plug.inserted(as: nil)
        var held: SimulatedEpoch?
        var count = 0
        let limit: Int = epochs ?? .max
        // The margin allows for rounding errors.
        let end: Double = duration.map { $0 - 1e-6 } ?? .infinity
        while true {
            // Commands can change the rate, and so the number of epochs in `duration`.
            let isDone = held == nil && (count >= limit || receiver.due >= end)
            if isDone, queue.due == .infinity { break }
            let epochDue = isDone ? .infinity : held?.due ?? receiver.due
            let due = min(epochDue, queue.due, commands.due)
            guard await wait(until: due, clock, receiver) else { break }
            let now = min(due, clock.elapsed)
            if commands.answer(outputs, &receiver, at: now) {
                queue.period = receiver.period
                followRate(of: receiver, &queue, at: now)
            }
            commands.moveAnswers(to: &queue, until: now)
            if now >= epochDue {
                let epoch = held ?? receiver.next()
                held = epoch.due > now ? epoch : nil
                if held == nil {
                    // After a power failure, the receiver uses its stored baud rate.
                    followRate(of: receiver, &queue, at: now)
                    try await begin(epoch, &queue, after: &plug)
                    count += 1
                }
            }
            while queue.due <= now { try await send(queue.removeFirst()) }
        }
        return count
    }

    /// Waits until `due`, or until a program writes to the receiver. With a manual clock, input is
    /// only detected at the next event. Returns `false` when the simulation has ended.
    private func wait(
        until due: Double, _ clock: any SimulationClock, _ receiver: SimulatedReceiver
    ) async -> Bool {
        if receiver.understandsCommands, let deadline = clock.instant(after: due) {
            for output in outputs where await output.waitForInput(until: deadline) { return true }
        }
        return await clock.wait(until: due)
    }

    private func followRate(
        of receiver: SimulatedReceiver, _ queue: inout TransmitQueue, at now: Double
    ) {
        guard configuration.baudRate != nil, let rate = receiver.lineRate, rate != queue.rate
        else { return }
        queue.add(.rate(rate), due: now)
    }

    /// Calls `begin` of the outputs, and adds the epoch's bytes and plug events to the queue.
    /// `plug` is the state after the previous epoch.
    private func begin(
        _ epoch: SimulatedEpoch, _ queue: inout TransmitQueue,
        after plug: inout SimulatedEpoch.Plug
    ) async throws {
        if plug != epoch.plug, case .inserted(let name) = epoch.plug {
            queue.add(.plug(as: name), due: epoch.due)
        }
        for output in outputs { try await output.begin(epoch) }
        queue.add(epoch)
        if plug != epoch.plug, epoch.plug == .unplugged { queue.add(.unplug, due: epoch.due) }
        plug = epoch.plug
    }

    private func send(_ event: TransmitQueue.Event) async throws {
        for output in outputs {
            switch event {
            case .bytes(let bytes): try await output.send(bytes)
            case .rate(let rate): output.setRate(rate)
            case .plug(let name): try output.plug(as: name)
            case .unplug: output.unplug()
            }
        }
    }

    /// Waits for the next whole second of the system's clock or, at rates above 1 Hz, the next
    /// whole fraction of a second. Returns that time; `nil` if the task is cancelled.
    private static func nextEpoch(_ rate: Double) async -> UTCTime? {
        let count = Int64(max(1, rate.rounded()))
        let now = SystemClock.nanoseconds ?? 0
        // The fractions are counted within the second. Multiples of a rounded period since 1970,
        // such as 333,333,333 ns, are not at whole fractions of a second.
        let (second, elapsed) = now.quotientAndRemainder(dividingBy: 1_000_000_000)
        let index = elapsed * count / 1_000_000_000 + 1
        let next = second * 1_000_000_000 + (index * 1_000_000_000 + count / 2) / count
        let wait = Duration.nanoseconds(next - now)
        guard await Poller.shared.sleep(until: .now + wait) == .timedOut else { return nil }
        return UTCTime(unixNanoseconds: next)
    }
}

/// Receives the bytes of a simulated receiver.
///
/// An output should not wait for a slow reader: data that cannot be sent is dropped and counted.
public protocol SimulationOutput: Sendable {
    /// Called for an epoch before any of its bytes are sent. By default, does nothing.
    func begin(_ epoch: SimulatedEpoch) async throws

    /// Sends bytes of an epoch, or an answer to a command. With a baud rate, an epoch is sent in
    /// several chunks.
    func send(_ bytes: [UInt8]) async throws

    /// Waits until a program writes to the receiver, and returns `true`. Returns `false` at the
    /// deadline, or immediately if programs cannot write to this output (the default).
    func waitForInput(until deadline: MonotonicInstant) async -> Bool

    /// Returns the bytes that programs have written to the receiver since the last call. By
    /// default, returns none.
    func takeInput() -> [UInt8]

    /// Changes the receiver's baud rate; `nil` for USB. By default, does nothing.
    func setRate(_ rate: BaudRate?)

    /// Unplugs the device. By default, does nothing.
    func unplug()

    /// Plugs the device in again, under the given name or, if that is `nil`, the previous one. By
    /// default, does nothing.
    func plug(as name: String?) throws

    func close()
}

extension SimulationOutput {
    /// Does nothing.
    public func begin(_ epoch: SimulatedEpoch) {}

    /// Returns `false` immediately, because programs cannot write to this output.
    public func waitForInput(until deadline: MonotonicInstant) -> Bool { false }

    /// Returns no bytes.
    public func takeInput() -> [UInt8] { [] }

    /// Does nothing.
    public func setRate(_ rate: BaudRate?) {}

    /// Does nothing.
    public func unplug() {}

    /// Does nothing.
    public func plug(as name: String?) {}
}

/// An error of an output.
public struct SimulationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The action that failed, such as `cannot listen on tcp://localhost:2947`.
    public let what: String
    /// The underlying `errno`.
    public let errno: CInt
    /// The reason, if it is not the text of `errno`.
    private let reason: String?

    init(_ what: String, errno: CInt, _ reason: String? = nil) {
        self.what = what
        self.errno = errno
        self.reason = reason
    }

    /// The action that failed, and the reason.
    public var description: String { "\(what): \(reason ?? String(cString: strerror(errno)))" }
}

/// The speed at which the time of a simulation advances: real time, faster or slower, or in manual
/// steps.
public struct Pace: Sendable {
    private enum Kind {
        case accelerated(Double)
        case stepped(SteppedTime)
    }

    private let kind: Kind

    /// Whether a `ManualClock` determines the time.
    var isStepped: Bool {
        if case .stepped = kind { true } else { false }
    }

    /// Whether time advances at the speed of the system's clock.
    var isRealTime: Bool {
        if case .accelerated(1) = kind { true } else { false }
    }

    /// Time advances at the speed of the system's clock.
    public static let realTime = Pace(kind: .accelerated(1))

    /// Returns a pace that is `factor` times as fast as the system's clock. The factor is limited
    /// to 0.001 to 1 000 000.
    public static func accelerated(by factor: Double) -> Pace {
        Pace(kind: .accelerated(min(1_000_000, max(0.001, factor))))
    }

    /// Returns a pace that follows a manual clock. The caller must retain the clock; the simulation
    /// ends when the clock is deinitialized. The simulation waits for slow readers, so that no
    /// bytes are lost.
    public static func stepped(by clock: ManualClock) -> Pace {
        Pace(kind: .stepped(clock.time))
    }

    /// Returns a clock that starts at 0 s now. For a stepped pace, returns the shared manual clock,
    /// which may have advanced already.
    package func start() -> any SimulationClock {
        switch kind {
        case .accelerated(let factor): AcceleratedClock(by: factor)
        case .stepped(let time): time
        }
    }
}

/// The time of a running simulation, in seconds since its start.
package protocol SimulationClock: Sendable {
    /// The time since the start in seconds.
    var elapsed: Double { get }

    /// Returns the instant of the system's monotonic clock at which this clock's time is `seconds`;
    /// `nil` for a manual clock.
    func instant(after seconds: Double) -> MonotonicInstant?

    /// Waits until the time is `seconds`. Returns `false` if the task is cancelled or the manual
    /// clock is deinitialized.
    func wait(until seconds: Double) async -> Bool
}

/// A clock that runs at a multiple of the speed of the system's clock, from 0 s at its creation.
private struct AcceleratedClock: SimulationClock {
    private let start = MonotonicInstant.now
    private let factor: Double

    init(by factor: Double) {
        self.factor = factor
    }

    var elapsed: Double { MonotonicInstant.now.seconds(since: start) * factor }

    func wait(until seconds: Double) async -> Bool {
        await Poller.shared.sleep(until: due(after: seconds)) == .timedOut
    }

    func instant(after seconds: Double) -> MonotonicInstant? { due(after: seconds) }

    private func due(after seconds: Double) -> MonotonicInstant {
        // Replace infinity and NaN by 10^10 s, about three centuries.
        start + .seconds(seconds < 1e10 * factor ? max(0, seconds / factor) : 1e10)
    }
}

/// Passes commands from outputs to a simulated receiver, and keeps its answers until they are due.
private struct CommandQueue {
    private var answers: [SimulatedReceiver.Answer] = []

    /// The time of the next answer in seconds after the first epoch; infinity if there is none.
    var due: Double { answers.map(\.due).min() ?? .infinity }

    /// Takes the bytes that programs have written to the outputs, and passes them to the receiver.
    /// Returns whether there were any bytes.
    mutating func answer(
        _ outputs: [any SimulationOutput], _ receiver: inout SimulatedReceiver, at seconds: Double
    ) -> Bool {
        guard receiver.understandsCommands else { return false }
        var isFound = false
        for output in outputs {
            let bytes = output.takeInput()
            guard !bytes.isEmpty else { continue }
            isFound = true
            answers += receiver.receive(bytes, at: seconds)
        }
        return isFound
    }

    /// Moves the answers that are due by a time to the transmit queue, in the order of the
    /// commands.
    mutating func moveAnswers(to queue: inout TransmitQueue, until seconds: Double) {
        guard !answers.isEmpty else { return }
        for answer in answers where answer.due <= seconds {
            queue.add(answer.bytes, due: answer.due)
        }
        answers.removeAll { $0.due <= seconds }
    }
}

/// The bytes that a simulated receiver sends, with the times at which they arrive. Each byte takes
/// ten bits at the baud rate.
private struct TransmitQueue {
    /// An event on the line: arriving bytes, a change of the baud rate, plugging or unplugging.
    enum Event {
        /// Bytes arrive at the reader together.
        case bytes([UInt8])
        /// The baud rate changes.
        case rate(BaudRate?)
        case plug(as: String?)
        case unplug
    }

    /// The duration of a chunk on the line in seconds, unless `minimumCount` makes it longer. USB
    /// serial chips collect bytes in a similar way.
    private static let minimumTime = 0.01
    /// The minimum size of a chunk in bytes.
    private static let minimumCount = 16

    /// The baud rate; `nil` for USB: bytes are sent immediately.
    private(set) var rate: BaudRate?
    /// The time between epochs in seconds.
    var period: Double
    private var events: [(due: Double, event: Event)] = []
    private var next = 0
    private var isBusyUntil = 0.0

    init(_ rate: BaudRate?, period: Double) {
        self.rate = rate
        self.period = period
    }

    /// The time of the next event in seconds after the first epoch; infinity if there is none.
    var due: Double { next < events.count ? events[next].due : .infinity }

    /// Removes and returns the next event.
    mutating func removeFirst() -> Event {
        defer {
            next += 1
            // A saturated line always has further events, so also remove past events after every
            // 64.
            if next == events.count || next > 64 {
                events.removeFirst(next)
                next = 0
            }
        }
        return events[next].event
    }

    /// Adds the bytes of an epoch. Like real receivers, drops an epoch that would be delayed by a
    /// whole period.
    mutating func add(_ epoch: SimulatedEpoch) {
        if rate == nil || max(epoch.due, isBusyUntil) - epoch.due < period {
            add(epoch.bytes, due: epoch.due)
        }
    }

    /// Adds bytes, which are sent when the line is free, at the earliest at `due`.
    mutating func add(_ bytes: [UInt8], due: Double) {
        guard !bytes.isEmpty else { return }
        let start = max(due, isBusyUntil)
        guard let rate else { return append(.bytes(bytes), start) }
        let bytesPerSecond = Double(rate.rawValue) / 10
        let size = max(Self.minimumCount, Int(bytesPerSecond * Self.minimumTime))
        isBusyUntil = start + Double(bytes.count) / bytesPerSecond
        for first in stride(from: 0, to: bytes.count, by: size) {
            let end = min(bytes.count, first + size)
            // A chunk is complete when its last bit has arrived.
            append(.bytes(Array(bytes[first..<end])), start + Double(end) / bytesPerSecond)
        }
    }

    /// Adds an event, which occurs after all bytes added before, at the earliest at `due`.
    mutating func add(_ event: Event, due: Double) {
        if case .rate(let rate) = event { self.rate = rate }
        append(event, max(due, isBusyUntil))
    }

    private mutating func append(_ event: Event, _ due: Double) {
        // Events stay in order.
        events.append((max(due, events.last?.due ?? due), event))
    }
}

/// A clock that advances only when the caller advances it. A simulation then sends the epochs that
/// are due.
///
/// When the clock is deinitialized, every simulation that uses it ends.
public final class ManualClock: Sendable {
    let time = SteppedTime()

    /// Creates a clock at 0 s.
    public init() {}

    deinit { time.end() }

    /// The sum of all steps so far, in seconds.
    public var elapsed: Double { time.elapsed }

    /// The number of tasks waiting for the clock.
    package var waiterCount: Int { time.waiterCount }

    /// Advances the clock and resumes the tasks that are due. A negative step is ignored.
    public func advance(by step: Duration) {
        time.advance(by: step / .seconds(1))
    }
}

/// The state of a `ManualClock`. Simulations retain this object instead of the clock, because they
/// end when the clock is deinitialized.
final class SteppedTime: SimulationClock {
    private struct Waiter {
        var due: Double
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var elapsed = 0.0
        var isEnded = false
        var waiters: [UInt64: Waiter] = [:]
        var tokens: UInt64 = 0
        /// The ids of cancelled waits that have not returned yet. A wait can be cancelled before it
        /// has been added to `waiters`.
        var cancelled: Set<UInt64> = []
    }

    private let state = Mutex(State())

    var elapsed: Double { state.withLock { $0.elapsed } }

    /// The number of waiting tasks.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    func advance(by seconds: Double) {
        let due = state.withLock { state -> [Waiter] in
            state.elapsed += max(0, seconds)
            let due = state.waiters.filter { $0.value.due <= state.elapsed }
            for token in due.keys { state.waiters[token] = nil }
            return due.values.sorted { $0.due < $1.due }
        }
        for waiter in due { waiter.continuation.resume(returning: true) }
    }

    func end() {
        let waiters = state.withLock { state in
            state.isEnded = true
            return exchange(&state.waiters, with: [:]).values.map(\.continuation)
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    func instant(after seconds: Double) -> MonotonicInstant? { nil }

    func wait(until seconds: Double) async -> Bool {
        let token = state.withLock { state in
            state.tokens += 1
            return state.tokens
        }
        defer { state.withLock { _ = $0.cancelled.remove(token) } }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.isEnded || state.cancelled.contains(token) { return false }
                    if seconds <= state.elapsed { return true }
                    state.waiters[token] = Waiter(due: seconds, continuation: continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiter = state.withLock { state in
                state.cancelled.insert(token)
                return state.waiters.removeValue(forKey: token)
            }
            waiter?.continuation.resume(returning: false)
        }
    }
}
