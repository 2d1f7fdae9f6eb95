// SPDX-License-Identifier: MIT
import Dispatch

/// Determines whether the calling code runs on the main queue or the main actor.
///
/// `Thread.isMainThread` is not sufficient, because it is false with `dispatchMain()` and with an
/// `async` main.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isCurrent: Bool { DispatchQueue.getSpecific(key: key) == true }
}
