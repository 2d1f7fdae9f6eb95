// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers

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
