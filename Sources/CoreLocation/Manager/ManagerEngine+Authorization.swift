// SPDX-License-Identifier: MIT
import Dispatch
import GPSBridge
import Synchronization

extension ManagerEngine {
    private static let sharedAuthorization = Mutex(Authorization())

    /// The status of the configured receiver, which all managers share.
    static var sharedAuthorizationStatus: CLAuthorizationStatus {
        sharedAuthorization.withLock { $0.status }
    }

    var authorizationStatus: CLAuthorizationStatus { changeAuthorization { _ in }.new }

    /// Changes the authorization of this engine's receiver; returns the status before and after.
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

    /// Makes the first call to a newly assigned delegate.
    func reportAuthorization() {
        let assigned = delegate.map { ObjectIdentifier($0) }
        call { manager, delegate in
            guard ObjectIdentifier(delegate) == assigned else { return }
            delegate.locationManagerDidChangeAuthorization(manager)
        }
    }

    /// Checks the permission to open the receiver if it is not known; otherwise the request only
    /// changes the kind of authorization.
    func requestAuthorization(_ request: Authorization.Request) {
        let (old, new) = changeAuthorization { $0.request = max($0.request, request) }
        guard old == .notDetermined else {
            if new != old { queue.async { [weak self] in self?.reportStatus() } }
            return
        }
        let isFirst = ownAuthorization.withLock { own in
            defer { own.isBeingDetermined = true }
            return !own.isBeingDetermined
        }
        guard isFirst else { return }
        let source = source
        // In the background, since a query of udev takes milliseconds.
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
        guard core === existingManager else { return }
        switch core.authorizationStatus {
        case .notDetermined: break
        case .denied: didDetermine(.denied)
        case .authorizedAlways: didDetermine(.granted)
        }
    }

    /// Stores a permission and reports a change; called on the queue.
    func didDetermine(_ permission: Authorization.Permission) {
        changeAuthorization { $0.permission = permission }
        reportStatus()
    }

    private func reportStatus() {
        let status = authorizationStatus
        let isChange = ownAuthorization.withLock { own in
            defer { own.reported = status }
            return own.reported != status
        }
        if isChange { deliver { $1.locationManagerDidChangeAuthorization($0) } }
    }
}

/// An engine's authorization, and the status last reported to the delegate.
struct AuthorizationState: Sendable {
    /// The authorization for the engine's own receiver; not used for the configured one, which
    /// engines share.
    var authorization = Authorization()
    /// The status last reported to the delegate.
    var reported = CLAuthorizationStatus.notDetermined
    var isBeingDetermined = false
}
