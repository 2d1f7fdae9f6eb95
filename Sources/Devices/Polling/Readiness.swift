// SPDX-License-Identifier: MIT

/// What waiting for a descriptor came to.
package enum Readiness: Equatable, Sendable {
    /// Reading or writing will not block.
    case ready
    /// The other end has gone; what it sent before may still be there.
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
