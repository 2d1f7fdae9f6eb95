// SPDX-License-Identifier: MIT
public import GNSS

/// Waits until it makes sense to try again to open a source.
public protocol DeviceAvailability: Sendable {
    /// Waits until another attempt to open the source may succeed, the deadline is reached, or the
    /// task is cancelled.
    ///
    /// Returns immediately if an event has occurred since the last call, so that no event between a
    /// failed `open()` and this call is missed. It may return without a reason, but not repeatedly
    /// while nothing changes.
    func next(until deadline: MonotonicInstant?) async
}
