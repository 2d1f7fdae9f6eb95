// SPDX-License-Identifier: MIT
import Dispatch

/// Determines whether the calling code runs on the main queue or the main actor.
///
/// `Thread.isMainThread` is not sufficient, because it is false with `dispatchMain()` and with an
/// `async` main.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Whether the calling code runs on the main queue or the main actor.
    package static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }

    /// Runs a closure now if the calling code runs on the main queue; otherwise, soon on that queue.
    static func perform(_ body: @escaping @Sendable () -> Void) {
        if isCurrent { body() } else { DispatchQueue.main.async(execute: body) }
    }
}
