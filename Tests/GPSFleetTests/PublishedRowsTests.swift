// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSReceivers
import GPSTestTraits
import NMEA
import Testing

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
        var rows = PublishedRows(rate: FixRate(), origin: .live)
        return updates.map { update in
            rows.row(after: update).map { $0.0.fix.coordinate != nil }
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
        var rows = PublishedRows(rate: FixRate(), origin: .live)
        for second in 0...20 { _ = rows.row(after: epoch(second)) }
        _ = rows.row(after: lost)
        for second in 30..<50 { _ = rows.row(after: epoch(second)) }
        let last = rows.row(after: epoch(50))
        let distance = try #require(last?.0.value(FixColumn.odometer))
        #expect((480...520).contains(distance))
    }
}
