// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
public import GPSReceivers
import Glibc

/// Runs a simulated receiver: each epoch is sent to every output when it is due.
///
/// ```swift
/// let terminal = try SimulatedTerminal(configuration, link: "/tmp/gps")
/// try await Simulation(configuration, outputs: [terminal]).run()
/// ```
public struct Simulation: Sendable {
    private let configuration: SimulatedReceiver.Configuration
    private let outputs: [any SimulationOutput]

    /// Creates a simulation. Without a configured start it begins now, or with a stepped clock at
    /// `SimulatedReceiver.defaultStart`.
    public init(_ configuration: SimulatedReceiver.Configuration, outputs: [any SimulationOutput]) {
        self.configuration = configuration
        self.outputs = outputs
    }

    /// Runs until the task is cancelled, a stepped clock ends, or `count` epochs were sent. Returns
    /// the number of epochs sent.
    ///
    /// Throws the error of an output, for example if the disk is full.
    @discardableResult
    public func run(epochs: Int? = nil) async throws -> Int {
        defer { for output in outputs { output.close() } }
        var configuration = configuration
        if configuration.start == nil, configuration.pace.isRealTime {
            configuration.start = await Self.nextEpoch(configuration.effectiveRate)
            if Task.isCancelled { return 0 }
        }
        // With stepped time the time of day must not matter.
        let isStepped = configuration.pace.isStepped
        var receiver = SimulatedReceiver(
            configuration,
            startingAt: isStepped
                ? SimulatedReceiver.defaultStart : (SystemClock.nanoseconds ?? 0) / 1_000_000_000)
        var queue = TransmitQueue(configuration.baudRate, period: receiver.period)
        var commands = CommandQueue(configuration.pace)
        let clock = configuration.pace.start()
        var plug = SimulatedEpoch.Plug.inserted(as: nil)
        var held: SimulatedEpoch?
        var count = 0
        while count < epochs ?? .max || queue.due < .infinity {
            let isDone = count >= epochs ?? .max
            let epochDue = isDone ? .infinity : held?.due ?? receiver.due
            let now = min(epochDue, queue.due, commands.due(receiver, clock))
            guard await clock.wait(until: now) else { break }
            if commands.answer(outputs, &receiver, at: now) {
                queue.period = receiver.period
                followRate(of: receiver, &queue, at: now)
            }
            commands.moveAnswers(to: &queue, until: now)
            if now >= epochDue {
                let epoch = held ?? receiver.next()
                held = epoch.due > now ? epoch : nil
                if held == nil {
                    // A receiver whose power returns has the rate that it stored.
                    followRate(of: receiver, &queue, at: now)
                    try await begin(epoch, &queue, after: &plug)
                    count += 1
                }
            }
            while queue.due <= now { try await send(queue.removeFirst()) }
        }
        return count
    }

    private func followRate(
        of receiver: SimulatedReceiver, _ queue: inout TransmitQueue, at now: Double
    ) {
        guard configuration.baudRate != nil, let rate = receiver.lineRate, rate != queue.rate
        else { return }
        queue.add(.rate(rate), due: now)
    }

    /// Begins an epoch: its bytes and what happens to the plug are added to the queue.
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

    /// Waits for the next time that epochs fall on by the system's clock: a whole second, or a
    /// fraction of it at higher rates. Returns `nil` if the task is cancelled first.
    private static func nextEpoch(_ rate: Double) async -> UTCTime? {
        let step = Int64((1e9 / max(1, rate.rounded())).rounded())
        let now = SystemClock.nanoseconds ?? 0
        let next = (now / step + 1) * step
        let wait = Duration.nanoseconds(next - now)
        guard await Poller.shared.sleep(until: .now + wait) == .timedOut else { return nil }
        return UTCTime(unixNanoseconds: next)
    }
}

/// Receives the bytes of a simulated receiver.
///
/// An output should not wait for a slow reader: data that cannot be sent is dropped and counted.
public protocol SimulationOutput: Sendable {
    /// Receives an epoch before any of its bytes are sent. Default: nothing.
    func begin(_ epoch: SimulatedEpoch) async throws

    /// Sends a piece of the epoch: all of it, unless the line is slow.
    func send(_ bytes: [UInt8]) async throws

    /// Returns the bytes that programs have written to the receiver since the last call. Default:
    /// none.
    func takeInput() -> [UInt8]

    /// Changes the rate of the line; `nil` for none. Default: nothing.
    func setRate(_ rate: BaudRate?)

    /// Unplugs the device. Default: nothing.
    func unplug()

    /// Plugs it in again, under another name if one is given. Default: nothing.
    func plug(as name: String?) throws

    /// Closes the output.
    func close()
}

extension SimulationOutput {
    /// Does nothing.
    public func begin(_ epoch: SimulatedEpoch) {}

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
