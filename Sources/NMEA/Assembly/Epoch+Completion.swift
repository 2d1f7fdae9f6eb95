// SPDX-License-Identifier: MIT
import GNSS

extension Epoch {
    /// The dimensions of the complete fix.
    var mode: FixMode { fix.coordinate == nil ? .noFix : evidence.mode }

    /// Completes the fix, of which `fix` is a copy; its time and the satellites in view are the
    /// assembler's to add.
    ///
    /// It changes nothing of the epoch; one that is not `mutating` is given a copy of it.
    mutating func complete(_ fix: inout Fix, assuming rangeError: RangeError) {
        let mode = mode
        if mode == .noFix {
            let time = fix.timeOfDay
            fix = fix.withoutPosition
            fix.timeOfDay = time
        }
        // Many receivers count to twelve only, or one constellation's; those named are used too.
        if !satellitesUsed.isEmpty {
            fix.satellitesUsed = max(satellitesUsed.count, fix.satellitesUsed ?? 0)
        }
        guard mode > .noFix else { return }
        fix.mode = mode
        if fix.quality == .invalid { fix.quality = .autonomous }
        if let altitude = fix.altitude, let separation = fix.geoidSeparation {
            fix.ellipsoidalAltitude = altitude + separation
        }
        fix.accuracy = accuracy(of: fix, assuming: rangeError)
        if fix.standardDeviation.isEmpty { fix.standardDeviation = errors.expectedError }
    }

    /// The first of GST, GBS, the receiver's own and DOP that is known.
    @inline(__always)  // A call takes a copy of the fix.
    private func accuracy(of fix: Fix, assuming rangeError: RangeError) -> Accuracy {
        var accuracy = Accuracy()
        let range = rangeError.assumed(for: fix.quality)
        let (sigma, expected, own) = (
            fix.standardDeviation, errors.expectedError, errors.receiverAccuracy
        )
        if let horizontal = sigma.horizontal {
            accuracy.horizontal = Accuracy.planeFactor * horizontal
            accuracy.source = .standardDeviations
        } else if let horizontal = expected.horizontal {
            accuracy.horizontal = Accuracy.planeFactor * horizontal
            accuracy.source = .expectedErrors
        } else if let horizontal = own.horizontal {
            accuracy.horizontal = horizontal
            accuracy.source = .receiver
        } else if let range, let hdop = fix.dilution.hdop {
            accuracy.horizontal = Accuracy.planeFactor * hdop * range
            accuracy.source = .dilution
        }
        guard fix.mode == .threeD else { return accuracy }
        accuracy.vertical = sigma.altitude ?? expected.altitude ?? own.vertical
        if accuracy.vertical == nil, let range, let vdop = fix.dilution.vdop {
            accuracy.vertical = vdop * range
        }
        return accuracy
    }
}

extension StandardDeviation {
    fileprivate var isEmpty: Bool { horizontal == nil && altitude == nil }
}
