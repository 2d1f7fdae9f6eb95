// SPDX-License-Identifier: MIT
import Synchronization

/// The seconds since the start, for the clock of a session.
final class Elapsed: Sendable {
    private let value = Mutex(0.0)

    var seconds: Double {
        get { value.withLock { $0 } }
        set { value.withLock { $0 = newValue } }
    }
}
