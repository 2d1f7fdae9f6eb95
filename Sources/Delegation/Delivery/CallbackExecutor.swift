// SPDX-License-Identifier: MIT
public import Dispatch

/// Runs callbacks: a dispatch queue, the main actor or another executor.
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

/// Runs callbacks at once, on the thread that sends the value.
public struct ImmediateExecutor: CallbackExecutor {
    /// Creates an executor that uses the calling thread.
    public init() {}

    /// Runs `work` before it returns.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        work()
    }
}

extension CallbackExecutor where Self == ImmediateExecutor {
    /// Runs callbacks on the thread that sends the value.
    public static var immediate: Self { ImmediateExecutor() }
}

/// Runs callbacks on the main actor, in order.
///
/// The main queue must be running: by an `async` main, `dispatchMain()` or a main run loop.
public struct MainExecutor: CallbackExecutor {
    /// Creates an executor that uses the main actor.
    public init() {}

    /// Runs `work` on the main queue and returns at once.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }
}

extension CallbackExecutor where Self == MainExecutor {
    /// Runs callbacks on the main actor.
    public static var main: Self { MainExecutor() }
}
