// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import Synchronization

extension ManagerEngine {
    private static let sharedAuthorization = Mutex(Authorization())

    /// The authorization status of the configured receiver. All managers that read this receiver
    /// share the status.
    static var sharedAuthorizationStatus: CLAuthorizationStatus {
        sharedAuthorization.withLock { $0.status }
    }

    var authorizationStatus: CLAuthorizationStatus { changeAuthorization { _ in }.new }

    /// Changes the authorization of this engine's receiver, which all engines share if it is the
    /// configured receiver. Returns the status before and after the change.
    @discardableResult
    private func changeAuthorization(
        _ change: (inout Authorization) -> Void
    ) -> (old: CLAuthorizationStatus, new: CLAuthorizationStatus) {
        func changed(_ authorization: inout Authorization) -> (
            CLAuthorizationStatus, CLAuthorizationStatus
        ) {
            let old = authorization.status
            change(&authorization)
            return (old, authorization.status)
        }
        return hasOwnSource
            ? ownAuthorization.withLock { changed(&$0.authorization) }
            : Self.sharedAuthorization.withLock { changed(&$0) }
    }

    /// Reports the authorization to a newly assigned delegate, unless another delegate is assigned
    /// before the call.
    func reportAuthorization() {
        let assigned = delegate.map { ObjectIdentifier($0) }
        queue.async { [weak self] in
            guard let self else { return }
            deliver { manager, delegate in
                guard ObjectIdentifier(delegate) == assigned else { return }
                let status = authorizationStatus
                ownAuthorization.withLock { $0.reported = status }
                delegate.locationManagerDidChangeAuthorization(manager)
            }
        }
    }

    /// Stores the requested authorization, and determines in the background whether the receiver
    /// may be opened if that is not known. Reports the status to the delegate if it changes.
    func requestAuthorization(_ request: Authorization.Request) {
        let (old, new) = changeAuthorization { $0.request = max($0.request, request) }
        guard old == .notDetermined else {
            if new != old { queue.async { [weak self] in self?.reportStatus() } }
            return
        }
        let isFirst = !ownAuthorization.withLock { exchange(&$0.isBeingDetermined, with: true) }
        guard isFirst else { return }
        let source = source
        // The check queries udev, which takes milliseconds, so it runs in the background.
        DispatchQueue.global().async { [weak self] in
            let permission = ReceiverAccess.permission(of: source)
            self?.queue.async { [weak self] in
                guard let self else { return }
                ownAuthorization.withLock { $0.isBeingDetermined = false }
                if ownAuthorization.withLock({ $0.reported }) == .notDetermined {
                    didDetermine(permission)
                }
            }
        }
    }

    func locationManagerDidChangeAuthorization(_ core: LocationManager) {
        switch core.authorizationStatus {
        case .notDetermined: break
        case .denied: didDetermine(.denied)
        case .authorizedAlways: didDetermine(.granted)
        }
    }

    /// Stores a permission, and reports the status to the delegate if it has changed. Use it only
    /// on `queue`.
    func didDetermine(_ permission: Authorization.Permission) {
        changeAuthorization { $0.permission = permission }
        reportStatus()
    }

    private func reportStatus() {
        let status = authorizationStatus
        let isChange = ownAuthorization.withLock { exchange(&$0.reported, with: status) != status }
        if isChange { deliver { $1.locationManagerDidChangeAuthorization($0) } }
    }
}

/// The state of an engine's authorization.
struct AuthorizationState: Sendable {
    /// The authorization of a receiver that was given to the manager. For the configured receiver,
    /// `ManagerEngine.sharedAuthorization` is used instead.
    var authorization = Authorization()
    /// The status last reported to the delegate.
    var reported = CLAuthorizationStatus.notDetermined
    /// Whether a background check of the permission is running.
    var isBeingDetermined = false
}
