// SPDX-License-Identifier: MIT
import Delegation

/// An object that runs a closure in its deinit.
final class Returning: PanelDelegate, Sendable {
    private let onDeinit: @Sendable () -> Void

    init(_ onDeinit: @escaping @Sendable () -> Void) { self.onDeinit = onDeinit }

    deinit { onDeinit() }
}

/// Releases its closures without running them.
struct NeverExecutor: CallbackExecutor {
    func execute(_ work: @escaping @Sendable () -> Void) {}
}
