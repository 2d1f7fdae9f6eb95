// SPDX-License-Identifier: MIT
import GNSS

/// Complete fixes that have not been delivered yet, and the data that each passes to the satellite view.
struct CompleteFixes: Equatable, Sendable {
    private struct Entry: Equatable {
        var fix: Fix
        /// The satellites that the fix uses.
        var used: SatelliteIDSet
        /// Whether a complete view of an earlier epoch is delivered before the fix.
        var isAfterView: Bool
        /// Whether the epoch of the fix is over.
        var isAtEnd: Bool
    }

    private var entries: [Entry] = []

    init() {
        entries.reserveCapacity(4)
    }

    var isEmpty: Bool { entries.isEmpty }

    /// Adds a fix that `complete` completes in place: each copy would move half a kilobyte.
    @inline(__always)
    mutating func append(
        _ fix: Fix, using used: SatelliteIDSet, after isAfterView: Bool, isAtEnd: Bool,
        _ complete: (inout Fix) -> Void
    ) {
        let index = entries.count
        entries.append(Entry(fix: fix, used: used, isAfterView: isAfterView, isAtEnd: isAtEnd))
        complete(&entries[index].fix)
    }

    /// Adds the attitude of an instrument as a fix without other values.
    mutating func append(_ attitude: Attitude) {
        append(Fix(), using: SatelliteIDSet(), after: false, isAtEnd: false) {
            $0.attitude = attitude
        }
    }

    mutating func removeFirst(_ satellites: inout SatelliteTracker) -> Fix? {
        guard !entries.isEmpty else { return nil }
        describe(0, &satellites)
        return entries.removeFirst().fix
    }

    /// Delivers the fixes in order. For each fix, the view receives the data of its epoch.
    mutating func take(
        _ satellites: inout SatelliteTracker,
        _ handle: (borrowing Fix, borrowing SatelliteView) -> Void,
        view handleView: (borrowing SatelliteView) -> Void
    ) {
        for index in entries.indices {
            if entries[index].isAfterView, satellites.takeRenewal(waitingForFix: false) {
                handleView(satellites.view)
            }
            describe(index, &satellites)
            handle(entries[index].fix, satellites.view)
            if entries[index].isAtEnd, satellites.takeLostFix(at: entries[index].fix.time) {
                handleView(satellites.view)
            }
        }
        entries.removeAll(keepingCapacity: true)
    }

    private func describe(_ index: Int, _ satellites: inout SatelliteTracker) {
        satellites.describeEpoch(
            used: entries[index].used, entries[index].fix.dilution,
            hasFix: entries[index].fix.mode > .noFix)
        satellites.setListTime(entries[index].fix.time)
    }
}
