// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// The values that all messages with a whole solution have in common.
struct NavigationSolution {
    var fixType: UBXFixType
    var isFixOK: Bool
    var isDifferential: Bool
    var carrierSolution = UBXCarrierSolution.none

    /// The dimensions of the fix; `nil` if the receiver has none.
    var mode: FixMode? {
        guard isFixOK else { return nil }
        switch fixType {
        case .twoD: return .twoD
        // A timing receiver's position was surveyed in three dimensions.
        case .deadReckoning, .threeD, .combined, .timeOnly: return .threeD
        default: return nil
        }
    }

    private var quality: FixQuality {
        switch (carrierSolution, fixType) {
        case (.fixed, _): .rtkFixed
        case (.float, _): .rtkFloat
        case (_, .deadReckoning): .estimated
        case (_, .timeOnly): .manual
        default: isDifferential ? .differential : .autonomous
        }
    }

    /// Records whether there is a fix, with its dimensions and quality; returns `false` if there is
    /// none.
    func report(to epoch: inout Epoch) -> Bool {
        guard let mode else {
            epoch.reportNoFix()
            return false
        }
        epoch.reportFix(mode)
        epoch.fill(quality: quality)
        return true
    }
}

extension Epoch {
    /// Sets the magnetic variation; numbers that are not an angle are ignored.
    mutating func refine(magneticVariation: Double?) {
        guard let magneticVariation, abs(magneticVariation) <= 180 else { return }
        refine(\.magneticVariation, magneticVariation)
    }
}

/// A velocity over ground, in metres per second.
struct GroundVelocity {
    var speed: Double
    /// Degrees from true north.
    var course: Double
    var down: Double
    /// One sigma.
    var speedAccuracy: Double
    /// Degrees, one sigma; 180 if the course is unknown.
    var courseAccuracy: Double

    /// Metres per second; no satellite in orbit is faster.
    private static let range = 0...10_000.0

    /// Sets speed, course and climb. A speed that cannot be is ignored with all of them.
    func contribute(to epoch: inout Epoch) {
        guard Self.range.contains(speed) else { return }
        epoch.refine(\.speed, speed)
        epoch.refine(\.climb, -down)
        epoch.refine(\.accuracy.speed, speedAccuracy)
        guard courseAccuracy < 180 else { return }
        epoch.refine(\.course, course.wrappedDegrees)
        epoch.refine(\.accuracy.course, courseAccuracy)
    }
}
