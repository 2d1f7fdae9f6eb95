// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSBridge
import Synchronization

extension ManagerEngine {
    private static let sharedAuthorization = Mutex(Authorization())
    /// Sent after each change of the configured receiver's status.
    private static let statusChanges = Event<Void>()

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
        hasOwnSource
            ? ownAuthorization.withLock { $0.authorization.change(change) }
            : Self.changeSharedAuthorization(change)
    }

    /// Changes the authorization of the configured receiver. If this changes the status, all
    /// engines that read the receiver report it. Returns the status before and after the change.
    @discardableResult
    private static func changeSharedAuthorization(
        _ change: (inout Authorization) -> Void
    ) -> (old: CLAuthorizationStatus, new: CLAuthorizationStatus) {
        let status = sharedAuthorization.withLock { $0.change(change) }
        if status.new != status.old { statusChanges.send(()) }
        return status
    }

    /// Stores whether the configured receiver may be opened.
    static func didDetermineShared(_ permission: Authorization.Permission) {
        changeSharedAuthorization { $0.permission = permission }
    }

    /// Stores the status of a manager that reads the configured receiver.
    static func didChangeShared(_ status: AuthorizationStatus) {
        if let permission = Authorization.Permission(status) { didDetermineShared(permission) }
    }

    /// Starts to report changes of the configured receiver's authorization status, including those
    /// that other managers cause. Reports end when the result is released.
    func followSharedAuthorization() -> ScopedSubscription {
        Self.statusChanges.observe { [weak self] in
            self?.queue.async { [weak self] in self?.reportStatus() }
        }.scoped
    }

    /// Reports the authorization to a newly assigned delegate, unless another delegate is assigned
    /// before the call. Checks again whether the receiver may be opened if only a check has found
    /// that it may not.
    func reportAuthorization() {
        let assigned = delegate.map { ObjectIdentifier($0) }
        queue.async { [weak self] in
            guard let self else { return }
            checkPermission(after: [.unreadable])
            deliver { manager, delegate in
                guard ObjectIdentifier(delegate) == assigned else { return }
                let status = authorizationStatus
                ownAuthorization.withLock { $0.reported = status }
                delegate.locationManagerDidChangeAuthorization(manager)
            }
        }
    }

    /// Stores the requested authorization. If it is not known whether the receiver may be opened,
    /// or only a check has found that it may not, checks this. Reports the status to the delegate
    /// if it changes.
    ///
    /// The check takes milliseconds. It is not made in the background, because programs read the
    /// status directly after the request: on Apple's systems, it is known from an earlier run.
    func requestAuthorization(_ request: Authorization.Request) {
        changeAuthorization { $0.request = max($0.request, request) }
        checkPermission(after: [.unknown, .unreadable])
        queue.async { [weak self] in self?.reportStatus() }
    }

    /// Checks whether the receiver may be opened if the permission is one of `permissions`. Stores
    /// the result. Writes the remedy to standard error when it is first denied, because no error is
    /// reported to the delegate.
    private func checkPermission(after permissions: Set<Authorization.Permission>) {
        guard permissions.contains(permission) else { return }
        let refusal = ReceiverAccess.refusal(of: source)
        let new: Authorization.Permission = refusal == nil ? .granted : .unreadable
        var isChange = false
        changeAuthorization { authorization in
            guard permissions.contains(authorization.permission) else { return }
            isChange = exchange(&authorization.permission, with: new) != new
        }
        if isChange, let refusal { ConfiguredReceiver.report("\(refusal)") }
    }

    private var permission: Authorization.Permission {
        hasOwnSource
            ? ownAuthorization.withLock { $0.authorization.permission }
            : Self.sharedAuthorization.withLock { $0.permission }
    }

    func locationManagerDidChangeAuthorization(_ core: LocationManager) {
        if let permission = Authorization.Permission(core.authorizationStatus) {
            didDetermine(permission)
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
}
