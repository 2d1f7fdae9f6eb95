// SPDX-License-Identifier: MIT
package import GPSIO

extension Poller {
    /// A poller whose clock stands still, so that no wait reaches its deadline. It runs until the
    /// process ends.
    package static let standing = Poller(clock: SteppedClock())
}
