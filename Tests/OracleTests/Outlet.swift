// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import GPSTestSupport

/// Where something comes out of a consumer.
protocol Outlet: AnyObject {
    /// What its lines are marked with.
    var name: String { get }
    /// The lines since the last call; one that is not whole ends with "…".
    func takeLines() -> [String]
    /// Whether the last call has answered the consumer.
    var hasAnswered: Bool { get }
}

extension Outlet {
    /// Default: `false`.
    var hasAnswered: Bool { false }
}

/// A file that grows.
final class FileOutlet: Outlet {
    let name: String
    private let path: String
    private var descriptor: CInt = -1

    init(_ name: String, _ path: String) { (self.name, self.path) = (name, path) }

    deinit { close(descriptor) }

    func takeLines() -> [String] {
        if descriptor < 0 { descriptor = open(path, O_RDONLY | O_CLOEXEC) }
        return Transcript.lines { read(descriptor, $0, $1) }
    }
}

/// A client of a server.
final class ClientOutlet: Outlet {
    let name: String
    private let socket: UnixSocket

    /// Connects and sends a request.
    init(_ name: String, _ path: String, _ request: String) throws {
        self.name = name
        socket = try UnixSocket(connectingTo: path)
        let bytes = Array(request.utf8)
        guard send(socket.descriptor, bytes, bytes.count, 0) == bytes.count else {
            throw POSIXError(errno)
        }
    }

    func takeLines() -> [String] {
        Transcript.lines { recv(socket.descriptor, $0, $1, CInt(MSG_DONTWAIT)) }
            // The date is that of libmicrohttpd, which asks the kernel.
            .filter { $0 != "\\r" && !$0.isEmpty && !$0.hasPrefix("Date: ") }
    }
}

/// A terminal: the rows of its screen that have changed.
///
/// A frame may show some of what happens at an instant, and the next one the rest: take its lines when the next thing
/// happens.
final class TerminalOutlet: Outlet {
    let name = "screen"
    let terminal: PseudoTerminal
    private var picture = TerminalPicture()
    private var rows: [String] = []

    init() throws { terminal = try PseudoTerminal() }

    func takeLines() -> [String] {
        let bytes = terminal.takeHostBytes()
        guard !bytes.isEmpty else { return [] }
        picture.show(bytes)
        let new = picture.rows
        defer { rows = new }
        return new.indices.filter { !rows.indices.contains($0) || rows[$0] != new[$0] }
            // The number has any length, and what is behind it is cut off somewhere.
            .map { "\($0) " + new[$0].replacing(/process [0-9]+.*/, with: "process PID…") }
    }
}
