// SPDX-License-Identifier: MIT
package import GNSS

/// Decides which fixes' time is good enough for the system's clock.
///
/// Three valid fixes in a row come first; a fix without a position, a date that may be a multiple of
/// 1024 weeks off, or anything simulated begins anew.
package struct ClockFilter: Sendable {
    private static let needed = 3

    private var validCount = 0

    /// Creates a filter that has seen nothing.
    package init() {}

    /// The fix's time in nanoseconds since 1970, where it may be used.
    package mutating func time(of fix: Fix) -> Int64? {
        guard let time = fix.time, fix.mode > .noFix, isMeasured(fix), !fix.isDateSuspect,
            fix.receivedDate == nil
        else {
            validCount = 0
            return nil
        }
        validCount += 1
        return validCount > Self.needed ? time.unixNanoseconds : nil
    }

    /// Begins anew, as behind a loss of the device.
    package mutating func reset() {
        validCount = 0
    }

    private func isMeasured(_ fix: Fix) -> Bool {
        switch fix.quality {
        case .invalid, .estimated, .manual, .simulated: false
        default: true
        }
    }
}
