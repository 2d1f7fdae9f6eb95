// SPDX-License-Identifier: MIT
import Delegation
import GPSIO
import GPSReceivers
import Synchronization

extension LocationManager {
    /// The default time limit of a request, in seconds: a receiver's cold start takes half a minute.
    public static let requestTimeout = Duration.seconds(60)

    /// One location within `requestTimeout`; see `requestLocation(timeout:clock:)`.
    public func requestLocation() async throws -> Location {
        try await requestLocation(timeout: Self.requestTimeout)
    }

    /// One location: the first valid fix at least as accurate as `desiredAccuracy`.
    ///
    /// Resumes exactly once. When the time is up by `clock`, the most accurate fix that came counts;
    /// without any, throws `LocationError.Code.timedOut`, whose `cause` is what was wrong with the device,
    /// if anything. Throws `.denied` at once if the receiver may not be opened, `.ended` if the source
    /// has come to its end, and `CancellationError` when the task is cancelled. Works beside updates
    /// and does not stop them. It opens the receiver while it waits; the delegate and the streams receive
    /// nothing from that.
    public func requestLocation(
        timeout: Duration, clock: some Clock<Duration> = ContinuousClock()
    ) async throws -> Location {
        try await begin(timeout, clock, .accuracy(desiredAccuracy)).valueCancellingRequest()
    }

    /// One location: the first valid fix for which `accepts` returns true.
    ///
    /// As `requestLocation(timeout:clock:)`, but at the time-out only an accepted fix would have counted.
    /// `accepts` is called on the thread that reads the receiver, which it should not hold up.
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

    /// Keeps the receiver open until the request is settled, at the time-out at the latest.
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
        // The receiver's present state may already be the answer.
        if let effect = state.withLock({ $0.refusal(of: id) }) { carryOut(effect, ofRun: .none) }
    }

    /// A wait for the time-out; `false` if its task was cancelled before.
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
        // The polling thread's own: what it has read before the time-out counts.
        let end = poller.now + timeout
        return { await poller.sleep(until: end) == .timedOut }
    }
}
