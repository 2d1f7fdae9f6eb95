// SPDX-License-Identifier: MIT
public import Dispatch

/// Somewhere callbacks can run: a dispatch queue, or any other way to run a closure soon.
public protocol CallbackExecutor: Sendable {
    /// Runs `work` once, now or later, in the order of the calls.
    func execute(_ work: @escaping @Sendable () -> Void)
}

extension DispatchQueue: CallbackExecutor {
    /// Runs `work` on this queue and returns at once.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        async(execute: work)
    }
}
