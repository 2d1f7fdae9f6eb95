// SPDX-License-Identifier: MIT
public import Devices

/// A simulated receiver on a real tty: the bytes go through the kernel like any receiver's.
///
/// Copies of one value are one receiver; every value made is another.
public struct SimulatedSource: DeviceSource {
    /// `simulated`, or as it was named.
    public let name: String
    /// What is simulated.
    public let configuration: SimulatedReceiver.Configuration
    /// Unique for each value.
    public let identity = SourceIdentity.unique()

    /// Reading may pause if its time goes on by steps: then a step of any length loses nothing. Otherwise
    /// it waits for nothing, like a receiver.
    public var capabilities: SourceCapabilities { configuration.pace.isStepped ? .pausing : [] }

    private let current = CurrentRun()

    /// Creates a source; the receiver starts when it is opened. Several need names to be told apart by.
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
    /// A receiver that drives round a circle.
    public static var simulated: SimulatedSource { SimulatedSource() }

    /// A receiver that drives as configured.
    public static func simulated(
        _ configuration: SimulatedReceiver.Configuration
    ) -> SimulatedSource {
        SimulatedSource(configuration)
    }
}
