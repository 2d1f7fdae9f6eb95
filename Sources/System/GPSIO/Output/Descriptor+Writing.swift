// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

extension Descriptor {
    /// The system call for writing without waiting.
    package enum Method: Sendable {
        /// `write`, for a non-blocking file, pipe or terminal.
        case write
        /// `send` with `MSG_DONTWAIT`, for a socket. Other processes may use the socket in blocking
        /// mode.
        case send
        /// `write` of at most 4 KiB after `poll` reports free space, for a descriptor that must
        /// stay in blocking mode because other programs share it.
        case pieces
    }

    private static let piece = 4096

    /// Writes as many bytes as possible without waiting. Returns their number and an `errno`: 0 if
    /// all bytes were written, `EAGAIN` if there is no more free space, `ECANCELED` if the
    /// descriptor has been closed.
    package func write(
        _ bytes: ArraySlice<UInt8>, by method: Method = .write
    ) -> (count: Int, errno: CInt) {
        use { fd in
            bytes.withUnsafeBytes { bytes in
                var done = 0
                while done < bytes.count {
                    let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                    let count = Self.write(rest, to: fd, method)
                    if count >= 0 {
                        done += count
                    } else if errno != EINTR {
                        return (done, errno)
                    }
                }
                return (done, 0)
            }
        } ?? (0, ECANCELED)
    }

    private static func write(_ bytes: UnsafeRawBufferPointer, to fd: CInt, _ method: Method) -> Int
    {
        switch method {
        case .write: return Glibc.write(fd, bytes.baseAddress, bytes.count)
        case .send:
            let flags = CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT)
            return Glibc.send(fd, bytes.baseAddress, bytes.count, flags)
        case .pieces:
            var polled = pollfd(fd: fd, events: Int16(POLLOUT), revents: 0)
            guard poll(&polled, 1, 0) > 0 else {
                errno = EAGAIN
                return -1
            }
            return Glibc.write(fd, bytes.baseAddress, min(piece, bytes.count))
        }
    }

    /// Writes all bytes to a non-blocking descriptor, waiting for free space. Returns 0 on success,
    /// `ETIMEDOUT` at the deadline, `ECANCELED` if the descriptor is closed or the task is
    /// cancelled, or the `errno` of another failure.
    package func write(all bytes: [UInt8], until deadline: MonotonicInstant? = nil) async -> CInt {
        var rest = bytes[...]
        while true {
            let (count, error) = write(rest)
            guard error == EAGAIN else { return error }
            rest = rest.dropFirst(count)
            switch await writable(until: deadline) {
            case .ready, .hungUp: break
            case .timedOut: return ETIMEDOUT
            case .cancelled, .closed: return ECANCELED
            case .failed(let error): return error
            }
        }
    }

    /// Writes all bytes to a file, blocking until they are written. Returns 0 or the `errno`.
    package static func write(all bytes: [UInt8], to fd: CInt) -> CInt {
        write(all: bytes, to: fd) { false }
    }

    /// Writes all bytes to a non-blocking descriptor. When it is full, calls `waitForRoom`, and
    /// stops if that returns `false`. Returns 0 or the `errno`.
    package static func write(
        all bytes: [UInt8], to fd: CInt, waitForRoom: () throws -> Bool
    ) rethrows -> CInt {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(fd, $0.baseAddress?.advanced(by: done), $0.count - done)
            }
            let error = count < 0 ? errno : ENOSPC
            if count < 0, try error == EINTR || error == EAGAIN && waitForRoom() { continue }
            guard count > 0 else { return error }
            done += count
        }
        return 0
    }
}
