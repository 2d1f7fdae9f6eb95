// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
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
        var line = PacedLine(configuration.baudRate, period: 1 / configuration.effectiveRate)
        let clock = configuration.pace.start()
        var plug = SimulatedEpoch.Plug.inserted(as: nil)
        var count = 0
        while count < epochs ?? .max {
            let epoch = receiver.next()
            guard try await wait(until: epoch.due, clock, &receiver) else { break }
            if plug != epoch.plug, case .inserted(let name) = epoch.plug {
                for output in outputs { try output.plug(as: name) }
            }
            for output in outputs { try await output.begin(epoch) }
            for piece in line.pieces(of: epoch) {
                guard await clock.wait(until: piece.due) else { return count }
                for output in outputs { try await output.send(Array(epoch.bytes[piece.range])) }
            }
            if plug != epoch.plug, epoch.plug == .unplugged {
                for output in outputs { output.unplug() }
            }
            plug = epoch.plug
            count += 1
        }
        return count
    }

    /// Waits until an epoch is due; until then the receiver answers programs.
    private func wait(
        until due: Double, _ clock: any SimulationClock, _ receiver: inout SimulatedReceiver
    ) async throws -> Bool {
        guard receiver.answersPolls else { return await clock.wait(until: due) }
        let interval = configuration.pace.inputInterval ?? .infinity
        var next: Double
        repeat {
            next = min(due, clock.elapsed + interval)
            guard await clock.wait(until: next) else { return false }
            for output in outputs {
                let answers = receiver.answers(to: output.takeInput())
                if !answers.isEmpty { try await output.send(answers) }
            }
        } while next < due
        return true
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
