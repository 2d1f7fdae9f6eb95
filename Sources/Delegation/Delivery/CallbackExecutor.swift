// SPDX-License-Identifier: MIT
public import Dispatch

/// Somewhere callbacks can run: a dispatch queue, the main actor, or any other way to run a closure
/// soon.
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

/// Runs callbacks at once, on the thread that causes them.
public struct ImmediateExecutor: CallbackExecutor {
    /// Creates an executor without a thread of its own.
    public init() {}

    /// Runs `work` before it returns.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        work()
    }
}

extension CallbackExecutor where Self == ImmediateExecutor {
    /// The thread that causes the callback.
    public static var immediate: Self { ImmediateExecutor() }
}

/// Runs callbacks on the main actor, in order.
///
/// The main queue has to run: under an `async` main, `dispatchMain()` or a main run loop it does.
public struct MainExecutor: CallbackExecutor {
    /// Creates an executor of the main actor.
    public init() {}

    /// Runs `work` on the main queue and returns at once.
    public func execute(_ work: @escaping @Sendable () -> Void) {
        DispatchQueue.main.async(execute: work)
    }
}

extension CallbackExecutor where Self == MainExecutor {
    /// The main actor.
    public static var main: Self { MainExecutor() }
}
