// SPDX-License-Identifier: MIT
import Delegation
import Dispatch
import GPSReceivers
import Glibc
import Synchronization

/// The receiver and settings of a manager that `CLLocationManager(source:queue:)` creates, until
/// `CLLocationManager.init()` takes them.
///
/// That initializer calls `init()`, which a subclass may override. So the arguments cannot be
/// passed on. They are stored for the calling thread instead, so that the manager has its receiver
/// before the rest of the override uses it.
struct PendingReceiver: Sendable {
    /// The class of the new manager. An override of `init()` may create managers of other classes
    /// before it calls `super.init()`.
    let managerClass: ObjectIdentifier
    let source: any DeviceSource
    let queue: DispatchQueue?
    let headingTimeout: Double
    let accuracyTimeout: Duration

    /// The values by thread.
    private static let stored = Mutex<[UInt: PendingReceiver]>([:])

    /// Stores the value of the calling thread. Returns the value that it replaces.
    static func replace(with new: PendingReceiver?) -> PendingReceiver? {
        let thread = UInt(pthread_self())
        return stored.withLock { exchange(&$0[thread], with: new) }
    }

    /// Removes and returns the value of the calling thread; `nil` if there is none for a manager of
    /// this class.
    static func take(for managerClass: AnyClass) -> PendingReceiver? {
        let thread = UInt(pthread_self())
        return stored.withLock { stored in
            guard stored[thread]?.managerClass == ObjectIdentifier(managerClass) else { return nil }
            return stored.removeValue(forKey: thread)
        }
    }
}
