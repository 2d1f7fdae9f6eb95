// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

/// An unnamed temporary file, for output whose first bytes depend on everything after them.
final class SpoolFile {
    private static let chunk = 1 << 16

    private let file: UnsafeMutablePointer<FILE>
    private var descriptor: CInt { fileno(file) }

    /// Creates an empty file. Throws a `CommandFailure` if that fails.
    ///
    /// The corresponding C function is `tmpfile`.
    init() throws {
        guard let file = tmpfile() else { throw Self.failure(errno) }
        self.file = file
    }

    deinit { fclose(file) }

    private static func failure(_ errno: CInt) -> CommandFailure {
        CommandFailure(writing: "a temporary file", errno: errno)
    }

    /// Appends bytes. Throws a `CommandFailure` if that fails.
    func write(_ bytes: [UInt8]) throws {
        let error = Descriptor.write(all: bytes, to: descriptor)
        guard error == 0 else { throw Self.failure(error) }
    }

    /// Replaces the first bytes with `head`, then passes all bytes to `body` in chunks.
    ///
    /// - Throws: `CommandFailure`, and the errors of `body`.
    func finish(_ head: [UInt8], _ body: ([UInt8]) throws -> Void) throws {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.failure(errno) }
        try write(head)
        lseek(descriptor, 0, SEEK_SET)
        var room = [UInt8](repeating: 0, count: Self.chunk)
        while true {
            let count = room.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            guard count >= 0 else { throw Self.failure(errno) }
            guard count > 0 else { return }
            try body(Array(room[..<count]))
        }
    }
}
