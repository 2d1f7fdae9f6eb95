// SPDX-License-Identifier: MIT
import GPSIO
public import GPSReceivers
import Glibc
import Synchronization

/// An output to a real tty.
public final class SimulatedTerminal: SimulationOutput {
    private struct State {
        var terminal: PseudoTerminal?
        var link: String?
        var insertionCount = 1
        var droppedByteCount = 0
        var isClosed = false
        /// The rate of the line.
        var rate: BaudRate?
        /// The rate of the program when its bytes were taken last.
        var hostRate: Int?
    }

    private let state: Mutex<State>
    private let overflow: PseudoTerminal.Overflow
    private let onPlug: @Sendable (String?) -> Void

    /// Opens a tty, and creates a symbolic link to it if `link` is given.
    ///
    /// A reader at another rate than the configured one, if there is one, reads noise. `onPlug` is
    /// called with the path whenever the device is plugged in again, and with `nil` when it is
    /// unplugged.
    ///
    /// Throws `.noPseudoTerminal` if the system has none left, and `.nameTaken` if `link` exists
    /// and is not a link to a pseudo terminal.
    public init(
        _ configuration: SimulatedReceiver.Configuration, link: String? = nil,
        onPlug: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(DeviceError) {
        // With a stepped clock the simulation waits for the reader, so that tests do not depend on
        // its speed.
        overflow = configuration.pace.isStepped ? .wait : .drop
        self.onPlug = onPlug
        state = Mutex(
            State(
                terminal: try Self.terminal(link: link), link: link, rate: configuration.baudRate))
    }

    deinit { close() }

    /// The path to open: the link or the tty; `nil` while unplugged.
    public var path: String? { terminal.map { $0.link ?? $0.path } }

    /// The number of bytes lost because they were read too slowly or not at all.
    public var droppedByteCount: Int {
        state.withLock { $0.droppedByteCount + ($0.terminal?.droppedByteCount ?? 0) }
    }

    /// The number of times it was plugged in.
    var insertionCount: Int { state.withLock { $0.insertionCount } }

    private var terminal: PseudoTerminal? { state.withLock { $0.terminal } }

    /// Sends bytes, as a reader receives them at the rate that it has set.
    public func send(_ bytes: [UInt8]) async {
        guard let terminal else { return }
        var received = bytes
        let rate = state.withLock { $0.rate }
        if let sent = rate?.rawValue, let read = terminal.hostRate {
            received = MisreadLine.read(bytes, sentAt: sent, readAt: read)
        }
        await terminal.write(received, whenFull: overflow)
    }

    /// Returns the bytes that programs have written to the tty since the last call, as the receiver
    /// reads them at its rate.
    public func takeInput() -> [UInt8] {
        guard let terminal else { return [] }
        let bytes = terminal.takeHostBytes()
        let now = terminal.hostRate
        let (rate, earlier) = state.withLock { state in
            defer { state.hostRate = now }
            return (state.rate?.rawValue, state.hostRate)
        }
        // A program may change its rate as soon as its bytes have left: they were sent at either.
        guard !bytes.isEmpty, let rate, let now, earlier != rate else { return bytes }
        return MisreadLine.read(bytes, sentAt: now, readAt: rate)
    }

    /// Changes the rate of the line.
    public func setRate(_ rate: BaudRate?) { state.withLock { $0.rate = rate } }

    /// Hangs the tty up and removes its link.
    public func unplug() {
        let terminal = state.withLock { state -> PseudoTerminal? in
            defer { state.terminal = nil }
            state.droppedByteCount += state.terminal?.droppedByteCount ?? 0
            return state.terminal
        }
        guard let terminal else { return }
        terminal.close()
        onPlug(nil)
    }

    /// Opens another tty, and links to it under the first name or the given one.
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
        let terminal = state.withLock { state -> PseudoTerminal? in
            defer { state.terminal = nil }
            state.isClosed = true
            state.droppedByteCount += state.terminal?.droppedByteCount ?? 0
            return state.terminal
        }
        terminal?.close()
    }

    private static func terminal(link: String?) throws(DeviceError) -> PseudoTerminal {
        try DeviceError.converted { () throws(IOError) in try PseudoTerminal(link: link) }
    }

    /// Returns a path in the first link's folder, unless the name is a path; `nil` without a link.
    private static func link(_ link: String?, named name: String?) -> String? {
        guard let link, let name else { return link }
        guard !name.contains("/"), let slash = link.lastIndex(of: "/") else { return name }
        return String(link[...slash]) + name
    }
}
