// SPDX-License-Identifier: MIT
import Delegation

/// An object whose deinit comes back to what held it, through what it was given.
final class Returning: PanelDelegate, Sendable {
    private let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

    deinit { onDeinit() }
}

/// Runs nothing: what it is given to run is released at once.
struct NeverExecutor: CallbackExecutor {
    func execute(_ work: @escaping @Sendable () -> Void) {}
}
