// SPDX-License-Identifier: MIT
public import GNSS

extension Epoch {
    /// The receiver's estimates of its error that `Fix` does not contain.
    public struct ReportedErrors: Hashable, Sendable {
        /// The one-sigma errors from GBS.
        public var expectedError = StandardDeviation()
        /// The 68 % accuracy from a UBX message or a proprietary sentence.
        public var receiverAccuracy = Accuracy()
    }

    struct ReportedDate: Equatable {
        var date: CalendarDate
        /// The time of the sentence that reported the date. The time of another sentence may
        /// already belong to the next day.
        var time: TimeOfDay?
        /// Whether later epochs may use the date. They may not if a sentence with the status void
        /// (`V`) reported it.
        var isTrusted: Bool
        /// Whether later epochs may use the date only if this epoch is not void. ZDA has no status.
        var needsFix: Bool
        /// Whether the assembler has not used the date yet.
        var isNew: Bool
    }

    /// Returns whether a date may be real. Receivers that do not know the date report a day in
    /// January 1980, or in January of an earlier year.
    package static func isPlausible(_ date: CalendarDate) -> Bool {
        date.year > 1980 || date.month > 1
    }

    /// The dimensions of the fix according to `evidence`; `.noFix` without a position.
    var mode: FixMode { fix.coordinate == nil ? .noFix : evidence.mode }

    /// Whether later epochs may use the epoch's date, according to the sentences received so far;
    /// `true` without a date.
    @inline(__always)  // A call would copy the epoch.
    var isDateTrusted: Bool {
        guard let date else { return true }
        return date.isTrusted && (!date.needsFix || evidence.mode > .noFix)
    }

    /// The fraction of a second in the time of the epoch.
    @inline(__always)  // A call would copy the epoch.
    var phase: CyclePhase { CyclePhase(fix.timeOfDay?.nanosecond) }

    /// Returns whether a sentence reports a different date than this epoch; `false` unless both
    /// dates are known and trusted.
    @inline(never)
    func isOnDifferentDay(from sentence: some Sentence) -> Bool {
        var other = Epoch()
        sentence.contribute(to: &other)
        return other.date?.isTrusted == true && isOnDifferentDay(from: other.date?.date)
    }

    /// Returns whether the epoch's date differs from `other`; `false` if either date is unknown, or
    /// if the epoch's date is not trusted.
    func isOnDifferentDay(from other: CalendarDate?) -> Bool {
        guard let other, let date, date.isTrusted else { return false }
        return date.date != other
    }

    /// Completes `fix`, a copy of the epoch's fix: sets mode, quality, ellipsoidal altitude and
    /// accuracy. Without a fix, it removes the position.
    ///
    /// The assembler adds the time and the satellites in view. This method does not change the
    /// epoch. It is `mutating` because a nonmutating method would receive a copy of the epoch.
    mutating func complete(_ fix: inout Fix, assuming rangeError: RangeError) {
        let mode = mode
        if mode == .noFix {
            let time = fix.timeOfDay
            fix = fix.withoutPosition
            fix.timeOfDay = time
        }
        // Many receivers count at most twelve satellites, or only those of one constellation. The
        // list of used satellites is more accurate.
        if !satellitesUsed.isEmpty {
            fix.satellitesUsed = max(satellitesUsed.count, fix.satellitesUsed ?? 0)
        }
        guard mode > .noFix else { return }
        fix.mode = mode
        if fix.quality == .invalid { fix.quality = .autonomous }
        // gpsd's sentences of a binary receiver count 0 satellites before the first list of them, and
        // programs without the number write 00, because many readers need one.
        // Dead reckoning and an entered position use none.
        if fix.satellitesUsed == 0, fix.quality != .estimated, fix.quality != .manual {
            fix.satellitesUsed = nil
        }
        if let altitude = fix.altitude, let separation = fix.geoidSeparation {
            fix.ellipsoidalAltitude = altitude + separation
        }
        fix.accuracy = accuracy(of: fix, assuming: rangeError)
        if fix.standardDeviation.isEmpty { fix.standardDeviation = errors.expectedError }
    }

    /// Returns the accuracy from the best source that is known. In order of preference, these are
    /// GST, the accuracy in UBX, GBS, the accuracy in a proprietary sentence, and the DOP times the
    /// assumed range error.
    ///
    /// A deviation of 0 counts as unknown: with one decimal, it is an error of less than 5 cm.
    @inline(__always)  // A call would copy the fix.
    private func accuracy(of fix: Fix, assuming rangeError: RangeError) -> Accuracy {
        var accuracy = fix.accuracy
        let range = rangeError.assumed(for: fix.quality)
        let (sigma, own) = (fix.standardDeviation, errors.receiverAccuracy)
        let expected =
            isRefined && own.horizontal != nil ? StandardDeviation() : errors.expectedError
        if let horizontal = sigma.horizontal, horizontal > 0 {
            accuracy.horizontal = Accuracy.planeFactor * horizontal
            accuracy.source = .standardDeviations
        } else if let horizontal = expected.horizontal, horizontal > 0 {
            accuracy.horizontal = Accuracy.planeFactor * horizontal
            accuracy.source = .expectedErrors
        } else if let horizontal = own.horizontal {
            accuracy.horizontal = horizontal
            accuracy.source = .receiver
        } else if let spherical = own.spherical {
            accuracy.spherical = spherical
            accuracy.source = .receiver
        } else if let range, let hdop = fix.dilution.hdop {
            accuracy.horizontal = Accuracy.planeFactor * hdop * range
            accuracy.source = .dilution
        }
        guard fix.mode == .threeD else { return accuracy }
        // A binary message reports an accuracy even for an impossible altitude, which is ignored.
        if isRefined, fix.altitude == nil, fix.ellipsoidalAltitude == nil { return accuracy }
        if let vertical = sigma.altitude, vertical > 0 {
            accuracy.vertical = vertical
        } else if let vertical = expected.altitude, vertical > 0 {
            accuracy.vertical = vertical
        } else {
            accuracy.vertical = own.vertical
        }
        if accuracy.vertical == nil, let range, let vdop = fix.dilution.vdop {
            accuracy.vertical = vdop * range
        }
        return accuracy
    }
}

extension StandardDeviation {
    fileprivate var isEmpty: Bool { horizontal == nil && altitude == nil }
}

extension Coordinate {
    /// Returns whether two positions are more than a kilometre apart. Rounding cannot explain such
    /// a distance.
    @inline(__always)
    func isFar(from other: Coordinate) -> Bool {
        // Only far positions are worth the time to calculate a distance.
        guard abs(latitude - other.latitude) > 0.005 || abs(longitude - other.longitude) > 0.005
        else { return false }
        return distance(to: other) > 1000
    }
}
