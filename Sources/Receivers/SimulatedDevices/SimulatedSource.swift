// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
public import GPSReceivers
import Synchronization

/// A simulated receiver that is read through a pseudo terminal. Its bytes pass through the kernel
/// like those of a real receiver.
///
/// Copies of a value share one receiver. Every new value, and each use of `.simulated`, is a
/// separate receiver. Each receiver in use needs one of the system's pseudo terminals: by default
/// there are 4,096 (`/proc/sys/kernel/pty/max`), shared with terminal windows. If many managers can
/// share a receiver, keep the value:
///
/// ```swift
/// let source = SimulatedSource()
/// let managers = (0..<10_000).map { _ in LocationManager(source: source) }
/// ```
public struct SimulatedSource: DeviceSource {
    /// The name of the source. Default: `simulated`.
    public let name: String
    /// The configuration of the simulated receiver.
    public let configuration: SimulatedReceiver.Configuration
    /// The identity. It is unique for each created value; copies have the same identity.
    public let identity = SourceIdentity.unique()

    /// The capabilities: `.pausing` with a manual clock, because the simulation then waits for a
    /// slow reader. Otherwise none: like a real receiver, it does not wait.
    public var capabilities: SourceCapabilities { configuration.pace.isStepped ? .pausing : [] }

    private let current = CurrentRun()

    /// Creates a source. The receiver starts when the source is opened.
    public init(
        _ configuration: SimulatedReceiver.Configuration = .init(), name: String = "simulated"
    ) {
        self.configuration = configuration
        self.name = name
    }

    /// The origin of the data: always `.simulated`.
    public var origin: DataOrigin { .simulated }

    /// Starts the receiver and opens its tty. A receiver that a fault has unplugged is not started
    /// again, because it will be plugged in at the end of the fault.
    ///
    /// Throws `.noPseudoTerminal` if the system has no free pseudo terminal, `.tooManyOpenFiles`,
    /// `.notFound` while the receiver is unplugged, and `.ended` if the simulation has ended then.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        let run = try startedRun()
        let insertion = run.insertion
        guard let path = run.path else { throw DeviceError(.notFound, device: name) }
        let serial = SerialSource(path, baudRate: configuration.baudRate ?? .default)
        let inner = try await serial.openLine()
        current.opened(run)
        run.start()
        return SimulatedConnection(inner, name: name, run, insertion: insertion, current)
    }

    private func startedRun() throws(DeviceError) -> SimulatedRun {
        if let run = current.run {
            guard !run.isOver else { throw DeviceError(.ended, device: name) }
            return run
        }
        return try SimulatedRun(configuration)
    }

    /// Returns an object that waits for the receiver to be plugged in again; `nil` if the
    /// configuration can neither unplug it nor, for a receiver on USB, cut its power.
    public func availability() -> (any DeviceAvailability)? {
        // Without power, a receiver's built-in USB port disappears.
        let isUSB = configuration.isUSB
        let unplugs = configuration.faults.faults.contains { fault in
            switch fault.kind {
            case .unplug: true
            case .powerOff: isUSB
            default: false
            }
        }
        let returns = unplugs || isUSB && configuration.supply != nil
        return returns ? SimulatedAvailability(current) : nil
    }
}

extension DeviceSource where Self == SimulatedSource {
    /// A receiver that drives in a circle. Each use creates another receiver with its own pseudo
    /// terminal.
    ///
    /// On the command line, use `simulated:KEY=VALUE,…` with the keys `personality`, `protocol`,
    /// `rate`, `radius`, `instruments`, `speed`, `lat`, `lon`, `sky`, `seed` and `fault`; in Swift,
    /// set the properties of a configuration: `.simulated(configuration)`.
    public static var simulated: SimulatedSource { SimulatedSource() }

    /// Returns a receiver with a configuration: its personality (`.ublox8`, or `.compass`, which
    /// sends only headings), rate, trajectory, sky, faults and seed.
    public static func simulated(
        _ configuration: SimulatedReceiver.Configuration
    ) -> SimulatedSource {
        SimulatedSource(configuration)
    }
}

/// A connection to the tty of a simulated receiver. It also keeps the receiver running.
private final class SimulatedConnection: PolledConnection {
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
private final class CurrentRun: Sendable {
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
private final class SimulatedAvailability: DeviceAvailability {
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

/// A running simulation with a tty, for a `SimulatedSource`. It ends when the object is
/// deinitialized.
private final class SimulatedRun: Sendable {
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
