// SPDX-License-Identifier: MIT
import Dispatch

/// Variants of `then`, `catch` and `finally` with closures that are isolated to the main actor.
extension Promise {
    /// Calls `body` with the value on the main actor. Returns a promise of the result of `body`.
    ///
    /// In other respects, this works like `then(on:_:)` with another executor.
    @discardableResult
    public func then<Next: Sendable>(
        on executor: MainExecutor, _ body: @escaping @MainActor @Sendable (Value) throws -> Next
    ) -> Promise<Next> {
        // Safety: the main queue, on which a `MainExecutor` also runs closures, is the main actor's.
        then(on: DispatchQueue.main) { value in
            try MainActor.assumeIsolated { try body(value) }
        }
    }

    /// Calls `body` with the value on the main actor. Returns a promise that gets the outcome of
    /// the promise that `body` returns.
    @discardableResult
    public func then<Next: Sendable>(
        on executor: MainExecutor,
        _ body: @escaping @MainActor @Sendable (Value) throws -> Promise<Next>
    ) -> Promise<Next> {
        // Safety: the main queue, on which a `MainExecutor` also runs closures, is the main actor's.
        then(on: DispatchQueue.main) { value in
            try MainActor.assumeIsolated { try body(value) }
        }
    }

    /// Calls `body` with the error on the main actor if this promise is rejected. Returns a promise
    /// of the result of `body`.
    ///
    /// In other respects, this works like `catch(on:_:)` with another executor.
    @discardableResult
    public func `catch`(
        on executor: MainExecutor,
        _ body: @escaping @MainActor @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        // Safety: the main queue, on which a `MainExecutor` also runs closures, is the main actor's.
        `catch`(on: DispatchQueue.main) { error in
            try MainActor.assumeIsolated { try body(error) }
        }
    }

    /// Calls `body` on the main actor when this promise is fulfilled or rejected. Returns a promise
    /// that then gets the same outcome.
    @discardableResult
    public func finally(
        on executor: MainExecutor, _ body: @escaping @MainActor @Sendable () -> Void
    ) -> Promise<Value> {
        // Safety: the main queue, on which a `MainExecutor` also runs closures, is the main actor's.
        finally(on: DispatchQueue.main) { MainActor.assumeIsolated { body() } }
    }

    /// Calls `body` with the error on the main actor if this promise is rejected. This is the same as
    /// `catch(on:_:)`.
    @discardableResult
    public func recover(
        on executor: MainExecutor,
        _ body: @escaping @MainActor @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        self.catch(on: executor, body)
    }

    /// Calls `body` with the error on the main actor if this promise is rejected. Returns a promise
    /// that gets the outcome of the promise that `body` returns.
    @discardableResult
    public func recover(
        on executor: MainExecutor,
        _ body: @escaping @MainActor @Sendable (any Error) throws -> Promise<Value>
    ) -> Promise<Value> {
        // Safety: the main queue, on which a `MainExecutor` also runs closures, is the main actor's.
        recover(on: DispatchQueue.main) { error in
            try MainActor.assumeIsolated { try body(error) }
        }
    }

    /// Calls `body` on the main actor when this promise is fulfilled or rejected. This is the same as
    /// `finally(on:_:)`.
    @discardableResult
    public func always(
        on executor: MainExecutor, _ body: @escaping @MainActor @Sendable () -> Void
    ) -> Promise<Value> {
        finally(on: executor, body)
    }
}
