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
        let poller = poller
        let deadline = poller.now + timeout
        let timer = Task(executorPreference: poller) { [weak self] in
            guard await poller.sleep(until: deadline) == .timedOut, let self,
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
