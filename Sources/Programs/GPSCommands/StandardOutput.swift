// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GNSS
package import GPSIO
import Glibc

/// The destination of data: standard output or a file. A write waits for a slow reader, but is
/// cancelled by a signal.
package struct StandardOutput {
    /// Thrown when the reader has closed the pipe, as `head` does.
    package struct Closed: Error {
        /// Creates the error.
        package init() {}
    }

    /// The maximum number of bytes per `write`. A pipe or terminal that is ready accepts 4 KiB
    /// without blocking; a file always accepts more.
    private let piece: Int

    private let descriptor: CInt
    /// The name of the destination in messages.
    package let name: String
    /// The draft that replaces the file in `finish()`; `nil` if the destination is not a file.
    private let draft: DraftFile?

    /// The name of standard output in messages.
    package static let ownName = "standard output"

    /// Creates an object that writes to standard output.
    package init() {
        self.init(STDOUT_FILENO, Self.ownName)
    }

    private init(_ descriptor: CInt, _ name: String, _ draft: DraftFile? = nil) {
        self.descriptor = descriptor
        self.name = name
        self.draft = draft
        piece = Self.piece(for: descriptor)
    }

    /// Opens a file or a pipe. A file is written as a draft until `finish()` is called. Opening a
    /// pipe waits until it has a reader.
    ///
    /// - Throws: `CommandFailure` or `CancellationError`.
    package init(path: String) async throws {
        guard let kind = try? Node(path).kind(), kind != .regularFile else {  // an error: no file
            do throws(DraftFile.Failure) {
                let draft = try DraftFile(replacing: path)
                self.init(draft.descriptor, path, draft)
            } catch {
                throw CommandFailure(writing: path, errno: error.errno)
            }
            return
        }
        let opened = Promise<(descriptor: CInt, errno: CInt)>()
        // Opening runs on a separate thread, because it blocks until the pipe has a reader.
        DispatchQueue(label: "gpsbridge.open").async {
            let descriptor = open(FileName.native(path), O_WRONLY | O_NOCTTY | O_CLOEXEC)
            opened.fulfill((descriptor, errno))
        }
        let (descriptor, error) = try await opened.value
        guard descriptor >= 0 else { throw CommandFailure(writing: path, errno: error) }
        self.init(descriptor, path)
    }

    /// Whether the destination is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The file that will be replaced, or that output is redirected to; `nil` for a pipe or a
    /// terminal.
    package var file: RegularFile? {
        draft.map { RegularFile(path: $0.target) } ?? RegularFile(descriptor)
    }

    /// Returns whether a path, with links resolved, is the file being written.
    package func isFile(at path: String) -> Bool {
        draft?.target == DraftFile.target(of: path)
    }

    /// Replaces the file with the draft. Until then, the previous file is unchanged. Has no effect
    /// if there is no draft.
    ///
    /// - Throws: `CommandFailure`.
    package func finish() throws {
        do throws(DraftFile.Failure) {
            try draft?.commit()
        } catch {
            throw CommandFailure(writing: name, errno: error.errno)
        }
    }

    /// Writes `closing` and replaces the file with the draft. If `isEmpty` is `true`, discards a
    /// draft instead, because other programs reject a file without fixes. Returns whether the draft
    /// was discarded.
    ///
    /// - Throws: The errors of `write` and `finish`.
    package func finish(_ closing: [UInt8], isEmpty: Bool) throws -> Bool {
        guard !isEmpty || draft == nil else { return true }
        try write(closing)
        try finish()
        return false
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

    /// Writes all bytes.
    ///
    /// - Throws: `Closed`, `CommandFailure`, or `CancellationError` if a signal is received first.
    package func write(_ bytes: Span<UInt8>) throws {
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
                throw CommandFailure(writing: name, errno: errno)
            }
        }
    }

    /// Writes all bytes. Throws the same errors as `write(_:)` with a span.
    package func write(_ bytes: [UInt8]) throws {
        try write(bytes.span)
    }

    /// Writes a text as UTF-8. Throws the same errors as `write(_:)` with a span.
    package func write(_ text: String) throws {
        try write(Array(text.utf8))
    }
}
