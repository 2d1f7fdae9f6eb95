// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import Glibc

/// Where data goes. Writing waits for a slow reader, but not past a signal.
struct StandardOutput {
    /// Nobody reads any more, as when `head` has seen enough.
    struct Closed: Error {}

    /// What cannot be written, and why.
    struct Failure: Error, CustomStringConvertible {
        let name: String
        let errno: CInt

        var description: String {
            "cannot write to \(name): \(String(cString: strerror(errno)))"
        }
    }

    /// The recording would be overwritten while it is read.
    struct Overwriting: Error, CustomStringConvertible {
        let name: String

        var description: String { "cannot write to \(name): it is the recording itself" }
    }

    /// How much is written at once. A pipe or a terminal that is ready takes 4 KiB without
    /// blocking; a file takes anything.
    private let piece: Int

    private let descriptor: CInt
    private let name: String

    /// Standard output itself.
    init() {
        descriptor = STDOUT_FILENO
        name = "standard output"
        piece = Self.piece(for: descriptor)
    }

    /// A file, made or emptied by `prepare`, or a pipe, once somebody reads it.
    ///
    /// Throws a `Failure`, or `CancellationError`.
    init(path: String) async throws {
        let opened = Promise<(descriptor: CInt, errno: CInt)>()
        // On a thread of its own: waiting for a pipe's reader may take for ever.
        DispatchQueue(label: "gpsbridge.open").async {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_NOCTTY | O_CLOEXEC, 0o666)
            opened.fulfil((descriptor, errno))
        }
        let (descriptor, error) = try await opened.value
        guard descriptor >= 0 else { throw Failure(name: path, errno: error) }
        self.descriptor = descriptor
        name = path
        piece = Self.piece(for: descriptor)
    }

    /// Whether it is shown to somebody.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The file that is written; `nil` for a pipe or a terminal.
    var file: RegularFile? { RegularFile(descriptor) }

    /// Makes certain that it is not the file that is read.
    ///
    /// Throws `Overwriting`.
    func check(_ recording: Recording) throws {
        guard let file else { return }
        if file == recording.file { throw Overwriting(name: name) }
    }

    /// Empties a file of one's own, once it has been checked.
    ///
    /// Throws a `Failure`.
    func prepare() throws {
        guard RegularFile(descriptor) != nil, descriptor != STDOUT_FILENO else { return }
        if ftruncate(descriptor, 0) != 0 { throw Failure(name: name, errno: errno) }
    }

    private static func piece(for descriptor: CInt) -> Int {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return 4096 }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return 1 << 20
        case S_IFCHR where isatty(descriptor) == 0: return 1 << 20
        default: return 4096
        }
    }

    /// Writes everything.
    ///
    /// Throws `Closed`, a `Failure`, or `CancellationError` when a signal comes first.
    func write(_ bytes: Span<UInt8>) throws {
        var start = 0
        while start < bytes.count {
            try Signals.wait(for: descriptor, POLLOUT)
            let end = min(bytes.count, start + piece)
            let count = bytes.extracting(start..<end).withUnsafeBytes {
                Glibc.write(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 {
                start += count
            } else if errno == EPIPE {
                throw Closed()
            } else if errno != EAGAIN, errno != EINTR {
                throw Failure(name: name, errno: errno)
            }
        }
    }

    /// Writes everything; see above.
    func write(_ bytes: [UInt8]) throws {
        try write(bytes.span)
    }
}
