// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc

/// A recording to convert: a file or standard input. It is read as fast as possible and
/// decompressed.
final class Recording {
    /// The error for compressed data that is damaged or truncated.
    struct DamageError: Error, CustomStringConvertible {
        let description: String
    }

    /// The number of bytes read at a time from a compressed file.
    private static let chunk = 1 << 16

    private let descriptor: CInt
    private var input = CompressedInput()
    private var isPlain = false
    private var isFirst = true
    private var isReadAhead = false
    /// The number of bytes read so far, before decompression.
    private(set) var count = 0
    /// The path given by the user.
    let name: String
    /// The identity of the file when it was opened; `nil` for a pipe or a terminal.
    let file: RegularFile?
    /// The size of the file in bytes; `nil` for a pipe or a terminal.
    var size: Int? { file?.size }

    /// Opens a file, or standard input for `-`.
    ///
    /// - Throws: `DeviceError` if the path is not a readable file.
    init(_ path: String) throws {
        name = path
        descriptor = path == "-" ? STDIN_FILENO : try Self.open(path)
        file = RegularFile(descriptor)
    }

    private static func open(_ path: String) throws -> CInt {
        _ = try DeviceSources.at(path)
        // The file is opened non-blocking, because a pipe may not have a writer yet. `read` waits
        // until data or a signal is received.
        let descriptor = Glibc.open(
            FileName.native(path), O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw DeviceError.opening(path, errno: errno) }
        return descriptor
    }

    /// Returns the first bytes of a regular file, at most `limit`. The file's read position is
    /// unchanged.
    ///
    /// The corresponding C function is `pread`.
    func head(_ limit: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            count = max(0, pread(descriptor, buffer.baseAddress, limit, 0))
        }
    }

    /// The name and origin of a plain NMEA file, which can be read from any offset, for output
    /// formats that store them; `nil` for any other recording.
    private(set) lazy var sentenceSource: OutputSource? = {
        // A part of standard input may already have been read.
        guard size != nil, name != "-" else { return nil }
        let head = head(4096 + 64)
        guard !CompressedInput.isCompressed(head), ForeignCoding("", head: head) == nil,
            RecordedInput.isSentences(head[...])
        else { return nil }
        var source = OutputSource(opened: name, origin: .replay)
        source.origin = DataOrigin(recordingHead: head)
        return source
    }()

    /// Returns a piece of a plain NMEA file: `count` bytes, or fewer at the end of the file.
    /// Returns `nil` at the end, and for other files.
    ///
    /// The corresponding C function is `pread`.
    func piece(at position: ConversionPiece.Position, _ count: Int) -> ConversionPiece? {
        guard let size, position.offset < size, let sentenceSource else { return nil }
        let count = min(count, size - position.offset)
        posix_fadvise(descriptor, off_t(position.offset), off_t(count), POSIX_FADV_WILLNEED)
        return ConversionPiece(
            of: sentenceSource, at: position, count: count, isLast: position.offset + count == size
        ) { [descriptor] offset, buffer in
            pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
        }
    }

    /// Advances the read position of a plain file by the bytes of a piece that was converted.
    ///
    /// The corresponding C function is `lseek`.
    func skip(_ count: Int) {
        isPlain = true
        self.count += count
        lseek(descriptor, off_t(count), SEEK_CUR)
    }

    /// Returns to the start of a regular file, to read it again.
    ///
    /// The corresponding C function is `lseek`.
    func rewind() {
        lseek(descriptor, 0, SEEK_SET)
        input = CompressedInput()
        (isPlain, isFirst, count) = (false, true, 0)
    }

    /// Asks the kernel to prefetch the first megabyte of a regular file, once.
    ///
    /// The corresponding C function is `posix_fadvise`.
    fileprivate func readAhead() {
        guard !isReadAhead else { return }
        isReadAhead = true
        posix_fadvise(descriptor, 0, 1 << 20, POSIX_FADV_WILLNEED)
    }

    /// Reads the next decompressed bytes and returns their count; `nil` at the end.
    ///
    /// - Throws: `DamageError` if compressed data is damaged, `ForeignCoding` if another program
    ///   must decode the file first, and `CancellationError` on a signal.
    func read(into buffer: inout [UInt8]) throws -> Int? {
        while true {
            if isPlain {
                let count = try readBytes(into: &buffer)
                self.count += count ?? 0
                return count
            }
            while input.needsInput {
                var bytes = [UInt8](repeating: 0, count: Self.chunk)
                if let count = try readBytes(into: &bytes) {
                    self.count += count
                    if isFirst, let coding = ForeignCoding(name, head: bytes[..<count]) {
                        throw coding
                    }
                    isFirst = false
                    input.push(bytes[..<count])
                } else {
                    input.end()
                }
            }
            let count: Int
            do {
                count = try input.take(into: &buffer)
            } catch {
                throw DamageError(description: "\(name) is damaged: \(error)")
            }
            isPlain = input.isPassedThrough
            if count > 0 { return count }
            guard input.isOver else { continue }
            if input.isCutOff {
                throw DamageError(
                    description: "\(name) is cut off: the end of the compressed data is missing")
            }
            return nil
        }
    }

    private func readBytes(into buffer: inout [UInt8]) throws -> Int? {
        while true {
            try Signals.wait(for: descriptor, POLLIN)
            let count = buffer.withUnsafeMutableBytes {
                Glibc.read(descriptor, $0.baseAddress, $0.count)
            }
            if count > 0 { return count }
            if count == 0 { return nil }
            if errno != EINTR, errno != EAGAIN {
                throw DeviceError(.ioFailed, device: name, errno: errno)
            }
        }
    }
}

extension ArraySlice<Recording> {
    /// Asks the kernel to prefetch the next recordings while one is converted. Otherwise,
    /// converting many short recordings would wait for the disk each time.
    func readAhead() {
        for recording in prefix(32) { recording.readAhead() }
    }
}
