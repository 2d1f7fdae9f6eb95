// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Synchronization

/// An open source. It closes when its last reference goes, or earlier by `close()`.
public protocol DeviceConnection: Sendable {
    /// What is read in fact, such as the node that stood for "any receiver".
    var name: String { get }

    /// Waits for bytes.
    ///
    /// Once there was `.end`, every further read gives `.end`. Throws `.disconnected` at a hang-up and
    /// `.ioFailed` when reading fails, both after closing; `.cancelled` when the task was cancelled,
    /// which closes too, or when the connection has been closed.
    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput

    /// Closes at once; a read that waits ends with `.cancelled`. Closing again does nothing.
    func close()
}

/// A connection whose bytes can be taken on the polling thread, without a task that resumes for each read.
package protocol PolledConnection: DeviceConnection {
    /// What waits for the bytes.
    var poller: Poller { get }

    /// Reads again and again; `handle` takes what comes until it answers `.end` or has taken `.end`. Throws
    /// as `read(until:)` does.
    ///
    /// It is called on the polling thread, or by this task, which has to prefer that one.
    func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.NextWait
    ) async throws(DeviceError)
}

extension PolledConnection {
    package func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput {
        let input = Mutex(DeviceInput.end)
        try await read(until: deadline) { next in
            input.withLock { $0 = next }
            return .end
        }
        return input.withLock { $0 }
    }
}

/// What waiting for bytes came to.
public enum DeviceInput: Equatable, Sendable {
    /// Bytes in the order sent, cut anywhere; never empty, at most 64 KiB.
    case bytes([UInt8])
    /// The deadline passed first.
    case silence
    /// There is nothing more, now or later.
    case end
}

extension DeviceConnection {
    /// The serial line that is read; `nil` where it is none.
    package var serialLine: SerialConnection? { self as? SerialConnection }
}
