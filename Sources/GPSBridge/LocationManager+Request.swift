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
    /// Resumes exactly once. Where the time is up, the most accurate fix that came counts; without
    /// any, throws `LocationError.Code.locationUnknown`. Throws `.denied` at once where the receiver
    /// may not be opened, and `CancellationError` when the task is cancelled. Works beside updates
    /// and does not stop them; it opens the receiver for as long as it waits.
    public func requestLocation(timeout: Duration) async throws -> Location {
        try await outcome(of: begin(timeout: timeout, .theManager, suffices))
    }

    /// One location: the first valid fix that `accepts` says is good enough.
    ///
    /// As `requestLocation(timeout:)`, but at the time-out only an accepted fix would have counted.
    public func requestLocation(
        timeout: Duration = requestTimeout, where accepts: @escaping @Sendable (Location) -> Bool
    ) async throws -> Location {
        try await outcome(of: begin(timeout: timeout, .aPredicate, accepts))
    }

    /// One location for the delegate and the streams: one `didUpdateLocations`, or one
    /// `didFailWithError`. Asking again while a request is pending does nothing.
    ///
    /// The CoreLocation counterpart is `CLLocationManager.requestLocation()`, whose name belongs to
    /// the form above here.
    public func requestLocationUpdate() {
        guard state.withLock({ !$0.hasDelegateRequest }) else { return }
        let request = begin(timeout: Self.requestTimeout, .theDelegate, suffices)
        request.promise.then { [weak self] location in
            guard let self, self.state.withLock({ $0.isNews(location) }) else { return }
            self.tell(.location(location))
        }.catch { [weak self] error in
            if let error = error as? LocationError { self?.tell(.failure(error)) }
        }
    }

    private var suffices: @Sendable (Location) -> Bool {
        let accuracy = desiredAccuracy
        return { accuracy <= 0 || $0.horizontalAccuracy <= accuracy }
    }

    private func outcome(of request: LocationRequest) async throws -> Location {
        try await request.promise.valueOrWithdrawal()
    }

    private func begin(
        timeout: Duration, _ asker: LocationRequest.Asker,
        _ accepts: @escaping @Sendable (Location) -> Bool
    ) -> LocationRequest {
        let promise = Promise<Location>()
        let request = state.withLock { $0.add(promise, asker, accepts) }
        let id = request.id
        let timer = Task(executorPreference: Poller.shared) { [weak self] in
            guard await Poller.shared.sleep(until: .now + timeout) == .timedOut, let self,
                let event = self.state.withLock({ $0.expire(id) })
            else { return }
            self.tell(event)
        }
        promise.finally { [weak self] in
            timer.cancel()
            let released = self?.state.withLock { $0.remove(id) }
            withExtendedLifetime(released) {}
        }
        attach()
        return request
    }
}
