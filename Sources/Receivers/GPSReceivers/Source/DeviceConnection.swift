// SPDX-License-Identifier: MIT
public import GNSS
package import GPSIO
import Synchronization

/// An open source. It is closed when its last reference is released, or earlier by `close()`.
public protocol DeviceConnection: Sendable {
    /// The name of the device being read. It can differ from the source's name, for example if the
    /// source is "any receiver".
    var name: String { get }

    /// Waits for bytes. Returns `.silence` at the deadline; `nil` means to wait without a limit.
    ///
    /// After `.end`, every read returns `.end`. Throws `.disconnected` at a hang-up and `.ioFailed`
    /// if reading fails; both also close the connection. Throws `.cancelled` if the task is
    /// cancelled, which also closes the connection, or if the connection has been closed.
    func read(until deadline: MonotonicInstant?) async throws(DeviceError) -> DeviceInput

    /// Closes the connection immediately. A pending read throws `.cancelled`. Closing again has no
    /// effect.
    func close()
}

/// A connection whose bytes can be processed by a callback on the polling thread, without resuming
/// a task for each read.
package protocol PolledConnection: DeviceConnection {
    /// The poller that waits for the bytes.
    var poller: Poller { get }

    /// Reads repeatedly and passes each input to `handle`, until `handle` returns `.end` or the
    /// input was `.end`. Throws the errors of `read(until:)`.
    ///
    /// `handle` is called on the polling thread or by the calling task, whose executor preference
    /// must be `poller`.
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

/// The result of a read.
public enum DeviceInput: Equatable, Sendable {
    /// Bytes in the order received, split at any point: at least one byte and at most 64 KiB.
    case bytes([UInt8])
    /// No bytes were received before the deadline.
    case silence
    /// The source has ended.
    case end
}

extension DeviceConnection {
    /// The connection as a serial line; `nil` for any other connection.
    package var serialLine: SerialConnection? { self as? SerialConnection }
}
