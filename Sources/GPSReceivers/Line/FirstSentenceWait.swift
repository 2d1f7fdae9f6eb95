// SPDX-License-Identifier: MIT
import GNSS

/// The state while waiting for the first valid sentence of a live source.
struct FirstSentenceWait {
    static let limit = Duration.seconds(5)
    let deadline: MonotonicInstant
    var byteCount = 0
}
