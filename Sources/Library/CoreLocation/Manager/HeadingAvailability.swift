// SPDX-License-Identifier: MIT
import Synchronization

/// Whether a receiver of this program has a compass.
///
/// The result is `true` until heading updates have run for `timeout` without a heading. As soon as
/// a heading has been received, the result is `true` and stays so.
enum HeadingAvailability {
    /// The time in seconds after the start of heading updates at which a missing heading is
    /// reported.
    static let timeout = 60.0

    private static let isKnown = Atomic(false)
    private static let isMissing = Atomic(false)

    static var isAvailable: Bool {
        isKnown.load(ordering: .relaxed) || !isMissing.load(ordering: .relaxed)
    }

    static func didReceiveHeading() { isKnown.store(true, ordering: .relaxed) }

    static func didTimeOut() { isMissing.store(true, ordering: .relaxed) }
}
