// SPDX-License-Identifier: MIT
public import GNSS
public import GPSReceivers

/// A simulated receiver on a real tty: the bytes go through the kernel like any receiver's.
///
/// Copies of one value are one receiver, which managers share; every value made is another, and so is
/// each `.simulated`. A receiver that is read takes one of the system's pseudo terminals: 4,096 at
/// most by default (`/proc/sys/kernel/pty/max`), beside those of terminal windows. Where many managers
/// need no more than one receiver, keep the value:
///
/// ```swift
/// let source = SimulatedSource()
/// let managers = (0..<10_000).map { _ in LocationManager(source: source) }
/// ```
public struct SimulatedSource: DeviceSource {
    /// `simulated`, or as it was named.
    public let name: String
    /// The configuration of the simulated receiver.
    public let configuration: SimulatedReceiver.Configuration
    /// Unique for each value.
    public let identity = SourceIdentity.unique()

    /// Reading may pause if the simulated time advances by steps: a step of any length then loses nothing.
    /// Otherwise the source never waits, like a receiver.
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
    /// again: it is plugged in again.
    ///
    /// Throws `.noPseudoTerminal` where the system has none left, `.tooManyOpenFiles`, and `.notFound` while
    /// the receiver is unplugged.
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

    /// Watches for the receiver to come back after a fault has unplugged it; nil where none does.
    public func availability() -> (any DeviceAvailability)? {
        let unplugs = configuration.faults.faults.contains { fault in
            if case .unplug = fault.kind { true } else { false }
        }
        return unplugs ? SimulatedAvailability(current) : nil
    }
}

extension DeviceSource where Self == SimulatedSource {
    /// A receiver that drives round a circle; each one is another, with a pseudo terminal of its own.
    ///
    /// On the command line `simulated:KEY=VALUE,…` has the keys `personality`, `rate`, `radius`,
    /// `speed`, `lat`, `lon`, `sky` and `seed`; here they are properties of a configuration:
    /// `.simulated(configuration)`.
    public static var simulated: SimulatedSource { SimulatedSource() }

    /// A receiver as configured: its personality (`.ublox8`, or `.compass`, which sends headings alone), rate,
    /// trajectory, sky, faults and seed.
    public static func simulated(
        _ configuration: SimulatedReceiver.Configuration
    ) -> SimulatedSource {
        SimulatedSource(configuration)
    }
}
