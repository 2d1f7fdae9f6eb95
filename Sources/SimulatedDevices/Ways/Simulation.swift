// SPDX-License-Identifier: MIT
import Devices
import Glibc

/// A simulated receiver under way: each epoch goes out when it is due, in every way there is.
///
/// ```swift
/// let terminal = try SimulatedTerminal(configuration, link: "/tmp/gps")
/// try await Simulation(configuration, ways: [terminal]).run()
/// ```
public struct Simulation: Sendable {
    private let configuration: SimulatedReceiver.Configuration
    private let ways: [any SimulationWay]

    /// Prepares a run; without a configured start it is now, or with a stepped clock
    /// `SimulatedReceiver.defaultStart`.
    public init(_ configuration: SimulatedReceiver.Configuration, ways: [any SimulationWay]) {
        self.configuration = configuration
        self.ways = ways
    }

    /// Runs until the task is cancelled, a stepped clock ends, or so many epochs are over. Returns
    /// how many were sent.
    ///
    /// Throws what a way throws that can go on no longer, as where the disk is full.
    @discardableResult
    public func run(epochs: Int? = nil) async throws -> Int {
        defer { for way in ways { way.close() } }
        // Where time is stepped, the time of day must not matter.
        let isStepped = configuration.pace.isStepped
        var receiver = SimulatedReceiver(
            configuration,
            startingAt: isStepped ? SimulatedReceiver.defaultStart : Self.secondsSince1970)
        var line = PacedLine(configuration.baudRate, period: 1 / configuration.effectiveRate)
        let clock = configuration.pace.start()
        var plug = SimulatedEpoch.Plug.inserted(as: nil)
        var count = 0
        while count < epochs ?? .max {
            let epoch = receiver.next()
            guard await clock.wait(until: epoch.due) else { break }
            if plug != epoch.plug, case .inserted(let name) = epoch.plug {
                for way in ways { try way.plug(as: name) }
            }
            for way in ways { try await way.begin(epoch) }
            for piece in line.pieces(of: epoch) {
                guard await clock.wait(until: piece.due) else { return count }
                for way in ways { try await way.send(Array(epoch.bytes[piece.range])) }
            }
            if plug != epoch.plug, epoch.plug == .pulled {
                for way in ways { way.unplug() }
            }
            plug = epoch.plug
            count += 1
        }
        return count
    }

    /// The system clock, to the second: what a receiver's epochs fall on.
    private static var secondsSince1970: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
