// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSFormats
import GPSTestTraits
import Testing

/// The selection of fixes to publish.
@Suite(.timeLimit(.generous))
struct FixRateTests {
    /// A fix a number of metres north of a place, with that accuracy.
    private func fix(
        _ metres: Double, accuracy: Double? = 2, mode: FixMode = .threeD
    ) -> Fix {
        var fix = Fix()
        fix.mode = mode
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48.2 + metres / 111_200, longitude: 16.37)
        fix.accuracy.horizontal = accuracy
        return fix
    }

    private func published(_ fixes: [Fix]) -> [Bool] {
        var rate = FixRate(onChange: true)
        return fixes.map { rate.accepts($0) }
    }

    @Test
    func `the beginning and the end of an alarm are published at once, also without a position`() {
        var selection = FixSelection()
        selection.interval = 300
        var rate = FixRate(selection, onChange: true)
        var states: [Bool] = []
        for second in 0..<8 {
            var fix = fix(0)
            if second > 2 { fix.coordinate = nil }
            if (2..<6).contains(second) { fix.integrity = Integrity(state: .alarm) }
            states.append(rate.accepts(fix))
        }
        #expect(states == [true, false, true, true, false, false, true, false])
    }

    @Test func `each warning is published at once, and its end, also without a position`() {
        var selection = FixSelection()
        selection.interval = 300
        var rate = FixRate(selection, onChange: true)
        let states: [Integrity.State] = [
            .unknown, .ok, .warning, .warning, .warning, .ok, .warning, .alarm, .warning, .ok,
        ]
        let published = states.enumerated().map { index, state in
            var fix = fix(0)
            // The position is lost during the first warning.
            if index > 3 { fix.coordinate = nil }
            fix.integrity = Integrity(state: state)
            return rate.accepts(fix)
        }
        #expect(
            published == [true, false, true, false, true, true, true, true, true, true])
    }

    @Test func `the beginning and the end of a disputed vote are published at once`() {
        var selection = FixSelection()
        selection.interval = 300
        var rate = FixRate(selection, onChange: true)
        let states: [Vote.State] = [.agreed, .agreed, .disputed, .disputed, .single, .agreed]
        let published = states.map { state in
            var fix = fix(0)
            fix.vote = Vote(state: state, winner: "bow")
            return rate.accepts(fix)
        }
        #expect(published == [true, false, true, false, true, false])
    }

    @Test func `with --on-change, a receiver at rest publishes one fix`() {
        #expect(published([0, 1, -2, 9, 3].map { fix($0) }) == [true, false, false, false, false])
    }

    @Test func `with --on-change, slow movements add up until they exceed the accuracy`() {
        #expect(
            published([0, 4, 8, 12, 16, 24].map { fix($0) })
                == [true, false, false, true, false, true])
    }

    @Test func `with --on-change, a step within the accuracy is not published`() {
        #expect(
            published([fix(0), fix(25, accuracy: 40), fix(45, accuracy: 40)])
                == [true, false, true])
    }

    @Test func `with --on-change, a different kind of fix is published, and a lost fix once`() {
        let fixes = [fix(0), fix(0, mode: .twoD), Fix(), Fix(), fix(0), fix(1)]
        #expect(published(fixes) == [true, true, true, false, true, false])
    }

    @Test func `fixes of a slow source are selected by distance and time, too`() {
        func published(_ selection: FixSelection, _ metres: [Double]) -> [Bool] {
            var rate = FixRate(selection)
            return metres.enumerated().map { index, metres in
                var fix = fix(metres)
                fix.time = UTCTime(unixNanoseconds: Int64(index) * 120_000_000_000)
                return rate.accepts(fix)
            }
        }
        var far = FixSelection()
        far.distance = 100
        #expect(published(far, [0, 10, 150, 160]) == [true, false, true, false])
        var late = FixSelection()
        late.interval = 300
        #expect(published(late, [0, 0, 0, 0]) == [true, false, false, true])
    }

    @Test func `fixes of a receiver that sends no time are selected by their reception`() {
        var selection = FixSelection()
        selection.interval = 10
        var rate = FixRate(selection)
        let start = MonotonicInstant.now
        let published = (0..<25).filter { rate.accepts(fix(0), at: start + .seconds($0)) }
        #expect(published == [0, 10, 20])
    }
}
