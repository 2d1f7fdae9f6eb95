// SPDX-License-Identifier: MIT

/// The result of waiting for a descriptor.
package enum Readiness: Equatable, Sendable {
    /// Reading or writing will not block.
    case ready
    /// The other side is gone; bytes it sent before may still be readable.
    case hungUp
    /// The deadline passed first.
    case timedOut
    /// The waiting task was cancelled.
    case cancelled
    /// The descriptor was closed, or its poller ended.
    case closed
    /// The descriptor cannot be watched; the value is an `errno`.
    case failed(CInt)
}
