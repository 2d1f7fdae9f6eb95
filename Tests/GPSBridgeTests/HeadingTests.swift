// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSBridge
import GPSReceivers
import GPSTestSupport
import NMEA
import SimulatedDevices
import Testing

@Suite(.timeLimit(.generous))
struct HeadingTests {
    private static func sentence(_ sentence: some Sentence, talker: Talker = .gnss) -> [UInt8] {
        var writer = SentenceWriter()
        writer.write(sentence, talker: talker)
        return writer.bytes
    }

    private static func hdt(_ degrees: Double) -> [UInt8] {
        var hdt = HDT()
        hdt.heading = degrees
        return sentence(hdt)
    }

    /// Epochs of a receiver with two antennas.
    private static func turning(
        _ headings: [Double], from second: Int = 0, quality: FixQuality = .autonomous
    ) -> [UInt8] {
        headings.enumerated().flatMap { index, heading in
            ScriptedReceiver.epoch(second + index, quality: quality) + hdt(heading)
        }
    }

    private func headings(_ bytes: [UInt8], filter: Double? = nil) async -> [Heading] {
        let manager = LocationManager(source: .bytes(bytes))
        if let filter { manager.headingFilter = filter }
        let stream = manager.didUpdateHeading
        manager.startUpdatingHeading()
        var headings: [Heading] = []
        for await heading in stream { headings.append(heading) }
        return headings
    }

    @Test func `a stream of headings has only changes above the filter`() async {
        let bytes = Self.turning([359.5, 359.9, 0.7, 1.2, 182])
        #expect(await headings(bytes).map(\.trueHeading) == [359.5, 0.7, 182])
        let all = await headings(bytes, filter: LocationManager.headingFilterNone)
        #expect(all.map(\.trueHeading) == [359.5, 359.9, 0.7, 1.2, 182])
        #expect(all.allSatisfy { $0.magneticHeading == -1 && $0.headingAccuracy == -1 })
    }

    @Test func `headings do not need a position`() async {
        let headings = await headings(Self.turning([90, 95], quality: .invalid))
        #expect(headings.map(\.trueHeading) == [90, 95])
    }

    @Test func `a magnetic heading with its variation gives the true heading`() async throws {
        var hdg = HDG()
        hdg.sensorHeading = 355
        hdg.variation = 8.5
        let bytes = (0..<3).flatMap { ScriptedReceiver.epoch($0) + Self.sentence(hdg) }
        let heading = try #require(await headings(bytes).first)
        #expect(heading.magneticHeading == 355 && heading.trueHeading == 3.5)
        var fix = Fix()
        fix.attitude.heading = 3.5
        fix.magneticVariation = 8.5
        let epoch = ReceiverEpoch(
            fix: fix, satellites: SatelliteView(), arrival: nil, device: "tty", origin: .live)
        #expect(epoch.heading?.magneticHeading == 355)
    }

    @Test func `the heading accuracy is the one that the receiver sends`() async throws {
        var pashr = PASHR()
        pashr.time = TimeOfDay(hour: 12, minute: 0, second: 0)
        pashr.heading = 305.3
        pashr.headingError = 0.215
        pashr.pitch = 1.13
        let bytes =
            ScriptedReceiver.epoch(0) + Self.sentence(pashr) + ScriptedReceiver.epoch(1)
        let heading = try #require(await headings(bytes).first)
        #expect(heading.headingAccuracy == 0.215 && heading.attitude.pitch == 1.13)
        #expect(heading.timestamp.timeIntervalSince1970 == 1_774_094_400)
        #expect(!heading.isTimestampFromSystemClock)
        #expect(heading.sourceInformation.origin == .replay)
        #expect(heading.description == "2026-03-21T12:00:00Z 305.3° true, ±0.2° (replay)")
    }

    @Test func `the delegate gets locations only after startUpdatingLocation`()
        async throws
    {
        let manager = LocationManager(source: .bytes(Self.turning([10, 20, 30])))
        let delegate = HeadingDelegate()
        manager.delegate = delegate
        let (headings, locations) = (manager.didUpdateHeading, manager.didUpdateLocations)
        manager.startUpdatingHeading()
        for await _ in headings {}
        for await _ in locations { Issue.record("a location that was not asked for") }
        #expect(await delegate.headings.first(3).map(\.trueHeading) == [10, 20, 30])
        #expect(manager.heading?.trueHeading == 30)
        #expect(delegate.locations.all.isEmpty)
    }

    @Test func `locations and headings are stopped independently`() async throws {
        let receiver = try ScriptedReceiver()
        let manager = LocationManager(source: receiver.source)
        let delegate = HeadingDelegate()
        manager.delegate = delegate
        let (headings, locations) = (manager.didUpdateHeading, manager.didUpdateLocations)
        manager.startUpdatingLocation()
        manager.startUpdatingHeading()
        await receiver.waitForReader()
        func send(_ headings: [Double], from second: Int) async {
            let bytes = Self.turning(headings, from: second)
            await receiver.send(String(decoding: bytes, as: UTF8.self))
        }
        await send([10, 20, 30, 40], from: 0)
        // All of them, so that no heading is still on its way when headings are stopped.
        #expect(await first(4, of: headings).map(\.trueHeading) == [10, 20, 30, 40])
        _ = await collect(4, from: locations)
        #expect(await delegate.headings.first(4).map(\.trueHeading) == [10, 20, 30, 40])
        manager.stopUpdatingHeading()
        let more = manager.didUpdateHeading
        await send([50, 60, 70, 80], from: 4)
        _ = await collect(4, from: locations)
        #expect(receiver.hasReader)
        manager.stopUpdatingLocation()
        await receiver.waitUntilUnread()
        manager.startUpdatingHeading()
        await receiver.waitForReader()
        await send([110, 120, 130], from: 20)
        #expect(await first(2, of: more).map(\.trueHeading) == [110, 120])
        #expect(await delegate.headings.first(5).last?.trueHeading == 110)
        manager.stopUpdatingHeading()
        await receiver.waitUntilUnread()
    }

    @Test func `the heading filter is observable`() async {
        let manager = LocationManager(source: .bytes([]))
        let values = manager.events.headingFilter.values()
        #expect(manager.headingFilter == 1)
        manager.headingFilter = 5
        #expect(await first(2, of: values) == [1, 5])
    }

    @Test func `a heading survives JSON`() throws {
        let heading = Heading(
            trueHeading: 3.5, headingAccuracy: 0.2,
            timestamp: Date(timeIntervalSinceReferenceDate: 795_780_920),
            sourceInformation: SourceInformation(origin: .live, source: "gps"), device: "tty")
        let json = try JSONEncoder().encode(heading)
        #expect(try JSONDecoder().decode(Heading.self, from: json) == heading)
    }

    @Test(arguments: [Personality.compass, .satelliteCompass])
    func `headings of a simulated compass are marked as simulated`(
        _ personality: Personality
    ) async throws {
        // With a stepped clock it waits for its reader; in real time a busy machine may lose HDG.
        let clock = ManualClock()
        var receiver = SimulatedReceiver.Configuration()
        receiver.personality = personality
        receiver.pace = .stepped(by: clock)
        let manager = LocationManager(source: .simulated(receiver))
        let headings = manager.proxy.didUpdateHeading.values()
        manager.startUpdatingHeading()
        let stepping = clock.run()
        defer { stepping.cancel() }
        var last: Heading?
        for await heading in headings.prefix(4) {
            #expect(heading.trueHeading >= 0 && heading.sourceInformation.isSimulatedBySoftware)
            last = heading
        }
        // The first epoch may be delivered before its HDG.
        #expect(last.map { $0.magneticHeading >= 0 } == true)
    }
}

/// Waits for the first elements of a stream.
private func first<Element>(
    _ count: Int, of stream: some AsyncSequence<Element, Never> & Sendable
) async -> [Element] {
    var elements: [Element] = []
    for await element in stream {
        elements.append(element)
        if elements.count == count { break }
    }
    return elements
}

private final class HeadingDelegate: LocationManagerDelegate, Sendable {
    let headings = Witness<Heading>()
    let locations = Witness<[Location]>()

    func locationManager(_ manager: LocationManager, didUpdateHeading heading: Heading) {
        headings.note(heading)
    }

    func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
        self.locations.note(locations)
    }
}
