// SPDX-License-Identifier: MIT
package import GNSS
import Glibc

extension Descriptor {
    /// How bytes are written without waiting.
    package enum Method: Sendable {
        /// To a file, a pipe or a terminal that does not block.
        case write
        /// To a socket, which may block others.
        case send
        /// To what is shared with programs that expect it to block: what is ready takes 4 KiB without doing so.
        case pieces
    }

    private static let piece = 4096

    /// Writes what there is room for: how much that was, and 0 or what ended it, such as `EAGAIN`, or `ECANCELED`
    /// once this is closed.
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

    /// Writes everything, and waits for room: 0, `ETIMEDOUT` at the deadline, `ECANCELED` once this is closed or the
    /// task cancelled, or why writing failed.
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

    /// Writes everything to a file, which may block: 0, or why it failed.
    package static func write(all bytes: [UInt8], to fd: CInt) -> CInt {
        write(all: bytes, to: fd) { false }
    }

    /// Writes everything to what does not block; where it is full, it has `waitForRoom` wait, and ends where that returns
    /// false: 0, or why it failed.
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
