// SPDX-License-Identifier: MIT

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
