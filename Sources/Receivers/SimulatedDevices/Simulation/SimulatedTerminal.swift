// SPDX-License-Identifier: MIT
public import GNSS
import GPSIO
public import GPSReceivers
import Synchronization

/// An output to the tty of a pseudo terminal, which programs can open like a receiver.
public final class SimulatedTerminal: SimulationOutput {
    private struct State {
        var terminal: PseudoTerminal?
        var link: String?
        var insertionCount = 1
        var droppedByteCount = 0
        var isClosed = false
        /// The baud rate of the receiver; `nil` for USB.
        var rate: BaudRate?
        /// The baud rate that the program had set when bytes were last sent or received.
        var hostRate: Int?

        /// Removes and returns the terminal, which the caller must close.
        mutating func takeTerminal() -> PseudoTerminal? {
            droppedByteCount += terminal?.droppedByteCount ?? 0
            return exchange(&terminal, with: nil)
        }
    }

    private let state: Mutex<State>
    private let overflow: PseudoTerminal.Overflow
    private let onPlug: @Sendable (String?) -> Void

    /// Creates a pseudo terminal and, if `link` is given, a symbolic link to its tty.
    ///
    /// If a baud rate is configured, a program that sets a different rate reads noise. `onPlug` is
    /// called with the path when the device is plugged in again, and with `nil` when it is
    /// unplugged.
    ///
    /// Throws `.noPseudoTerminal` if the system has no free pseudo terminal, and `.nameTaken` if
    /// `link` exists and is not a link to a pseudo terminal.
    public init(
        _ configuration: SimulatedReceiver.Configuration, link: String? = nil,
        onPlug: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(DeviceError) {
        // With a manual clock, the simulation waits for the reader, so that tests do not depend on
        // the reader's speed.
        overflow = configuration.pace.isStepped ? .wait : .drop
        self.onPlug = onPlug
        state = Mutex(
            State(
                terminal: try Self.terminal(link: link), link: link, rate: configuration.baudRate))
    }

    deinit { close() }

    /// The path for programs to open: the link or, without a link, the tty; `nil` while unplugged.
    public var path: String? { terminal.map { $0.link ?? $0.path } }

    /// The number of bytes lost because no program read them, or read them too slowly.
    public var droppedByteCount: Int {
        state.withLock { $0.droppedByteCount + ($0.terminal?.droppedByteCount ?? 0) }
    }

    /// The number of times that the device was plugged in, including its creation.
    var insertionCount: Int { state.withLock { $0.insertionCount } }

    private var terminal: PseudoTerminal? { state.withLock { $0.terminal } }

    /// Sends bytes. If the reader has set another baud rate than the receiver's, it receives the
    /// bytes that a UART would read at that rate.
    public func send(_ bytes: [UInt8]) async {
        guard let terminal else { return }
        var received = bytes
        let hostRate = terminal.hostRate
        let rate = state.withLock { state in
            state.hostRate = hostRate
            return state.rate
        }
        if let sent = rate?.rawValue, let read = hostRate {
            received = MisreadLine.read(bytes, sentAt: sent, readAt: read)
        }
        await terminal.write(received, whenFull: overflow)
    }

    /// Waits until a program reads the tty. Returns immediately while unplugged.
    package func waitForReader() async { await terminal?.waitForReader() }

    /// Waits until a program writes to the tty, and returns `true`. Returns `false` at the
    /// deadline, or immediately while unplugged.
    public func waitForInput(until deadline: MonotonicInstant) async -> Bool {
        await terminal?.waitForHostBytes(until: deadline) ?? false
    }

    /// Returns the bytes that programs have written to the tty since the last call, as the receiver
    /// reads them at its baud rate.
    public func takeInput() -> [UInt8] {
        guard let terminal else { return [] }
        let bytes = terminal.takeHostBytes()
        let now = terminal.hostRate
        let (rate, earlier) = state.withLock {
            ($0.rate?.rawValue, exchange(&$0.hostRate, with: now))
        }
        // A program may change its baud rate immediately after writing, so its bytes may have been
        // sent at the earlier rate. Misread them only if both rates are wrong.
        guard !bytes.isEmpty, let rate, let now, earlier != rate else { return bytes }
        return MisreadLine.read(bytes, sentAt: now, readAt: rate)
    }

    /// Changes the baud rate of the receiver; `nil` for USB.
    public func setRate(_ rate: BaudRate?) { state.withLock { $0.rate = rate } }

    /// Hangs up the tty and removes its link.
    public func unplug() {
        guard let terminal = state.withLock({ $0.takeTerminal() }) else { return }
        terminal.close()
        onPlug(nil)
    }

    /// Creates another pseudo terminal, and a link to it with the given name or, if that is `nil`,
    /// the original one. Does nothing if the device is plugged in.
    public func plug(as name: String?) throws {
        let link = state.withLock { state -> String?? in
            state.terminal == nil && !state.isClosed ? .some(state.link) : nil
        }
        guard let link else { return }
        let terminal = try Self.terminal(link: Self.link(link, named: name))
        let isTooLate = state.withLock { state in
            if !state.isClosed {
                state.terminal = terminal
                state.insertionCount += 1
            }
            return state.isClosed
        }
        guard !isTooLate else { return terminal.close() }
        onPlug(terminal.link ?? terminal.path)
    }

    /// Closes the tty and removes the link.
    public func close() {
        let terminal = state.withLock { state in
            state.isClosed = true
            return state.takeTerminal()
        }
        terminal?.close()
    }

    private static func terminal(link: String?) throws(DeviceError) -> PseudoTerminal {
        try DeviceError.converted { () throws(IOError) in try PseudoTerminal(link: link) }
    }

    /// Returns the path of the link for a new name: in the folder of `link`, unless the name is
    /// itself a path. Returns `link` without a new name.
    private static func link(_ link: String?, named name: String?) -> String? {
        guard let link, let name else { return link }
        guard !name.contains("/"), let slash = link.lastIndex(of: "/") else { return name }
        return String(link[...slash]) + name
    }
}
