// SPDX-License-Identifier: MIT
import GNSS

/// Counts of fixes and their kinds.
package struct FixCounts: Sendable {
    /// All fixes, including those without a position.
    package private(set) var fixes = 0
    /// Fixes with a position.
    package var positions = 0
    /// Fixes with a position that are simulated, by the source or by the receiver.
    package private(set) var simulated = 0
    /// Whether any data is simulated, recorded, or of unknown origin.
    package private(set) var origins = (
        isSimulated: false, isReplayed: false, isUnknown: false
    )
    /// Fixes with a position and an altitude.
    package private(set) var threeD = 0
    /// Fixes with a position, by quality.
    package private(set) var qualities = [Int](repeating: 0, count: FixQuality.allCases.count)
    /// Fixes with a speed, and those faster than a receiver at rest reports.
    package private(set) var speeds = (reported: 0, moving: 0)
    /// The first and the last time, on the best scale available.
    package private(set) var span: (first: FixTime, last: FixTime)?

    /// The speed in metres per second that a receiver at rest seldom exceeds.
    private static let standstill = 0.5

    mutating func add(_ fix: Fix, _ origin: DataOrigin) {
        fixes += 1
        let isSimulated = origin == .simulated || fix.quality == .simulated
        if isSimulated { origins.isSimulated = true }
        if origin == .replay { origins.isReplayed = true }
        guard fix.mode > .noFix, fix.coordinate?.isValid == true else { return }
        if origin == .unknown { origins.isUnknown = true }
        if isSimulated { simulated += 1 }
        if fix.mode == .threeD { threeD += 1 }
        qualities[Int(fix.quality.rawValue)] += 1
        guard let speed = fix.speed else { return }
        speeds.reported += 1
        if speed > Self.standstill { speeds.moving += 1 }
    }

    mutating func note(_ moment: FixTime) {
        guard let span, span.first.scale >= moment.scale else {
            return span = (moment, moment)
        }
        guard span.first.scale == moment.scale else { return }
        let isFirst = moment.nanoseconds < span.first.nanoseconds
        let isLast = moment.nanoseconds > span.last.nanoseconds
        self.span = (isFirst ? moment : span.first, isLast ? moment : span.last)
    }

    /// Whether the receiver moved: more than one in twenty speeds was higher than at rest. `nil` if
    /// no speed was reported.
    package var isMoving: Bool? {
        speeds.reported == 0 ? nil : speeds.moving * 20 > speeds.reported
    }
}
