// SPDX-License-Identifier: MIT
import Dispatch
import Synchronization

/// A value or an error that becomes available later.
///
/// Each use of `value`, `then` or `catch` receives the outcome exactly once. A promise is rejected
/// with `PromiseError.Code.abandoned` in two cases: its resolver is released without settling it,
/// or the promise is released and nothing waits for its outcome. Closures passed to `then`, `catch`
/// and `finally` wait for it, and so does a timeout at the end of a chain.
public final class Promise<Value: Sendable>: Sendable {
    let outcome = OneShot<Value>()

    /// Creates a pending promise.
    ///
    /// If the promise may never be settled, use `init(_:)` with a resolver, or
    /// `timeout(after:clock:)`. Otherwise, a task that waits for the value waits forever.
    public init() {}

    /// Creates a promise that `start` settles through its resolver.
    ///
    /// The promise is rejected with the error that `start` throws. If the last reference to the
    /// resolver is released first, the promise is rejected with `PromiseError.Code.abandoned`.
    public convenience init(_ start: (PromiseResolver<Value>) throws -> Void) {
        self.init()
        let resolver = PromiseResolver(outcome)
        do { try start(resolver) } catch { resolver.reject(error) }
    }

    deinit {
        outcome.promiseWasReleased()
    }

    /// Whether the promise has neither a value nor an error yet.
    public var isPending: Bool { !outcome.isSettled }

    /// Fulfills the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func fulfill(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// The name of `fulfill(_:)` in version 0.1.0.
    @available(*, deprecated, renamed: "fulfill")
    @discardableResult
    public func fulfil(_ value: Value) -> Bool { fulfill(value) }

    /// Rejects the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }

    /// Waits for the value and returns it. Throws the promise's error if it is rejected.
    ///
    /// Any number of tasks may wait. If a task is cancelled, it throws `CancellationError`; the
    /// promise and other waiting tasks are not affected.
    public var value: Value {
        get async throws { try await outcome.value() }
    }

    /// Waits for the value and returns it. Throws the promise's error if it is rejected.
    ///
    /// If the task is cancelled, the promise is rejected with `CancellationError`, and closures
    /// passed to `finally` can cancel the underlying request. In a chain, the promises before it
    /// are rejected too, unless something else uses them.
    public func valueCancellingRequest() async throws -> Value {
        try await withTaskCancellationHandler {
            try await outcome.value()
        } onCancel: {
            reject(CancellationError())
        }
    }

    /// Rejects the promise with `PromiseError.Code.timedOut` if it is not settled within `limit`.
    /// In a chain, the promises before it are rejected too, unless something else uses them; this
    /// promise need not be kept. Returns this promise.
    @discardableResult
    public func timeout(
        after limit: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) -> Self {
        // The timer is cancelled when the outcome is set or deallocated.
        let timer = Task { [weak outcome] in
            do { try await clock.sleep(for: limit) } catch { return }
            _ = outcome?.settle(.failure(PromiseError(.timedOut)))
        }
        outcome.timerWasStarted()
        outcome.wait(asConsumer: false) { _ in timer.cancel() }
        return self
    }
}

/// Settles a promise. If the resolver is released before that, the promise is rejected with
/// `PromiseError.Code.abandoned`.
public final class PromiseResolver<Value: Sendable>: Sendable {
    private let outcome: OneShot<Value>

    init(_ outcome: OneShot<Value>) {
        self.outcome = outcome
    }

    deinit {
        _ = outcome.settle(.failure(PromiseError(.abandoned)))
    }

    /// Fulfills the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func fulfill(_ value: Value) -> Bool {
        outcome.settle(.success(value))
    }

    /// The name of `fulfill(_:)` in version 0.1.0.
    @available(*, deprecated, renamed: "fulfill")
    @discardableResult
    public func fulfil(_ value: Value) -> Bool { fulfill(value) }

    /// Rejects the promise unless it is settled; returns whether this call settled it.
    @discardableResult
    public func reject(_ error: any Error) -> Bool {
        outcome.settle(.failure(error))
    }
}

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

extension Promise {
    /// Calls `body` with the value if this promise is fulfilled. Returns a promise of the result of
    /// `body`.
    ///
    /// The new promise is rejected with this promise's error or with the error that `body` throws.
    /// `body` is called once, on `executor`. By default, that is the thread that settles this
    /// promise, or the calling thread if the promise is already settled.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (Value) throws -> Next
    ) -> Promise<Next> {
        chain(on: executor) { outcome, next in
            _ = next.settle(Result { try body(outcome.get()) })
        }
    }

    /// Calls `body` with the value if this promise is fulfilled. Returns a promise that gets the
    /// outcome of the promise that `body` returns.
    @_disfavoredOverload
    @discardableResult
    public func then<Next: Sendable>(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (Value) throws -> Promise<Next>
    ) -> Promise<Next> {
        chain(on: executor) { outcome, next in
            do {
                let inner = try body(outcome.get())
                inner.outcome.wait(toSettle: next) { _ = next.settle($0) }
            } catch {
                _ = next.settle(.failure(error))
            }
        }
    }

    /// Calls `body` with the error if this promise is rejected. Returns a promise of the result of
    /// `body`.
    ///
    /// If `body` throws, the new promise is rejected with that error. If this promise is fulfilled,
    /// `body` is not called, and the new promise has the same value.
    @_disfavoredOverload
    @discardableResult
    public func `catch`(
        on executor: some CallbackExecutor = .immediate,
        _ body: @escaping @Sendable (any Error) throws -> Value
    ) -> Promise<Value> {
        chain(on: executor) { outcome, next in
            switch outcome {
            case .success: _ = next.settle(outcome)
            case .failure(let error): _ = next.settle(Result { try body(error) })
            }
        }
    }

    /// Calls `body` when this promise is fulfilled or rejected. Returns a promise that then gets
    /// the same outcome.
    ///
    /// If the returned promise is neither kept nor chained, `body` does not prevent a timeout or a
    /// cancellation from ending the request.
    @_disfavoredOverload
    @discardableResult
    public func finally(
        on executor: some CallbackExecutor = .immediate, _ body: @escaping @Sendable () -> Void
    ) -> Promise<Value> {
        chain(on: executor, isFinally: true) { outcome, next in
            body()
            _ = next.settle(outcome)
        }
    }

    private func chain<Next: Sendable>(
        on executor: some CallbackExecutor, isFinally: Bool = false,
        _ step: @escaping @Sendable (OneShot<Value>.Outcome, OneShot<Next>) -> Void
    ) -> Promise<Next> {
        let next = Promise<Next>()
        outcome.wait(toSettle: next.outcome, isFinally: isFinally) {
            [outcome = next.outcome] result in
            executor.execute { step(result, outcome) }
        }
        return next
    }
}

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

/// The error of a promise that the Delegation module itself rejected.
public struct PromiseError: Error, Hashable, CustomStringConvertible {
    /// The reason for a rejection.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a custom code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The promise was not settled within the limit of `Promise.timeout(after:clock:)`.
        public static let timedOut = Code(rawValue: "timed out")
        /// The resolver or the promise was released before the promise was settled.
        public static let abandoned = Code(rawValue: "abandoned")
        /// The event source completed before it sent the requested value.
        public static let eventCompleted = Code(rawValue: "event completed")
    }

    /// The reason for the rejection.
    public let code: Code

    /// Creates an error.
    public init(_ code: Code) { self.code = code }

    /// The code's name.
    public var description: String { code.rawValue }
}
