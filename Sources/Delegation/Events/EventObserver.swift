// SPDX-License-Identifier: MIT
import Synchronization

/// One subscriber of an event, active until it is disposed or completed.
final class EventObserver<Payload: Sendable>: Sendable {
    let id: UInt64
    let body: @Sendable (Payload) -> Void
    let onCompletion: @Sendable () -> Void
    private let active = Atomic(true)
    private let live = LiveToken(.observers)

    init(
        id: UInt64, body: @escaping @Sendable (Payload) -> Void,
        onCompletion: @escaping @Sendable () -> Void
    ) {
        self.id = id
        self.body = body
        self.onCompletion = onCompletion
    }

    var isActive: Bool { active.load(ordering: .acquiring) }

    /// Ends delivery and returns whether this call did it.
    @discardableResult
    func deactivate() -> Bool {
        active.exchange(false, ordering: .acquiringAndReleasing)
    }
}
