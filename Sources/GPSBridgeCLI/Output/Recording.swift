// SPDX-License-Identifier: MIT
import Devices
import Glibc

/// A file, or standard input, read as fast as it can be.
struct Recording {
    private let descriptor: CInt
    /// What it was called.
    let name: String

    /// Opens a file, or takes standard input for `-`.
    ///
    /// Throws a `DeviceError` that says what stands there instead.
    init(_ path: String) throws {
        name = path
        guard path != "-" else {
            descriptor = STDIN_FILENO
            return
        }
        _ = try DeviceSources.at(path)
        // Non-blocking, as a pipe may have no writer yet; `read` waits, and not past a signal.
        descriptor = open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw DeviceError.opening(path, errno: errno) }
    }

    /// The file that is read; `nil` for a pipe or a terminal.
    var file: RegularFile? { RegularFile(descriptor) }

    /// How many bytes it has; `nil` for what is no file.
    var size: Int? {
        var status = stat()
        guard file != nil, fstat(descriptor, &status) == 0 else { return nil }
        return Int(status.st_size)
    }

    /// The next bytes, their count; `nil` at the end.
    ///
    /// Throws `CancellationError` when a signal comes first.
    func read(into buffer: inout [UInt8]) throws -> Int? {
        while true {
            var pollers = [
                pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
                pollfd(fd: Signals.descriptor, events: Int16(POLLIN), revents: 0),
            ]
            guard poll(&pollers, 2, -1) >= 0 else { continue }
            if pollers[1].revents != 0 { throw CancellationError() }
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
