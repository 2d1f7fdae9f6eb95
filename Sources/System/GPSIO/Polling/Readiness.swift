// SPDX-License-Identifier: MIT

/// The result of waiting for a descriptor.
package enum Readiness: Equatable, Sendable {
    /// Reading or writing will not block.
    case ready
    /// The other side has disconnected, or the device was unplugged. Bytes received before may
    /// still be readable.
    case hungUp
    /// The deadline has passed.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// The descriptor was closed, or its poller was stopped.
    case closed
    /// The descriptor cannot be watched; the value is an `errno`.
    case failed(CInt)
}
