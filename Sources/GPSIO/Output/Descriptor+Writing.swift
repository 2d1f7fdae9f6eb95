// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

extension Descriptor {
    /// A way of writing bytes without waiting.
    package enum Method: Sendable {
        /// To a non-blocking file, pipe or terminal.
        case write
        /// To a socket, which may be blocking for other users.
        case send
        /// To a descriptor shared with programs that expect it to block: when ready, it accepts 4
        /// KiB without blocking.
        case pieces
    }

    private static let piece = 4096

    /// Writes as much as there is room for; returns the count, and 0 or the `errno` that ended it,
    /// such as `EAGAIN`, or `ECANCELED` once closed.
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

    /// Writes all bytes, waiting for room; returns 0, `ETIMEDOUT` at the deadline, `ECANCELED` once
    /// closed or on cancellation, or the `errno` of the failure.
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

    /// Writes all bytes to a file, which may block; returns 0 or the `errno`.
    package static func write(all bytes: [UInt8], to fd: CInt) -> CInt {
        write(all: bytes, to: fd) { false }
    }

    /// Writes all bytes to a non-blocking descriptor. When it is full, calls `waitForRoom`, and
    /// ends if that returns `false`. Returns 0 or the `errno`.
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
