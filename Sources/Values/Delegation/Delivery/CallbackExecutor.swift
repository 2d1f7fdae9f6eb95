// SPDX-License-Identifier: MIT
public import Dispatch

/// Runs callbacks: a dispatch queue, the main actor or another executor.
public protocol CallbackExecutor: Sendable {
    /// Runs `work` once, immediately or later. Several closures are started in the order in which
    /// they are passed.
    func execute(_ work: @escaping @Sendable () -> Void)
}

extension DispatchQueue: CallbackExecutor {
    /// Runs `work` on this queue and returns immediately.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        async(execute: work)
    }
}

/// Runs callbacks immediately, on the thread that sends the value.
public struct ImmediateExecutor: CallbackExecutor {
    /// Creates an executor that runs callbacks on the calling thread.
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
/// The program must run the main queue: with an `async` main, `dispatchMain()` or a main run loop.
public struct MainExecutor: CallbackExecutor {
    /// Creates an executor that runs callbacks on the main actor.
    public init() {}

    /// Runs `work` on the main queue and returns immediately.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }
}

extension CallbackExecutor where Self == MainExecutor {
    /// Runs callbacks on the main actor.
    public static var main: Self { MainExecutor() }
}
