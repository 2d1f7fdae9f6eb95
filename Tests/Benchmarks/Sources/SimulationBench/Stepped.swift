// SPDX-License-Identifier: MIT
import GNSS
import SimulatedDevices

/// One receiver whose clock a program steps, as in a test.
struct Stepped {
    private let configuration: SimulatedReceiver.Configuration
    private let clock = ManualClock()

    init(_ personality: Personality) {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = personality
        configuration.start = UTCTime(unixNanoseconds: 1_774_000_000_000_000_000)
        configuration.pace = .stepped(by: clock)
        self.configuration = configuration
    }

    /// An output that discards everything.
    private struct Nowhere: SimulationOutput {
        func send(_ bytes: [UInt8]) {}
        func close() {}
    }

    /// Returns the speed as a multiple of real time. Advances the clock by two hours in one step.
    var times: Int {
        get async throws {
            let epochs = 7200
            clock.advance(by: .seconds(epochs))
            let start = ContinuousClock.now
            try await Simulation(configuration, outputs: [Nowhere()]).run(epochs: epochs)
            return Int(Double(epochs) / (start.duration(to: .now) / .seconds(1)))
        }
    }
}
