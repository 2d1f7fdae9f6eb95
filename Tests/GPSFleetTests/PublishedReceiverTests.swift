// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSFormats
import GPSReceivers
import GPSTestTraits
import NMEA
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

/// Which updates of a receiver are published.
@Suite(.timeLimit(.generous))
struct PublishedRowsTests {
    private let lost = ReceiverUpdate.condition(
        .lost(DeviceError(.disconnected, device: "gps")), after: .searching)

    /// An epoch a number of seconds after another one, 10 m further north for each.
    private func epoch(_ second: Int, origin: DataOrigin = .live) -> ReceiverUpdate {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: (1_774_094_400 + Int64(second)) * 1_000_000_000)
        fix.timeOfDay = fix.time?.time
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.speed = 10
        fix.course = 0
        fix.coordinate = Coordinate(latitude: 48 + Double(second) * 10 / 111_200, longitude: 16)
        return .epoch(
            ReceiverEpoch(
                fix: fix, satellites: SatelliteView(), arrival: nil, device: "gps", origin: origin))
    }

    /// Returns whether the row after each update has a position; `nil` if nothing is published.
    private func positions(_ updates: [ReceiverUpdate]) -> [Bool?] {
        var rows = PublishedRows(.serial("gps"), rate: FixRate())
        return updates.map { update in
            rows.receive(update).row.map { $0.0.fix.coordinate != nil }
        }
    }

    @Test func `a lost or silent receiver is published once, without a position`() {
        let silent = ReceiverUpdate.condition(
            .silent(device: "gps", seconds: 10), after: .searching)
        for update in [lost, silent] {
            let published = positions([epoch(0), update, lost, epoch(1), epoch(2)])
            #expect(published == [true, false, nil, true, true])
        }
    }

    @Test func `a receiver that is missing at the start is published without a position`() {
        let error = DeviceError(.permissionDenied, device: "gps")
        let waiting = ReceiverUpdate.condition(.waiting(error), after: .searching)
        #expect(positions([waiting, epoch(0)]) == [false, true])
    }

    @Test func `a live source that ends is published without a position, and a recording is not`() {
        let ended = ReceiverUpdate.condition(
            .ended(ReceiverCondition.Ending(Statistics(), nil)), after: .searching)
        #expect(positions([epoch(0), ended]) == [true, false])
        #expect(positions([epoch(0), lost, ended]) == [true, false, nil])
        #expect(positions([epoch(0, origin: .replay), ended]) == [true, nil])
    }

    @Test func `the distance travelled is counted across the time without the receiver`() throws {
        var rows = PublishedRows(.serial("gps"), rate: FixRate())
        for second in 0...20 { _ = rows.receive(epoch(second)) }
        _ = rows.receive(lost)
        for second in 30..<50 { _ = rows.receive(epoch(second)) }
        let last = rows.receive(epoch(50)).row
        let distance = try #require(last?.0.value(FixColumn.odometer))
        #expect((480...520).contains(distance))
    }
}
