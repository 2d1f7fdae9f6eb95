// SPDX-License-Identifier: MIT
public import GNSS

/// Reports when a source that could not be opened is worth another attempt.
public protocol DeviceAvailability: Sendable {
    /// Waits until another attempt to open may succeed, until the deadline, or until cancellation.
    ///
    /// Events since the last call count, so that none is missed between a failed `open()` and this
    /// call. May return without reason, but not repeatedly while nothing changes.
    func next(until deadline: MonotonicInstant?) async
}
