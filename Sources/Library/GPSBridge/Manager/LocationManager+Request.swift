// SPDX-License-Identifier: MIT
import Delegation
import GPSIO
import Synchronization

extension LocationManager {
    /// The default timeout of a request: 60 s. A receiver's cold start takes about 30 s.
    public static let requestTimeout = Duration.seconds(60)

    /// Returns one location, with `requestTimeout` as the timeout; see
    /// `requestLocation(timeout:clock:)`.
    public func requestLocation() async throws -> Location {
        try await requestLocation(timeout: Self.requestTimeout)
    }

    /// Returns one location: the first valid fix at least as accurate as `desiredAccuracy`.
    ///
    /// At the timeout, measured by `clock`, and when the source ends, returns the most accurate fix
    /// so far. If there is none, throws a `LocationError`: `.timedOut`, whose `cause` is the
    /// device's problem, if any, or `.ended`. Throws `.denied` immediately if the program may not
    /// open the receiver, and `CancellationError` on cancellation.
    ///
    /// The request keeps the receiver open while it waits. It does not affect running updates, and
    /// reports nothing to the delegate or the streams except a change of authorization.
    public func requestLocation(
        timeout: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> Location {
        try await begin(timeout, clock, .accuracy(desiredAccuracy)).valueCancellingRequest()
    }

    /// Returns one location: the first valid fix for which `accepts` returns `true`.
    ///
    /// It behaves like `requestLocation(timeout:clock:)`, but always throws an error at the timeout
    /// and at the end of the source. `accepts` is called on the thread that reads the receiver and
    /// must return quickly.
    public func requestLocation(
        timeout: Duration = requestTimeout, clock: some Clock<Duration> = ContinuousClock(),
        where accepts: @escaping @Sendable (Location) -> Bool
    ) async throws -> Location {
        try await begin(timeout, clock, .predicate(accepts)).valueCancellingRequest()
    }

    /// Returns one location like `requestLocation(timeout:clock:)`, but waits at most
    /// `accuracyTimeout` after the first fix for a more accurate one.
    package func requestLocation(
        accuracyTimeout: Duration, timeout: Duration = requestTimeout
    ) async throws -> Location {
        let criterion = LocationRequest.Criterion.accuracy(
            desiredAccuracy, accuracyTimeout: accuracyTimeout)
        return try await begin(timeout, ContinuousClock(), criterion).valueCancellingRequest()
    }

    /// Begins a request: starts its timeout, opens the receiver for it, and closes the receiver when
    /// the request has a result.
    private func begin(
        _ timeout: Duration, _ clock: some Clock<Duration>, _ criterion: LocationRequest.Criterion
    ) -> Promise<Location> {
        let request = state.withLock { $0.add(criterion) }
        let id = request.id
        expire(request, after: timeout, clock)
        request.promise.finally { [weak self] in
            let released = self?.state.withLock { $0.remove(id) }
            withExtendedLifetime(released) {}
        }
        attach()
        // The receiver's current state may already make the request fail.
        if let effect = state.withLock({ $0.refusal(of: id) }) { carryOut(effect, ofRun: .none) }
        return request.promise
    }

    /// Ends a request after a time: with the most accurate location so far or, if there is none,
    /// with an error.
    func expire(
        _ request: LocationRequest, after timeout: Duration,
        _ clock: some Clock<Duration> = ContinuousClock()
    ) {
        let id = request.id
        let poller = poller
        let wait = Self.wait(timeout, clock, poller)
        let timer = Task(executorPreference: poller) { [weak self] in
            guard await wait(), let self,
                let effect = self.state.withLock({ $0.expire(id, at: poller.now) })
            else { return }
            self.carryOut(effect, ofRun: .none)
        }
        request.promise.finally { timer.cancel() }
    }

    /// Returns a function that waits until the timeout, which starts now. The function returns
    /// `false` if its task is cancelled first.
    private static func wait(
        _ timeout: Duration, _ clock: some Clock<Duration>, _ poller: Poller
    ) -> @Sendable () async -> Bool {
        guard clock is ContinuousClock else {
            let end = clock.now.advanced(by: timeout)
            return {
                do {
                    try await clock.sleep(until: end, tolerance: nil)
                    return true
                } catch {
                    return false
                }
            }
        }
        // The polling thread's own deadlines are used, so that data that arrived before the timeout
        // is handled first.
        let end = poller.now + timeout
        return { await poller.sleep(until: end) == .timedOut }
    }
}
