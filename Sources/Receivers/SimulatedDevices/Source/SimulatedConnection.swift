// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import Synchronization

/// A connection to the tty of a simulated receiver. It also keeps the receiver running.
final class SimulatedConnection: PolledConnection {
    let name: String
    var poller: Poller { inner.poller }
    private let inner: SerialConnection
    private let run: SimulatedRun
    private let insertion: Int
    private let current: CurrentRun

    init(
        _ inner: SerialConnection, name: String, _ run: SimulatedRun, insertion: Int,
        _ current: CurrentRun
    ) {
        self.name = name
        self.inner = inner
        self.run = run
        self.insertion = insertion
        self.current = current
    }

    deinit { close() }

    func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.HandlerResult
    ) async throws(DeviceError) {
        do throws(DeviceError) {
            try await inner.read(until: deadline, each: handle)
        } catch {
            // The simulation has ended, so report the end of the data instead of an unplugged
            // device.
            guard error.code == .disconnected, run.isOver else { throw error }
            _ = handle(.end)
        }
    }

    /// Closes the tty and ends the simulation. If a fault has unplugged the receiver, the
    /// simulation continues, because the receiver will be plugged in again.
    func close() {
        inner.close()
        current.closed(run, insertion: insertion)
    }
}

/// A weak reference to the running simulation of a source. The connection keeps the simulation
/// alive; while the receiver is unplugged, the `SimulatedAvailability` does.
final class CurrentRun: Sendable {
    private struct State {
        weak var run: SimulatedRun?
        weak var waiting: SimulatedAvailability?
    }

    private let state = Mutex(State())

    /// The running simulation; `nil` if there is none.
    var run: SimulatedRun? { state.withLock { $0.run } }

    func waits(_ availability: SimulatedAvailability) {
        state.withLock { $0.waiting = availability }
    }

    func opened(_ run: SimulatedRun) {
        let waiting = state.withLock { state in
            state.run = run
            return state.waiting
        }
        waiting?.keep(nil)
    }

    func closed(_ run: SimulatedRun, insertion: Int) {
        // The receiver may already have been plugged in again, with a new tty.
        let isUnplugged = (run.path == nil || run.insertion != insertion) && !run.isOver
        let waiting = state.withLock { state -> SimulatedAvailability? in
            let waiting = isUnplugged ? state.waiting : nil
            if waiting == nil, state.run === run { state.run = nil }
            return waiting
        }
        if let waiting { waiting.keep(run) } else { run.stop() }
    }
}

/// Waits for a simulated receiver to be plugged in again after a fault has unplugged it.
final class SimulatedAvailability: DeviceAvailability {
    private let kept = Mutex<SimulatedRun?>(nil)

    init(_ current: CurrentRun) {
        current.waits(self)
    }

    func keep(_ run: SimulatedRun?) {
        // Release the previous value outside the lock, because this may deinitialize it.
        let previous = kept.withLock { exchange(&$0, with: run) }
        withExtendedLifetime(previous) {}
    }

    func next(until deadline: MonotonicInstant?) async {
        guard let run = kept.withLock({ $0 }) else {
            // The receiver could not be opened, for example because the process has no free
            // descriptor, and no event will report when it can be.
            return await PeriodicRetry.withoutEvents(.shared).next(until: deadline)
        }
        await run.waitForPlug(until: deadline)
    }
}
