// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSReceivers
import GPSServer
import GPSTestSupport
import GPSTestTraits
import Testing

/// A receiver whose binary protocol only gpsd reads. Its sentences from gpsd would have steps of
/// 0.0001 minutes, no accuracy, and heights of gpsd's model.
@Suite(.timeLimit(.generous))
struct ReportedReceiverTests {
    private static let version = "{\"class\":\"VERSION\",\"release\":\"3.22\",\"rev\":\"3.22\"}\r\n"
    private static let watching = "{\"class\":\"WATCH\",\"enable\":true}\r\n"
    private static let sentences =
        "?WATCH={\"enable\":true,\"json\":false,\"nmea\":true,\"raw\":0};\n"

    private static func reports(of device: String? = nil) -> String {
        let choice = device.map { ",\"device\":\"\($0)\"" } ?? ""
        return "?WATCH={\"enable\":true,\"json\":true,\"nmea\":false,\"raw\":0\(choice)};\n"
    }

    private static func devices(_ drivers: (path: String, driver: String)...) -> String {
        let devices = drivers.map {
            "{\"class\":\"DEVICE\",\"path\":\"\($0.path)\",\"driver\":\"\($0.driver)\","
                + "\"activated\":\"2026-03-23T12:00:00.000Z\"}"
        }
        return "{\"class\":\"DEVICES\",\"devices\":[\(devices.joined(separator: ","))]}\r\n"
    }

    private static func time(_ second: Int) -> String {
        "\"time\":\"2026-03-23T12:35:\(second).000Z\""
    }

    private static func tpv(_ second: Int, device: String = "/dev/a", _ more: String = "") -> String
    {
        "{\"class\":\"TPV\",\"device\":\"\(device)\",\"mode\":3,\(time(second)),\"lat\":48.117301652,"
            + "\"lon\":11.516701135,\"altHAE\":560.3206,\"altMSL\":513.2580,\"geoidSep\":44.764,\"speed\":1.234,"
            + "\"track\":12.3456,\"eph\":3.500,\"epv\":5.250,\"eps\":0.49\(more)}\r\n"
    }

    private static func sky(_ second: Int) -> String {
        let satellites = [3, 7, 11].map {
            "{\"PRN\":\($0),\"el\":45.0,\"az\":249.0,\"ss\":40.0,\"used\":true,\"gnssid\":0,\"svid\":\($0)}"
        }
        return
            "{\"class\":\"SKY\",\"device\":\"/dev/a\",\(time(second)),\"hdop\":1.20,\"vdop\":1.94,"
            + "\"pdop\":2.23,\"satellites\":[\(satellites.joined(separator: ","))]}\r\n"
    }

    /// A session that reads a server of the test, and what it has sent to its observers.
    private struct Session {
        let client: Descriptor
        let epochs = Witness<ReceiverEpoch>()
        let views = Witness<SatelliteView>()
        let sentences = Witness<String>()
        private let subscriptions: [ScopedSubscription]

        init(_ poller: Poller? = nil) async throws {
            let sockets = try await ListeningSocket.listen(on: .host("127.0.0.1", port: 0))
            let socket = try #require(sockets.first)
            defer { socket.close() }
            let source = GPSDSourceTests.source(try #require(socket.address?.port), poller)
            let session = ReceiverPool(poller: source.poller).session(for: source)
            subscriptions = [
                session.sentences.observe { [sentences] in
                    sentences.note(String(decoding: $0, as: UTF8.self))
                }.scoped,
                session.join { [epochs, views] update in
                    if case .epoch(let epoch) = update { epochs.note(epoch) }
                    if case .satellites(let view) = update { views.note(view) }
                },
            ]
            client = try #require(try await socket.accept())
        }

        func send(_ text: String) { GPSDSourceTests.send(text, to: client) }

        func expect(_ request: String) async {
            #expect(await GPSDSourceTests.request(of: client) == request)
        }

        /// Answers the requests of a reader of one SiRF receiver.
        func begin() async {
            send(ReportedReceiverTests.version)
            await expect(GPSDSourceTests.plainRequest)
            let devices = ReportedReceiverTests.devices(("/dev/a", "SiRF"))
            send(devices + ReportedReceiverTests.watching)
            await expect(ReportedReceiverTests.reports())
            send(devices + ReportedReceiverTests.watching)
        }
    }

    @Test func `its fixes have all values of gpsd's reports, also in sentences`() async throws {
        let session = try await Session()
        await session.begin()
        session.send(Self.sky(19) + Self.tpv(19) + Self.tpv(20) + Self.sky(21) + Self.tpv(21))
        let epochs = await session.epochs.first(2)
        let fix = try #require(epochs.first?.fix)
        #expect(fix.coordinate == Coordinate(latitude: 48.117301652, longitude: 11.516701135))
        #expect(fix.altitude == 513.258 && fix.ellipsoidalAltitude == 560.3206)
        #expect(fix.mode == .threeD && fix.speed == 1.234 && fix.course == 12.3456)
        #expect(abs((fix.accuracy.horizontal95 ?? 0) - 3.5) < 0.001)
        #expect(abs((fix.accuracy.vertical95 ?? 0) - 5.25) < 0.001)
        #expect(abs((fix.accuracy.speed ?? 0) * Accuracy.heightFactor95 - 0.49) < 0.001)
        #expect(fix.dilution.hdop == 1.2 && fix.satellitesUsed == 3)
        #expect(epochs.first?.satellites.counts.used == 3)
        // The list of the first epoch is the last one.
        #expect(epochs.last?.fix.satellitesUsed == 3 && epochs.last?.fix.dilution.hdop == 1.2)
        #expect(epochs.last?.fix.accuracy == fix.accuracy)
        #expect(epochs.last?.satellites.counts.inView == 3)
        #expect(await session.views.first(1).first?.time == fix.time)
        #expect(epochs.map { $0.fix.time?.time.second } == [19, 20])

        await session.sentences.wait { $0.hasPrefix("$GPGSV") }
        let gga = try #require(session.sentences.all.first { $0.hasPrefix("$GNGGA") })
        #expect(gga.contains(",4807.03809912,N,01131.00206810,E,1,03,1.20,513.258,M,47.0626,M,"))
        #expect(session.sentences.all.contains { $0.hasPrefix("$GNRMC,123519.00,A,") })
    }

    @Test func `reports that come with the answer to the request are not lost`() async throws {
        let session = try await Session()
        session.send(Self.version)
        await session.expect(GPSDSourceTests.plainRequest)
        session.send(Self.devices(("/dev/a", "SiRF")) + Self.watching)
        await session.expect(Self.reports())
        session.send(Self.watching + Self.tpv(19) + Self.tpv(20))
        #expect(await session.epochs.first(1).first?.fix.time?.time.second == 19)
    }

    @Test func `a fix waits a moment for further reports, and repetitions are no further fixes`()
        async throws
    {
        let clock = SteppedClock()
        let poller = Poller(clock: clock)
        defer { poller.stop() }
        let session = try await Session(poller)
        await session.begin()
        let end = poller.now + .milliseconds(100)
        session.send(Self.tpv(19))
        await until { poller.nextDeadline == end }
        // An object is read when its reception has moved the deadline.
        clock.advance(by: .milliseconds(25))
        session.send(Self.sky(19))
        await until { poller.nextDeadline == end + .milliseconds(25) }
        #expect(session.epochs.all.isEmpty)
        clock.advance(by: .milliseconds(25))
        session.send(
            "{\"class\":\"ATT\",\"device\":\"/dev/a\",\(Self.time(19)),\"heading\":12.5}\r\n")
        await until { poller.nextDeadline == end + .milliseconds(50) }
        clock.advance(by: .milliseconds(100))
        let epoch = try #require(await session.epochs.first(1).first)
        #expect(epoch.fix.dilution.hdop == 1.2 && epoch.fix.attitude.heading == 12.5)
        #expect(epoch.arrival?.firstByte == end.advanced(by: .milliseconds(-100)))

        session.send(Self.tpv(19) + Self.tpv(19) + Self.tpv(20) + Self.tpv(21))
        let seconds = await session.epochs.first(2).map { $0.fix.time?.time.second }
        #expect(seconds == [19, 20])
    }

    @Test func `a damaged report, or an odd value in it, costs that value only`() async throws {
        let session = try await Session()
        await session.begin()
        session.send(
            "{\"class\":\"TPV\",\"device\":\"/dev/a\",\"mode\":3,\(Self.time(18)),\"lat\":48.1\u{7},}]\r\n"
                + Self.tpv(
                    19, ",\"speed\":\"fast\",\"altMSL\":null,\"climb\":[1,{}],\"x\":{\"y\":1}")
                + "{\"class\":\"SKY\",\"device\":\"/dev/a\",\"satellites\":[{\"PRN\":\r\n"
                + "{\"class\":\"TPV\",\"device\":\"/dev/b\",\"mode\":3,\(Self.time(20)),\"lat\":1,\"lon\":2}\r\n"
                + Self.tpv(21) + Self.tpv(22))
        await session.epochs.wait { $0.fix.time?.time.second == 21 }
        let fixes = session.epochs.all.map(\.fix).filter { $0.coordinate != nil }
        #expect(fixes.map { $0.time?.time.second } == [19, 21])
        #expect(fixes.first?.speed == nil && fixes.first?.course == 12.3456)
        #expect(fixes.last?.speed == 1.234)
    }

    @Test func `of several receivers, the reports of the followed one are read`() async throws {
        let session = try await Session()
        session.send(Self.version)
        await session.expect(GPSDSourceTests.plainRequest)
        let devices = Self.devices(("/dev/a", "SiRF"), ("/dev/b", "NMEA0183"))
        session.send(devices + Self.watching)
        await session.expect("?POLL;\n")
        let reports = [Self.tpv(18), Self.tpv(18, device: "/dev/b")].map { $0.dropLast() }
        session.send("{\"class\":\"POLL\",\"tpv\":[\(reports.joined(separator: ","))]}\r\n")
        await session.expect("?WATCH={\"enable\":true,\"nmea\":true,\"device\":\"/dev/a\"};\n")
        session.send(devices + Self.watching)
        await session.expect(Self.reports(of: "/dev/a"))
        session.send(Self.tpv(18) + devices + Self.watching)
        session.send(Self.tpv(19) + Self.tpv(19, device: "/dev/b") + Self.tpv(20))
        let epoch = await session.epochs.first(1).first
        #expect(epoch?.fix.time?.time.second == 19)
    }

    @Test func `a receiver that changes to sentences is read further`() async throws {
        let session = try await Session()
        await session.begin()
        session.send(Self.tpv(19) + Self.tpv(20))
        #expect(await session.epochs.first(1).first?.fix.time?.time.second == 19)
        session.send(Self.devices(("/dev/a", "NMEA0183")))
        await session.expect(Self.sentences)
        session.send(Self.watching)
        for second in 0..<4 {
            session.send(String(decoding: ScriptedReceiver.epoch(second), as: UTF8.self))
        }
        // The position of the last report, whose epoch was not complete, is dropped.
        let next = await session.epochs.first(2).last
        #expect(next?.fix.time?.time.hour == 12 && next?.fix.time?.time.minute == 0)
    }
}
