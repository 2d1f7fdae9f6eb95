// SPDX-License-Identifier: MIT
import GPSIO
public import GPSReceivers
import Glibc
import Synchronization

/// An output through a real tty.
public final class SimulatedTerminal: SimulationOutput {
    private struct State {
        var terminal: PseudoTerminal?
        var link: String?
        var insertionCount = 1
        var droppedByteCount = 0
        var isClosed = false
    }

    private let state: Mutex<State>
    private let baudRate: BaudRate?
    private let overflow: PseudoTerminal.Overflow
    private let onPlug: @Sendable (String?) -> Void

    /// Opens a tty, with a link of its own where one is given.
    ///
    /// At another rate than the configured one, if there is one, noise is read. `onPlug` is called with
    /// the path to read whenever it is plugged in again, and with `nil` when it is unplugged.
    ///
    /// Throws `.noPseudoTerminal` where the system has none left, and `.nameTaken` where `link` exists and
    /// is not a link to a pseudo terminal.
    public init(
        _ configuration: SimulatedReceiver.Configuration, link: String? = nil,
        onPlug: @escaping @Sendable (String?) -> Void = { _ in }
    ) throws(DeviceError) {
        baudRate = configuration.baudRate
        // Steps wait for the reader, so that tests do not depend on its speed.
        overflow = configuration.pace.isStepped ? .wait : .drop
        self.onPlug = onPlug
        state = Mutex(State(terminal: try Self.terminal(link: link), link: link))
    }

    deinit { close() }

    /// The path to read: the link, else the tty; `nil` while it is unplugged.
    public var path: String? { terminal.map { $0.link ?? $0.path } }

    /// How many bytes were lost because they were not read, or too slowly.
    public var droppedByteCount: Int {
        state.withLock { $0.droppedByteCount + ($0.terminal?.droppedByteCount ?? 0) }
    }

    /// How often it has been plugged in.
    var insertionCount: Int { state.withLock { $0.insertionCount } }

    private var terminal: PseudoTerminal? { state.withLock { $0.terminal } }

    /// Sends bytes, as a reader gets them at the rate it has set.
    public func send(_ bytes: [UInt8]) async {
        guard let terminal else { return }
        var received = bytes
        if let sent = baudRate?.rawValue, let read = terminal.hostRate {
            received = MisreadLine.read(bytes, sentAt: sent, readAt: read)
        }
        await terminal.write(received, whenFull: overflow)
    }

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

    /// Opens another tty, and points the link to it: the same, or one of that name beside it.
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

    /// A name beside the first link, unless it is a path; without a link there is none.
    private static func link(_ link: String?, named name: String?) -> String? {
        guard let link, let name else { return link }
        guard !name.contains("/"), let slash = link.lastIndex(of: "/") else { return name }
        return String(link[...slash]) + name
    }
}
