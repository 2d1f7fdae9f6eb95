// SPDX-License-Identifier: MIT
public import Devices
import Glibc

/// A simulated receiver on a real tty: the bytes go through the kernel like any receiver's.
///
/// Copies of one value are one receiver; every value made is another.
public struct SimulatedSource: DeviceSource {
    /// What is simulated.
    public let configuration: SimulatedReceiver.Configuration
    /// One per value.
    public let identity = SourceIdentity.unique()

    /// Makes a source; the receiver starts when it is opened.
    public init(_ configuration: SimulatedReceiver.Configuration = .init()) {
        self.configuration = configuration
    }

    /// `simulated`.
    public var name: String { "simulated" }
    /// Invented.
    public var origin: DataOrigin { .simulated }

    /// Starts the receiver and opens its tty.
    ///
    /// Throws `.ioFailed` where the system has no pseudo terminals left.
    public func open() async throws(DeviceError) -> any DeviceConnection {
        let terminal = try PseudoTerminal()
        let inner = try await SerialSource(terminal.path).open()
        return SimulatedConnection(inner, terminal, configuration)
    }

    /// Nil: it never goes away by itself.
    public func appearances() -> (any DeviceAppearances)? { nil }
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

/// A tty with the task that talks on its other end.
private final class SimulatedConnection: DeviceConnection {
    let name = "simulated"
    private let inner: any DeviceConnection
    private let terminal: PseudoTerminal
    private let talker: Task<Void, Never>

    init(
        _ inner: any DeviceConnection, _ terminal: PseudoTerminal,
        _ configuration: SimulatedReceiver.Configuration
    ) {
        self.inner = inner
        self.terminal = terminal
        talker = Task(executorPreference: Poller.shared) {
            await terminal.talk(configuration)
        }
    }

    deinit { close() }

    func read(until deadline: ContinuousClock.Instant?) async throws(DeviceError) -> DeviceInput {
        try await inner.read(until: deadline)
    }

    func close() {
        talker.cancel()
        inner.close()
        terminal.close()
    }
}

extension PseudoTerminal {
    /// Sends a simulated receiver's epochs, each when it is due, until cancellation.
    ///
    /// As from a receiver, what a slow reader leaves no room for is lost.
    package func talk(_ configuration: SimulatedReceiver.Configuration) async {
        var receiver = SimulatedReceiver(configuration, startingAt: Self.secondsSince1970)
        let start = ContinuousClock.now
        while !Task.isCancelled {
            let due = start + .nanoseconds(Int64(receiver.due * 1e9))
            guard await Poller.shared.sleep(until: due) == .timedOut else { return }
            await write(receiver.next(), whenFull: .drop)
        }
    }

    /// The system clock, to the second: what a receiver's epochs fall on.
    private static var secondsSince1970: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec)
    }
}
