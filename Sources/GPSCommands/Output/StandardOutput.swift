// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GNSS
package import GPSIO
import GPSReceivers
import Glibc

/// The output for data. Writing waits for a slow reader, but not past a signal.
package struct StandardOutput {
    /// The reader has closed the pipe, as `head` does.
    package struct Closed: Error {
        /// Creates the error.
        package init() {}
    }

    /// The file that cannot be written, and why.
    package struct Failure: Error, CustomStringConvertible {
        let name: String
        let errno: CInt

        /// Creates the error of that errno.
        package init(name: String = StandardOutput.ownName, errno: CInt) {
            self.name = name
            self.errno = errno
        }

        package var description: String {
            let advice =
                switch errno {
                case ENOENT where name.contains("/"): "; make its folder first"
                case EACCES, EPERM, EROFS: "; choose a folder that you may write to"
                default: ""
                }
            return "cannot write to \(name): \(String(cString: strerror(errno)))\(advice)"
        }
    }

    /// How much is written at once. A pipe or a terminal that is ready takes 4 KiB without
    /// blocking; a file takes anything.
    private let piece: Int

    private let descriptor: CInt
    /// The name in messages.
    package let name: String
    /// The draft that replaces the file once it is complete; `nil` if no file is written.
    private let draft: DraftFile?

    /// The name of standard output in messages.
    package static let ownName = "standard output"

    /// Standard output itself.
    package init() {
        descriptor = STDOUT_FILENO
        name = Self.ownName
        draft = nil
        piece = Self.piece(for: descriptor)
    }

    /// A file, written as a draft until `finish`, or a pipe, once it has a reader.
    ///
    /// Throws a `Failure`, or `CancellationError`.
    package init(path: String) async throws {
        name = path
        var status = stat()
        guard stat(FileName.native(path), &status) == 0, status.st_mode & S_IFMT != S_IFREG else {
            do throws(DraftFile.Failure) {
                let draft = try DraftFile(replacing: path)
                self.draft = draft
                descriptor = draft.descriptor
                piece = Self.piece(for: draft.descriptor)
            } catch {
                throw Failure(name: path, errno: error.errno)
            }
            return
        }
        let opened = Promise<(descriptor: CInt, errno: CInt)>()
        // On a thread of its own: waiting for a pipe's reader may not end.
        DispatchQueue(label: "gpsbridge.open").async {
            let descriptor = open(FileName.native(path), O_WRONLY | O_NOCTTY | O_CLOEXEC)
            opened.fulfill((descriptor, errno))
        }
        let (descriptor, error) = try await opened.value
        guard descriptor >= 0 else { throw Failure(name: path, errno: error) }
        self.descriptor = descriptor
        draft = nil
        piece = Self.piece(for: descriptor)
    }

    /// Whether it is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// The file that is there, and will be replaced; `nil` for a pipe or a terminal.
    package var file: RegularFile? {
        draft.map { RegularFile(path: $0.target) } ?? RegularFile(descriptor)
    }

    /// Whether a name leads to the file that is written.
    package func isFile(at path: String) -> Bool {
        draft?.target == DraftFile.target(of: path)
    }

    /// Puts a file in its place: until then there is none, or the one that was there.
    ///
    /// Throws a `Failure`.
    package func finish() throws {
        do throws(DraftFile.Failure) {
            try draft?.commit()
        } catch {
            throw Failure(name: name, errno: error.errno)
        }
    }

    /// Writes the end of what was written, and puts a file in its place; one without a fix is none, and is left
    /// out: other programs would find it broken. Returns whether it is left out.
    ///
    /// Throws as `write` and `finish` do.
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

    /// Writes everything.
    ///
    /// Throws `Closed`, a `Failure`, or `CancellationError` when a signal comes first.
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
                throw Failure(name: name, errno: errno)
            }
        }
    }

    /// Writes everything; see above.
    package func write(_ bytes: [UInt8]) throws {
        try write(bytes.span)
    }
}
