// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers

/// A simulated receiver on a real tty: its bytes pass through the kernel like any receiver's.
///
/// Copies of a value share one receiver; every new value, and each `.simulated`, is a separate one.
/// Each receiver in use needs one of the system's pseudo terminals: by default there are 4,096
/// (`/proc/sys/kernel/pty/max`), shared with terminal windows. If many managers can share a
/// receiver, keep the value:
///
/// ```swift
/// let source = SimulatedSource()
/// let managers = (0..<10_000).map { _ in LocationManager(source: source) }
/// ```
public struct SimulatedSource: DeviceSource {
    /// The name; default: `simulated`.
    public let name: String
    /// The configuration of the simulated receiver.
    public let configuration: SimulatedReceiver.Configuration
    /// Unique for each value.
    public let identity = SourceIdentity.unique()

    /// Reading may pause if the simulated time advances by steps; no data is lost then. Otherwise
    /// the source never waits, like a real receiver.
    public var capabilities: SourceCapabilities { configuration.pace.isStepped ? .pausing : [] }

    private let current = CurrentRun()

    /// Creates a source; the receiver starts when it is opened. Several sources need distinct names.
    public init(
        _ configuration: SimulatedReceiver.Configuration = .init(), name: String = "simulated"
    ) {
        self.configuration = configuration
        self.name = name
    }

    /// `.simulated`.
    public var origin: DataOrigin { .simulated }

    /// Starts the receiver and opens its tty. A receiver that a fault has unplugged is not started
    /// again; it will be plugged in again.
    ///
    /// Throws `.noPseudoTerminal` if the system has none left, `.tooManyOpenFiles`, and `.notFound`
    /// while the receiver is unplugged.
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
        if let run = current.run { return run }
        return try SimulatedRun(configuration)
    }

    /// Returns an object that waits for the receiver to be plugged in again; `nil` if no fault
    /// unplugs it.
    public func availability() -> (any DeviceAvailability)? {
        let unplugs = configuration.faults.faults.contains { fault in
            if case .unplug = fault.kind { true } else { false }
        }
        return unplugs ? SimulatedAvailability(current) : nil
    }
}

extension DeviceSource where Self == SimulatedSource {
    /// A receiver that drives in a circle. Each use creates another receiver with its own pseudo
    /// terminal.
    ///
    /// On the command line `simulated:KEY=VALUE,…` has the keys `personality`, `protocol`, `rate`,
    /// `radius`, `speed`, `lat`, `lon`, `sky` and `seed`; here they are properties of a configuration:
    /// `.simulated(configuration)`.
    public static var simulated: SimulatedSource { SimulatedSource() }

    /// A receiver with a configuration: its personality (`.ublox8`, or `.compass`, which only sends
    /// headings), rate, trajectory, sky, faults and seed.
    public static func simulated(
        _ configuration: SimulatedReceiver.Configuration
    ) -> SimulatedSource {
        SimulatedSource(configuration)
    }
}
