// SPDX-License-Identifier: MIT
package import GNSS

/// The mean and the maximum speed over ground for each course.
package struct SpeedByCourse: Sendable {
    /// The number of sectors. Each covers ten degrees; the first one is centred on north.
    package static let sectors = 36
    /// The minimum speed, in metres per second, at which a course is meaningful.
    private static let standstill = 0.5

    /// The speeds in one sector of courses, in metres per second.
    package struct Sector: Hashable, Sendable {
        package private(set) var greatest = 0.0
        private var sum = 0.0
        package private(set) var count = 0

        package var mean: Double { count > 0 ? sum / Double(count) : 0 }

        fileprivate mutating func add(_ speed: Double) {
            greatest = max(greatest, speed)
            sum += speed
            count += 1
        }
    }

    package private(set) var all = [Sector](repeating: Sector(), count: sectors)

    /// Whether no fix had both a course and a sufficient speed.
    package var isEmpty: Bool { all.allSatisfy { $0.count == 0 } }

    package mutating func add(_ fix: Fix) {
        guard let speed = fix.speed, let course = fix.course, speed >= Self.standstill,
            speed < 1e5, course.isFinite
        else { return }
        let fraction = course / 360 - (course / 360).rounded(.down)
        all[Int((fraction * Double(Self.sectors)).rounded()) % Self.sectors].add(speed)
    }
}
