// SPDX-License-Identifier: MIT
import Synchronization

extension Promise {
    /// Creates a pending promise, which is the same as `Promise()`.
    public static func pending() -> Promise { Promise() }

    /// Creates a pending promise and the resolver that settles it.
    @_disfavoredOverload
    public static func pending() -> (promise: Promise, resolver: PromiseResolver<Value>) {
        let promise = Promise()
        return (promise, PromiseResolver(promise.outcome))
    }

    /// Calls `body` with the error if this promise is rejected, and returns a promise of the result
    /// of `body`. This is the same as `catch(on:_:)`.
    @_disfavoredOverload
    @discardableResult
    public func recover(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        self.catch(on: executor, body)
    }

    /// Calls `body` with the error if this promise is rejected, and returns a promise that gets the
    /// outcome of the promise that `body` returns.
    @_disfavoredOverload
    @discardableResult
    public func recover(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (any Error) throws -> Promise<Value>
    ) -> Promise<Value> {
        chain(on: executor) { outcome, next in
            guard case .failure(let error) = outcome else {
                _ = next.settle(outcome)
                return
            }
            do {
                let inner = try body(error)
                inner.outcome.wait(toSettle: next) { _ = next.settle($0) }
            } catch {
                _ = next.settle(.failure(error))
            }
        }
    }

    /// Calls `body` when this promise is fulfilled or rejected. This is the same as
    /// `finally(on:_:)`.
    @_disfavoredOverload
    @discardableResult
    public func always(
        on executor: some CallbackExecutor = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Promise<Value> {
        finally(on: executor, body)
    }
}

// `Never` stands for no type: the types of the values come from the arguments.
extension Promise where Value == Never {
    /// Returns a promise of the values of all promises, in their order. It is rejected with the first
    /// error. The other promises continue, except after a timeout or a cancellation, which also
    /// rejects those that nothing else uses.
    public static func all<Element: Sendable>(
        _ promises: [Promise<Element>]
    ) -> Promise<[Element]> {
        let outcomes = promises.map(\.outcome)
        return combined(promises) { try outcomes.map { try $0.settledValue() } }
    }

    /// Returns a promise of the values of all promises, as a tuple. It is rejected with the first
    /// error, as with an array of promises.
    public static func all<each Element: Sendable>(
        _ promises: repeat Promise<each Element>
    ) -> Promise<(repeat each Element)> {
        var list: [any Waitable] = []
        for promise in repeat each promises { list.append(promise) }
        let outcomes = (repeat (each promises).outcome)
        return combined(list) { (repeat try (each outcomes).settledValue()) }
    }

    /// Returns a promise that `value` fulfills when all promises are fulfilled.
    private static func combined<Combined: Sendable>(
        _ promises: [any Waitable], _ value: @escaping @Sendable () throws -> Combined
    ) -> Promise<Combined> {
        let combined = Promise<Combined>()
        let remaining = Remaining(promises.count)
        for promise in promises {
            promise.wait(toSettle: combined.outcome) { [outcome = combined.outcome] error in
                if let error {
                    _ = outcome.settle(.failure(error))
                } else if remaining.decrement() == 0 {
                    _ = outcome.settle(Result { try value() })
                }
            }
        }
        if promises.isEmpty { _ = combined.outcome.settle(Result { try value() }) }
        return combined
    }
}

/// Returns a promise of the values of all promises, in their order; see `Promise.all`.
public func all<Value: Sendable>(_ promises: [Promise<Value>]) -> Promise<[Value]> {
    Promise.all(promises)
}

/// Returns a promise of the values of all promises, as a tuple; see `Promise.all`.
public func all<each Value: Sendable>(
    _ promises: repeat Promise<each Value>
) -> Promise<(repeat each Value)> {
    Promise.all(repeat each promises)
}

/// A promise with any type of value.
private protocol Waitable: Sendable {
    /// Calls `done` once with the error; `nil` if the promise is fulfilled. See
    /// `OneShot.wait(toSettle:)`.
    func wait<Next>(
        toSettle next: OneShot<Next>, _ done: @escaping @Sendable ((any Error)?) -> Void)
}

extension Promise: Waitable {
    fileprivate func wait<Next>(
        toSettle next: OneShot<Next>, _ done: @escaping @Sendable ((any Error)?) -> Void
    ) {
        outcome.wait(toSettle: next) { result in
            if case .failure(let error) = result { done(error) } else { done(nil) }
        }
    }
}

/// The number of promises that are not fulfilled yet.
private final class Remaining: Sendable {
    private let count: Atomic<Int>

    init(_ count: Int) { self.count = Atomic(count) }

    /// Returns the number after this call.
    func decrement() -> Int { count.subtract(1, ordering: .acquiringAndReleasing).newValue }
}
