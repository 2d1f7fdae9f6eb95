// SPDX-License-Identifier: MIT
import GNSS

/// Fixes that have not been handed over, and what the views of their epochs take from them.
struct CompleteFixes: Equatable, Sendable {
    private struct Epoch: Equatable {
        /// The satellites that the fix uses.
        var used: SatelliteIDSet
        /// Whether a complete view of an earlier epoch comes before it.
        var isAfterView: Bool
        /// Whether its epoch is over.
        var isAtEnd: Bool
    }

    // Apart, since each copy of a fix moves half a kilobyte.
    private var fixes: [Fix] = []
    private var epochs: [Epoch] = []

    init() {
        fixes.reserveCapacity(4)
        epochs.reserveCapacity(4)
    }

    var isEmpty: Bool { fixes.isEmpty }

    /// Adds a fix that is completed by `complete`, in its place.
    @inline(__always)
    mutating func append(
        _ fix: Fix, using used: SatelliteIDSet, after isAfterView: Bool, isAtEnd: Bool,
        _ complete: (inout Fix) -> Void
    ) {
        fixes.append(fix)
        complete(&fixes[fixes.count - 1])
        epochs.append(Epoch(used: used, isAfterView: isAfterView, isAtEnd: isAtEnd))
    }

    /// Adds the attitude of an instrument: a fix with nothing else.
    mutating func append(_ attitude: Attitude) {
        append(Fix(), using: SatelliteIDSet(), after: false, isAtEnd: false) {
            $0.attitude = attitude
        }
    }

    mutating func removeFirst(_ satellites: inout SatelliteTracker) -> Fix? {
        guard !fixes.isEmpty else { return nil }
        describe(0, &satellites)
        epochs.removeFirst()
        return fixes.removeFirst()
    }

    /// Hands over the fixes in order. The view is given what belongs to the epoch of each.
    mutating func take(
        _ satellites: inout SatelliteTracker,
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void
    ) {
        for index in fixes.indices {
            if epochs[index].isAfterView, satellites.takeRenewal(waitingForFix: false) {
                handleView(satellites.view)
            }
            describe(index, &satellites)
            handle(fixes[index], satellites.view)
            if epochs[index].isAtEnd, satellites.takeLostFix(at: fixes[index].time) {
                handleView(satellites.view)
            }
        }
        fixes.removeAll(keepingCapacity: true)
        epochs.removeAll(keepingCapacity: true)
    }

    private func describe(_ index: Int, _ satellites: inout SatelliteTracker) {
        satellites.describeEpoch(
            used: epochs[index].used, fixes[index].dilution, hasFix: fixes[index].mode > .noFix)
        satellites.dateLists(fixes[index].time)
    }
}
