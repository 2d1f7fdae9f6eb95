// SPDX-License-Identifier: MIT
import GNSS

/// Counts fixes by origin, dimensions, quality and speed.
package struct FixCounts: Sendable {
    /// The number of all fixes, including those without a position.
    package private(set) var fixes = 0
    /// The number of fixes with a position.
    package var positions = 0
    /// The number of simulated fixes with a position. The source or the receiver marks them as
    /// simulated.
    package private(set) var simulated = 0
    /// Whether any fix was simulated, whether any was replayed from a recording, and whether any
    /// fix with a position was of unknown origin.
    package private(set) var origins = (
        isSimulated: false, isReplayed: false, isUnknown: false
    )
    /// The number of 3D fixes.
    package private(set) var threeD = 0
    /// The number of fixes with a position, indexed by the raw value of their quality.
    private var qualityCounts = [Int](repeating: 0, count: FixQuality.allCases.count)
    /// The number of fixes with a speed, and the number of those that are faster than `standstill`.
    package private(set) var speeds = (reported: 0, moving: 0)
    /// The earliest and the latest time; `nil` before the first fix with a position. If some times
    /// include a date, times without a date are ignored.
    package private(set) var span: (first: FixTime, last: FixTime)?

    /// The speed in metres per second above which a receiver counts as moving. A receiver at rest
    /// seldom reports more.
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
        qualityCounts[Int(fix.quality.rawValue)] += 1
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

    /// The qualities of fixes with a position, with the number of these fixes.
    package var qualities: [(quality: FixQuality, count: Int)] {
        FixQuality.allCases.map { ($0, qualityCounts[Int($0.rawValue)]) }.filter { $0.1 > 0 }
    }

    /// Whether the receiver moved: more than one in twenty of its speeds exceeds `standstill`.
    /// `nil` if no speed was reported.
    package var isMoving: Bool? {
        speeds.reported == 0 ? nil : speeds.moving * 20 > speeds.reported
    }
}
