// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// A running simulation with a tty, for a `SimulatedSource`. It ends when the object is
/// deinitialized.
final class SimulatedRun: Sendable {
    private enum State {
        case ready
        case running(Task<Void, Never>)
        case stopped
    }

    private let configuration: SimulatedReceiver.Configuration
    private let terminal: SimulatedTerminal
    private let ending: Ending
    private let state = Mutex(State.ready)
    /// Signalled when the device has been plugged in again, and when the simulation has ended.
    private let wakeUp: WakeUp

    init(_ configuration: SimulatedReceiver.Configuration) throws(DeviceError) {
        self.configuration = configuration
        let wakeUp = try DeviceError.converted { () throws(IOError) in try WakeUp() }
        self.wakeUp = wakeUp
        ending = Ending(wakeUp)
        terminal = try SimulatedTerminal(configuration) { path in
            if path != nil { wakeUp.signal() }
        }
    }

    deinit { stop() }

    /// The tty to open; `nil` while unplugged.
    var path: String? { terminal.path }

    /// The number of times that the device was plugged in. Each time, it has a new tty.
    var insertion: Int { terminal.insertionCount }

    /// Whether the simulation has ended, for example because its manual clock was deinitialized.
    var isOver: Bool { ending.isOver.load(ordering: .acquiring) }

    func start() {
        state.withLock { state in
            guard case .ready = state else { return }
            let simulation = Simulation(configuration, outputs: [ending, terminal])
            state = .running(
                // Do not run on the polling thread, which also serves other devices.
                Task(executorPreference: BackgroundExecutor.shared) {
                    // After an error of the tty, the reader receives a hang-up.
                    _ = try? await simulation.run()
                })
        }
    }

    func stop() {
        state.withLock { state in
            if case .running(let task) = state { task.cancel() }
            state = .stopped
        }
        terminal.close()
    }

    /// Waits until the device is plugged in again, the simulation has ended, or the deadline has
    /// passed.
    func waitForPlug(until deadline: MonotonicInstant?) async {
        _ = await wakeUp.wait(until: deadline)
    }

    /// An output that drops all bytes and records the end of the simulation. It is the first in the
    /// list of outputs, so `isOver` is set before the tty is closed.
    private final class Ending: SimulationOutput {
        let isOver = Atomic<Bool>(false)
        private let wakeUp: WakeUp

        init(_ wakeUp: WakeUp) {
            self.wakeUp = wakeUp
        }

        func send(_ bytes: [UInt8]) {}

        func close() {
            isOver.store(true, ordering: .releasing)
            wakeUp.signal()
        }
    }
}
