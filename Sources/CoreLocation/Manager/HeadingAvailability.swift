// SPDX-License-Identifier: MIT
import Synchronization

/// Whether this program's receivers have a compass, as far as known.
///
/// Only a received heading proves that there is a compass. One is assumed until heading updates
/// have run for `timeout` without a heading.
enum HeadingAvailability {
    /// The seconds of heading updates without a heading after which that is reported.
    static let timeout = 60.0

    private static let isKnown = Atomic(false)
    private static let isMissing = Atomic(false)

    static var isAvailable: Bool {
        isKnown.load(ordering: .relaxed) || !isMissing.load(ordering: .relaxed)
    }

    static func didReceiveHeading() { isKnown.store(true, ordering: .relaxed) }

    static func didTimeOut() { isMissing.store(true, ordering: .relaxed) }
}
