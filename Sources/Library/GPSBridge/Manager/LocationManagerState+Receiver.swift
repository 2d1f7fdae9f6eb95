// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

extension LocationManagerState {
    /// The state of one of the manager's receivers.
    struct ManagedReceiver {
        var condition = ReceiverCondition.searching
        var hasFix = false
        /// Whether the receiver has sent an epoch, with or without a fix, since `opened`.
        var hasSentEpoch = false
        /// When the receiver was last opened or, if it was already open, its session was joined;
        /// `nil` before that.
        var opened: MonotonicInstant?
        /// The integrity of the receiver's last epoch that was tested while location updates were
        /// running; `nil` if there is none.
        var integrity: Integrity?
        /// The time from which the wait for a fix is measured. After a missing fix has been
        /// reported, it is a day in the future, so that the report is not repeated.
        var fixWaitStart: MonotonicInstant?
        /// The number from `sourcesToJoin()`; `nil` if the receiver's session is not joined.
        /// Updates with another number are ignored, because the session was left or joined again
        /// since.
        var join: Int?

        /// Whether the receiver has been open since its session was joined.
        var hasBeenOpen: Bool { opened != nil }

        /// Begins the wait for a fix, so that a missing fix is reported to a new run of updates even
        /// if an earlier run has already reported it.
        mutating func reportMissingFixAgain(at now: MonotonicInstant) {
            fixWaitStart = fixWaitStart.map { min($0, now) }
        }

        /// The time without an epoch after which a request names silence as the reason that it
        /// failed.
        private static let silenceLimit = Duration.seconds(10)

        /// The error of an open receiver from which no position data arrives; `nil` if some does,
        /// or if the receiver has another problem.
        func silence(at now: MonotonicInstant) -> DeviceError? {
            switch condition {
            case .silent(let device, _): return DeviceError(.silent, device: device)
            case .open(let device, nil):
                guard !hasSentEpoch, let opened, opened + Self.silenceLimit <= now else {
                    return nil
                }
                return DeviceError(.silent, device: device)
            default: return nil
            }
        }

        /// Whether the source ended with an error before it was ever open. The next start tries
        /// again.
        var hasFailed: Bool {
            condition.hasEnded && condition.error != nil && !hasBeenOpen
        }

        /// Whether the source has ended after it was open, or without an error.
        var hasEnded: Bool { condition.hasEnded && !hasFailed }

        /// Resets the state when neither updates nor requests need the receiver. A receiver that
        /// has ended stays ended.
        mutating func forget() {
            let end = condition.hasEnded ? condition : .searching
            self = ManagedReceiver(condition: end, opened: opened)
        }
    }
}

extension LocationManagerState {
    /// The failure to report if the manager has no sources; `nil` if it has any.
    var noSource: LocationError? {
        guard sources.isEmpty else { return nil }
        return LocationError(.ended, cause: DeviceError(.noReceiver, device: "none"))
    }

    /// The effects of a start if the manager has no sources, so that all of them have ended; `nil`
    /// if it has any.
    var endWithoutSources: [Effect]? {
        noSource.map { error -> [Effect] in [.failure(error), .ended] }
    }

    /// Returns the problem that prevents all receivers from reporting a location. While a receiver
    /// is open, it is the problem of an open receiver; `nil` if an open receiver only has no fix.
    func cause(at now: MonotonicInstant) -> DeviceError? {
        let open = receivers.filter(\.condition.isOpen)
        if !open.isEmpty {
            let silences = open.compactMap { $0.silence(at: now) }
            return open.lazy.compactMap(\.condition.error).first
                ?? (silences.count == open.count ? silences.first : nil)
        }
        var cause: DeviceError?
        for (receiver, source) in zip(receivers, sources) {
            switch receiver.condition {
            case .waiting(let error), .lost(let error): cause = cause ?? error
            case .ended(let ending):
                cause = cause ?? ending.error ?? DeviceError(.ended, device: source.name)
            case .open, .silent, .searching: break
            }
        }
        // Without a cause, the error would suggest the antenna, but no device is open yet.
        return cause ?? sources.first.map { DeviceError(.notOpened, device: $0.name) }
    }

    /// Sets the authorization status if it is not determined yet. Returns effects that report the
    /// change.
    mutating func determineAuthorization(_ status: AuthorizationStatus) -> [Effect] {
        authorizationStatus == .notDetermined ? authorize(status) : []
    }

    /// Whether any receiver is open.
    var hasOpen: Bool { receivers.contains(where: \.condition.isOpen) }

    /// Whether any open receiver has a fix and no problem, so that locations continue.
    var hasFix: Bool {
        receivers.contains { $0.condition.isOpen && $0.condition.error == nil && $0.hasFix }
    }
}
