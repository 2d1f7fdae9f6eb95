// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Synchronization

/// An open source. It closes with its last reference, or earlier by `close()`.
public protocol DeviceConnection: Sendable {
    /// The name of the device being read, such as the node found for "any receiver".
    var name: String { get }

    /// Waits for bytes.
    ///
    /// After `.end`, every read returns `.end`. Throws `.disconnected` at a hang-up and `.ioFailed`
    /// when reading fails, both after closing; `.cancelled` when the task is cancelled, which also
    /// closes, or when the connection has been closed.
    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput

    /// Closes at once; a pending read throws `.cancelled`. Closing again has no effect.
    func close()
}

/// A connection whose bytes can be handled on the polling thread, without resuming a task for each
/// read.
package protocol PolledConnection: DeviceConnection {
    /// The poller that waits for the bytes.
    var poller: Poller { get }

    /// Reads repeatedly and passes each input to `handle`, until that returns `.end` or has
    /// received `.end`. Throws the errors of `read(until:)`.
    ///
    /// `handle` is called on the polling thread, or by this task, which must prefer that thread.
    func read(
        until deadline: MonotonicInstant?,
        each handle: @escaping @Sendable (DeviceInput) -> Poller.HandlerResult
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

/// The result of waiting for bytes.
public enum DeviceInput: Equatable, Sendable {
    /// Bytes in the order received, split anywhere; never empty, at most 64 KiB.
    case bytes([UInt8])
    /// No bytes were received before the deadline.
    case silence
    /// The end of the source.
    case end
}

extension DeviceConnection {
    /// The connection as a serial line; `nil` if it is none.
    package var serialLine: SerialConnection? { self as? SerialConnection }
}
