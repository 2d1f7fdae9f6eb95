// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import Glibc
import SimulatedDevices
import Synchronization

/// Many receivers in one process, each on a tty that is read.
struct Fleet {
    private let terminals: [SimulatedTerminal]
    private let configurations: [SimulatedReceiver.Configuration]
    private let count: Int
    private let rate: Double

    init(count: Int, rate: Double) throws {
        self.count = count
        self.rate = rate
        configurations = (0..<count).map { number in
            var configuration = SimulatedReceiver.Configuration()
            configuration.rate = rate
            configuration.seed = UInt64(number)
            return configuration
        }
        terminals = try configurations.map { try SimulatedTerminal($0) }
    }

    /// The delays with which epochs are sent, according to the clock of the process.
    private final class Lateness: SimulationOutput {
        private let start = ContinuousClock.now
        private let latest = Mutex(0.0)

        var seconds: Double { latest.withLock { $0 } }

        func begin(_ epoch: SimulatedEpoch) {
            let late = (ContinuousClock.now - start) / .seconds(1) - epoch.due
            latest.withLock { $0 = max($0, late) }
        }

        func send(_ bytes: [UInt8]) {}
        func close() {}
    }

    /// Runs them, and prints the cost.
    func run(for seconds: Double) async throws -> String {
        var readers: [Task<Int, Never>] = []
        for terminal in terminals {
            let source = SerialSource(terminal.path ?? "")
            let connection = try await source.open()
            readers.append(
                Task {
                    var count = 0
                    while case .bytes(let bytes)? = try? await connection.read(until: nil) {
                        count += bytes.count
                    }
                    return count
                })
        }
        let before = Self.processorTime
        let start = ContinuousClock.now
        let epochs = Int(seconds * rate)
        let latest = try await withThrowingTaskGroup(of: Double.self) { group in
            for (terminal, configuration) in zip(terminals, configurations) {
                group.addTask {
                    let lateness = Lateness()
                    try await Simulation(configuration, outputs: [lateness, terminal])
                        .run(epochs: epochs)
                    return lateness.seconds
                }
            }
            var latest = 0.0
            for try await late in group { latest = max(latest, late) }
            return latest
        }
        let elapsed = start.duration(to: .now) / .seconds(1)
        let used = (Self.processorTime - before) / elapsed
        var bytes = 0
        for reader in readers { bytes += await reader.value }
        let dropped = terminals.reduce(0) { $0 + $1.droppedByteCount }
        return """
              \(count * epochs) epochs, \(bytes) bytes read, \(dropped) dropped
              \(Int(used * 100)) % of one core; the latest epoch \(Int(latest * 1000)) ms late
            """
    }

    private static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}

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
