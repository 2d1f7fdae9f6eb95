// SPDX-License-Identifier: MIT
import Delegation
import Devices
import Synchronization

extension LocationManager {
    /// How long a request waits unless told otherwise: a receiver's cold start takes half a minute.
    public static let requestTimeout = Duration.seconds(60)

    /// One location within `requestTimeout`; see `requestLocation(timeout:)`.
    public func requestLocation() async throws -> Location {
        try await requestLocation(timeout: Self.requestTimeout)
    }

    /// One location: the first valid fix at least as accurate as `desiredAccuracy`.
    ///
    /// Resumes exactly once. When the time is up, the most accurate fix that came counts; without
    /// any, throws `LocationError.Code.timedOut`, whose `cause` says what was wrong with the device, if
    /// anything. Throws `.denied` at once if the receiver may not be opened, `.ended` if the source
    /// has come to its end, and `CancellationError` when the task is cancelled. Works beside updates
    /// and does not stop them; it opens the receiver for as long as it waits, of which delegate and
    /// streams get nothing.
    public func requestLocation(timeout: Duration) async throws -> Location {
        try await begin(timeout: timeout, .accuracy(desiredAccuracy)).valueCancellingRequest()
    }

    /// One location: the first valid fix that `accepts` says is good enough.
    ///
    /// As `requestLocation(timeout:)`, but at the time-out only an accepted fix would have counted.
    /// `accepts` is called on the thread that reads the receiver, which it should not hold up.
    public func requestLocation(
        timeout: Duration = requestTimeout, where accepts: @escaping @Sendable (Location) -> Bool
    ) async throws -> Location {
        try await begin(timeout: timeout, .predicate(accepts)).valueCancellingRequest()
    }

    /// One location for the delegate and the streams: one `didUpdateLocations`, or one
    /// `didFailWithError`. Asking again while a request is pending does nothing.
    ///
    /// The CoreLocation counterpart is `CLLocationManager.requestLocation()`, whose name belongs to
    /// the form above here.
    public func requestLocationUpdate() {
        let accuracy = LocationRequest.Criterion.accuracy(desiredAccuracy)
        let (added, run) = state.withLock { ($0.addDelegateRequest(accuracy), $0.run) }
        guard let request = added else { return }
        request.promise.then { [weak self] location in
            guard let self, self.state.withLock({ $0.isNews(location) }) else { return }
            self.send(.location(location), ofRun: run)
        }.catch { [weak self] error in
            if let error = error as? LocationError { self?.send(.failure(error), ofRun: run) }
        }
        follow(request, timeout: Self.requestTimeout)
    }

    private func begin(
        timeout: Duration, _ criterion: LocationRequest.Criterion
    ) -> Promise<Location> {
        let request = state.withLock { $0.add(criterion) }
        follow(request, timeout: timeout)
        return request.promise
    }

    /// Keeps the receiver open until the request is settled, at the time-out at the latest.
    private func follow(_ request: LocationRequest, timeout: Duration) {
        let id = request.id
        let timer = Task(executorPreference: Poller.shared) { [weak self] in
            guard await Poller.shared.sleep(until: .now + timeout) == .timedOut, let self,
                let event = self.state.withLock({ $0.expire(id) })
            else { return }
            self.send(event, ofRun: self.currentRun)
        }
        request.promise.finally { [weak self] in
            timer.cancel()
            let released = self?.state.withLock { $0.remove(id) }
            withExtendedLifetime(released) {}
        }
        attach()
        // What is known already about the receiver may be the answer.
        if let event = state.withLock({ $0.refusal(of: id) }) { send(event, ofRun: currentRun) }
    }
}
