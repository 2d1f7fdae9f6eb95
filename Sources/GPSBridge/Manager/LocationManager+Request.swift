// SPDX-License-Identifier: MIT
import Delegation
import GPSIO
import GPSReceivers
import Synchronization

extension LocationManager {
    /// The default timeout of a request: 60 s, since a receiver's cold start takes half a minute.
    public static let requestTimeout = Duration.seconds(60)

    /// One location within `requestTimeout`; see `requestLocation(timeout:clock:)`.
    public func requestLocation() async throws -> Location {
        try await requestLocation(timeout: Self.requestTimeout)
    }

    /// Returns one location: the first valid fix at least as accurate as `desiredAccuracy`.
    ///
    /// At the timeout, by `clock`, returns the most accurate fix so far; without any, throws
    /// `LocationError.Code.timedOut`, whose `cause` is the problem of the device, if there is one.
    /// Throws `.denied` at once if the receiver may not be opened, `.ended` if the source has
    /// ended, and `CancellationError` on cancellation. Running updates are not affected. The
    /// request keeps the receiver open while it waits; the delegate and the streams receive nothing
    /// from it.
    public func requestLocation(
        timeout: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> Location {
        try await begin(timeout, clock, .accuracy(desiredAccuracy)).valueCancellingRequest()
    }

    /// Returns one location: the first valid fix for which `accepts` returns `true`.
    ///
    /// Like `requestLocation(timeout:clock:)`, but a timeout always throws. `accepts` is called on
    /// the thread that reads the receiver and should return quickly.
    public func requestLocation(
        timeout: Duration = requestTimeout, clock: some Clock<Duration> = ContinuousClock(),
        where accepts: @escaping @Sendable (Location) -> Bool
    ) async throws -> Location {
        try await begin(timeout, clock, .predicate(accepts)).valueCancellingRequest()
    }

    private func begin(
        _ timeout: Duration, _ clock: some Clock<Duration>, _ criterion: LocationRequest.Criterion
    ) -> Promise<Location> {
        let request = state.withLock { $0.add(criterion) }
        follow(request, timeout, clock)
        return request.promise
    }

    /// Keeps the receiver open until the request has a result, at the latest at the timeout.
    private func follow(
        _ request: LocationRequest, _ timeout: Duration, _ clock: some Clock<Duration>
    ) {
        let id = request.id
        let poller = poller
        let wait = Self.wait(timeout, clock, poller)
        let timer = Task(executorPreference: poller) { [weak self] in
            guard await wait(), let self,
                let effect = self.state.withLock({ $0.expire(id) })
            else { return }
            self.carryOut(effect, ofRun: .none)
        }
        request.promise.finally { [weak self] in
            timer.cancel()
            let released = self?.state.withLock { $0.remove(id) }
            withExtendedLifetime(released) {}
        }
        attach()
        // The receiver's current state may already decide the request.
        if let effect = state.withLock({ $0.refusal(of: id) }) { carryOut(effect, ofRun: .none) }
    }

    /// Returns a function that waits for the timeout; it returns `false` if its task was cancelled
    /// before.
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
        // Use the polling thread's own deadlines, so that data read before the timeout is
        // considered.
        let end = poller.now + timeout
        return { await poller.sleep(until: end) == .timedOut }
    }
}
