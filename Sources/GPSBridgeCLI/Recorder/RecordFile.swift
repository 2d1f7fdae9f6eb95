// SPDX-License-Identifier: MIT
import Glibc

/// A file that is whole after every write: what closes it is written over by what comes next.
struct RecordFile: ~Copyable {
    /// What keeps a file from being recorded to.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ path: String, errno: CInt) {
            description = "cannot record to \(path): \(String(cString: strerror(errno)))"
        }

        init(_ path: String, _ reason: String) {
            description = "cannot record to \(path): \(reason)"
        }
    }

    private static let headCount = 4096
    private static let endCount = 65_536

    let path: String
    private var descriptor: CInt
    /// Where the closing text begins, and what it is.
    private(set) var end = 0
    private var closing: [UInt8] = []
    private var isSynced = true

    /// Opens a file, or makes it. One that is there is continued: `resume` is given its first and its
    /// last bytes, and tells how many of the last ones are kept.
    ///
    /// Throws a `Failure`, also where another program records to it.
    init(_ path: String, resume: (_ head: [UInt8], _ end: [UInt8]) -> Int?) throws {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_NOCTTY | O_NONBLOCK | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Failure(path, errno: errno) }
        guard RegularFile(descriptor) != nil else { throw Failure(path, "it is no regular file") }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw Failure(path, "another program records to it")
        }
        let size = Int(lseek(descriptor, 0, SEEK_END))
        guard size > 0 else { return }
        let head = Self.read(descriptor, at: 0, min(size, Self.headCount))
        let start = max(0, size - Self.endCount)
        guard let kept = resume(head, Self.read(descriptor, at: start, size - start)) else {
            throw Failure(path, "it is there already, and no recording that can be continued")
        }
        end = start + kept
        closing = Self.read(descriptor, at: end, size - end)
    }

    deinit {
        if descriptor >= 0 { Glibc.close(descriptor) }
    }

    /// Closes it, so that it can be opened again.
    mutating func close() {
        Glibc.close(descriptor)
        descriptor = -1
    }

    /// The file itself, to be told from others.
    var file: RegularFile? { RegularFile(descriptor) }

    /// How long it is.
    var size: Int { end + closing.count }

    private static func read(_ descriptor: CInt, at offset: Int, _ count: Int) -> [UInt8] {
        var done = 0
        var bytes = [UInt8](repeating: 0, count: count)
        while done < count {
            let some = bytes.withUnsafeMutableBytes { buffer in
                pread(
                    descriptor, buffer.baseAddress?.advanced(by: done), count - done,
                    off_t(offset + done))
            }
            if some < 0, errno == EINTR { continue }
            guard some > 0 else { break }
            done += some
        }
        return Array(bytes.prefix(done))
    }

    /// Appends, and closes behind it; false where the disk is full, and the file as it was.
    ///
    /// Throws a `Failure` of another kind.
    mutating func append(_ bytes: [UInt8], closing: [UInt8]) throws -> Bool {
        if let error = Self.write(bytes + closing, descriptor, at: end) {
            // What stood there had room, and gets it back before anybody else does.
            _ = Self.write(self.closing, descriptor, at: end)
            ftruncate(descriptor, off_t(size))
            guard error == ENOSPC || error == EDQUOT else { throw Failure(path, errno: error) }
            return false
        }
        let old = size
        end += bytes.count
        self.closing = closing
        if size < old { ftruncate(descriptor, off_t(size)) }
        isSynced = false
        return true
    }

    /// Writes everything; returns what went wrong.
    private static func write(_ bytes: [UInt8], _ descriptor: CInt, at offset: Int) -> CInt? {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(
                    descriptor, buffer.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(offset + done))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            done += count
        }
        return nil
    }

    /// Has what was written survive also the machine.
    ///
    /// The corresponding C function is `fdatasync`.
    mutating func sync() {
        guard !isSynced else { return }
        fdatasync(descriptor)
        isSynced = true
    }
}
