// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import Glibc
import GPSTestSupport

/// An output of a consumer.
protocol Outlet: AnyObject {
    /// The label of its lines.
    var name: String { get }
    /// Returns the lines since the last call; an incomplete one ends with "…".
    func takeLines() -> [String]
    /// Whether the last call sent a response to the consumer.
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
            // The date is from libmicrohttpd, which uses the kernel's clock.
            .filter { $0 != "\\r" && !$0.isEmpty && !$0.hasPrefix("Date: ") }
    }
}

/// A terminal: the changed rows of its screen.
///
/// A frame may show only some of the events of a time, and the next frame the others, so read its
/// lines when the next event happens.
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
            // The number may have any length. The text after it is cut off.
            .map { "\($0) " + new[$0].replacing(/process [0-9]+.*/, with: "process PID…") }
    }
}
