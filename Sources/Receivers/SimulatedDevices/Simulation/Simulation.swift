// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
public import GPSReceivers
import Glibc

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

    /// Closes the output.
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
