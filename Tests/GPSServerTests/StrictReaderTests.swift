// SPDX-License-Identifier: MIT
import AIS
import Foundation
import GNSS
import GPSFormats
import GPSReceivers
import GPSServer
import GPSServerExercises
import GPSTestSupport
import GPSTestTraits
import Testing

/// The rules of libgps for objects. The version after gpsd 3.27.5 ends the session at the first
/// object that breaks one of them.
private enum StrictReader {
    /// The members of gpsd 3.27.5 that are lists of objects, by class.
    private static let lists = [
        "SKY": ["satellites"], "DEVICES": ["devices"], "POLL": ["tpv", "gst", "sky"],
    ]
    /// The members of gpsd 3.27.5 that are text. Its other members are numbers, except `booleans`.
    private static let texts: Set = [
        "class", "device", "time", "path", "driver", "subtype", "activated", "parity", "release",
        "rev",
        "message", "datum", "callsign", "shipname", "destination", "vendorid", "name", "eta",
        "timestamp", "part", "status_text", "shiptype_text", "epfd_text", "aid_type_text",
    ]
    private static let booleans: Set = [
        "enable", "json", "nmea", "scaled", "timing", "split24", "pps", "used", "accuracy", "raim",
        "dte", "cs", "display", "dsc", "band", "msg22", "assigned", "off_position", "virtual_aid",
    ]
    private static let numbers: Set = Set(
        """
        mode status ept lat lon altHAE altMSL alt epx epy epv track magtrack magvar speed climb eps epd epc \
        velN velE velD geoidSep eph sep dgpsAge dgpsSta jam depth wtemp wangler wspeedr wanglet wanglem \
        wspeedt rtime sor chars sats week tow rollovers gdop hdop pdop tdop vdop xdop ydop nSat uSat PRN \
        gnssid svid az el ss rms major minor orient heading mheading pitch roll rot real_sec real_nsec \
        clock_sec clock_nsec precision flags native bps stopbits cycle proto_major proto_minor raw active
        """.split(separator: " ").map(String.init))
    /// The maximum lengths of names and of texts; a device's path may have 127 bytes.
    private static let (nameLimit, textLimit, pathLimit) = (30, 511, 127)

    /// Returns what breaks a rule in an object; an empty list if nothing does.
    static func problems(of line: String) throws -> [String] {
        guard line.hasPrefix(#"{"class":""#), line.utf8.count <= 10_238 else {
            return ["not an object of gpsd: \(line.prefix(80))"]
        }
        let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
        let object = try #require(value as? [String: Any])
        let kind = try #require(object["class"] as? String)
        return try problems(of: object, lists: lists[kind] ?? []).map { "\(kind).\($0)" }
    }

    private static func problems(of object: [String: Any], lists: [String]) throws -> [String] {
        var problems: [String] = []
        for (name, value) in object {
            if name.utf8.count > nameLimit { problems.append("\(name) is too long") }
            switch value {
            case let text as String:
                let isTime = name == "activated" || name == "speed" || name == "turn"
                if numbers.contains(name) && !isTime || booleans.contains(name) {
                    problems.append("\(name) is text")
                }
                let limit = ["path", "device"].contains(name) ? pathLimit : textLimit
                if text.utf16.count > limit { problems.append("\(name) is too long: \(text)") }
            case let number as NSNumber:
                if texts.contains(name) && name != "activated" {
                    problems.append("\(name) is \(number)")
                }
            case let list as [[String: Any]] where lists.contains(name):
                for object in list {
                    let inner = (object["class"] as? String).flatMap { Self.lists[$0] } ?? []
                    problems += try Self.problems(of: object, lists: inner).map { "\(name).\($0)" }
                }
            default: problems.append("\(name) is \(value)")
            }
        }
        return problems
    }
}

/// Every object that gpsd's clients may receive.
@Suite(.timeLimit(.generous))
struct StrictReaderTests {
    private static let time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)

    private static func expectReadable(_ lines: [String]) throws {
        #expect(!lines.isEmpty)
        for line in lines {
            let problems = try StrictReader.problems(of: line.trimmed)
            #expect(problems.isEmpty, "\(line)")
        }
    }

    /// A fix with all values.
    private static func fix(_ state: Integrity.State, _ vote: Vote.State) -> Fix {
        var fix = Fix()
        if let time { fix.set(time: time) }
        fix.mode = .threeD
        fix.quality = .rtkFixed
        fix.coordinate = Coordinate(latitude: 48.2, longitude: 16.36)
        (fix.altitude, fix.ellipsoidalAltitude, fix.geoidSeparation) = (171, 214, 43)
        (fix.speed, fix.course, fix.climb) = (5.144, 90, 0.1)
        (fix.magneticCourse, fix.magneticVariation) = (85, 5)
        (fix.correctionAge, fix.correctionStation, fix.correctionSource) = (1, 2, .rtcm)
        (fix.attitude.heading, fix.attitude.pitch, fix.attitude.roll) = (80, 1, 2)
        fix.attitude.rateOfTurn = 0.5
        for quantity in Instruments.Quantity.allCases { fix.instruments[quantity] = 1 }
        fix.dilution = DilutionOfPrecision(hdop: 1, vdop: 2, pdop: 3)
        fix.standardDeviation = StandardDeviation(
            latitude: 1, longitude: 2, altitude: 3, semiMajor: 2, semiMinor: 1, orientation: 4,
            range: 5)
        fix.accuracy = Accuracy(horizontal: 2, vertical: 3)
        fix.covariance = Covariance(rows: [1, 0.1, 0.1, 2, 0.1, 3])
        fix.velocityCovariance = fix.covariance
        fix.protectionLevel = ProtectionLevel(horizontal: 14.5, vertical: 23.5, risk: 5e-7)
        (fix.jamming, fix.spoofing, fix.interferenceLevel) = (.critical, .affirmed, 200)
        (fix.antenna, fix.leapSeconds) = (.short, 18)
        fix.receiverAuthentication = .failed
        fix.authentication = FixAuthentication(
            state: .authenticated, satellites: 12, authenticated: 12, failed: 10)
        (fix.satellitesUsed, fix.satellitesInView, fix.isStationary) = (9, 12, true)
        let reasons = (0..<40).map {
            Integrity.Reason(
                test: .positionStep, value: 1, threshold: 2, unit: "m",
                text: "\"\($0)\" é \\ " + String(repeating: "long ", count: $0))
        }
        fix.integrity = Integrity(
            state: state, since: time, reasons: state == .ok ? [] : reasons)
        let names = (0..<8).map { "receiver-\($0)-" + String(repeating: "ü", count: 150) }
        fix.vote = Vote(
            state: vote, winner: names[0], witnesses: names, disagreeing: names, radius: 2.5)
        return fix
    }

    private static var navigation: Navigation {
        var settings = Navigator.Settings()
        settings.circle = AnchorCircle(
            radius: 30, anchor: Coordinate(latitude: 48, longitude: 16))
        settings.route = [
            RoutePoint(
                Coordinate(latitude: 48.3, longitude: 16.4),
                name: String(repeating: "böje ", count: 400))
        ]
        var navigator = Navigator(settings)
        var fix = fix(.ok, .agreed)
        fix.vote = nil
        return navigator.receive(fix, at: 0, time: time)
    }

    @Test(arguments: [true, false])
    func `a fix with all values is readable, whatever its integrity and its vote are`(
        hasOwnMembers: Bool
    ) throws {
        for state in Integrity.State.allCases {
            for vote in Vote.State.allCases {
                var reports = GPSDReports(
                    device: "/dev/ttyACM0", isSimulated: true, hasOwnMembers: hasOwnMembers)
                reports.navigation = Self.navigation
                let fix = Self.fix(state, vote)
                var timing = ReportTiming(firstByte: 1, reported: 2)
                timing.byteCount = 300
                reports.report(fix, timing)
                reports.reportDeviations(of: fix)
                reports.reportActivated(origin: .simulated)
                reports.reportGone()
                let id = try #require(SatelliteID(.gps, 5))
                reports.report(
                    SatelliteView(
                        signals: [
                            SatelliteSignal(id: id, elevation: 40, azimuth: 80, cn0: 45.5)
                        ], used: SatelliteIDSet(), dilution: fix.dilution, time: Self.time))
                let bytes = reports.bytes
                let text = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
                let objects = text.split(separator: "\n").map(String.init)
                #expect(objects.count == 6)
                #expect(objects[0].contains(#""integrity":"\#(state.rawValue)""#))
                for name in ["anchorRadius", "waypointName", "voteWinner"] {
                    #expect(objects[0].contains(name))
                }
                try Self.expectReadable(objects)
            }
        }
    }

    @Test(arguments: [
        "?VERSION;", "?DEVICES;", "?DEVICE;", "?WATCH;", "?POLL;", "?FOO;",
        #"?WATCH={"enable":true,"json":true,"scaled":true,"pps":true,"device":"/dev/a"};"#,
        "?WATCH={\"device\":\"\(String(repeating: "x", count: 3000))\"};",
        "?" + String(repeating: "é", count: 3000) + ";",
    ])
    func `replies to requests are readable`(_ request: String) throws {
        var device = ServedDevice(path: "/dev/a")
        (device.activated, device.driver, device.hasVessels) = (Self.time, "u-blox", true)
        (device.baudRate, device.cycle) = (9600, 0.2)
        var reports = GPSDReports(device: "/dev/a")
        reports.report(Self.fix(.alarm, .disputed))
        let bytes = reports.bytes
        device.lastReports[.tpv] = String(decoding: bytes.indices.map { bytes[$0] }, as: UTF8.self)
            .split(separator: "\n").first.map(String.init)
        let other = ServedDevice(path: String(repeating: "/dev/a", count: 100), origin: .replay)
        var conversation = GPSDConversation()
        let server = ServerSnapshot(devices: [device, other], time: Self.time)
        for request in [#"?WATCH={"enable":true,"json":true};"#, request + "\n"] {
            let replies = conversation.receive(Array(request.utf8)) { server }
            try Self.expectReadable(
                String(decoding: replies, as: UTF8.self).split(separator: "\r\n").map(String.init))
        }
    }

    @Test func `times of pulses and of messages are readable`() throws {
        for precision in [-1, -20] {
            let sample = ClockSample(trueTime: 1, systemTime: 2, precision: precision)
            try Self.expectReadable([
                String(decoding: sample.report(device: "/dev/a"), as: UTF8.self)
            ])
        }
    }

    @Test func `messages of ships are readable`() throws {
        let messages = try PackageFile.text("Tests/Fixtures/AIS/messages.nmea")
        for isScaled in [true, false] {
            let options = AISReports.Options(isScaled: isScaled, splitsType24: true)
            var reports = AISReports(device: "/dev/a")
            let lines = messages.split(whereSeparator: \.isNewline).flatMap {
                reports.objects(of: Array($0.utf8), [options]).map(\.text)
            }
            try Self.expectReadable(lines)
        }
    }
}

/// The exercises of requests and values, with recorded failures, and requests with mutated inputs.
@Suite(.timeLimit(.generous))
struct RequestExerciseTests {
    private static let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/ServerCrashes")

    static let files: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { !$0.hasPrefix(".") }.sorted()
    }()

    @Test func `there are recorded cases`() {
        #expect(!Self.files.isEmpty)
    }

    @Test(arguments: files)
    func `recorded failures do not fail again`(name: String) throws {
        let bytes = [UInt8](try Data(contentsOf: Self.folder.appending(path: name)))
        if name.hasPrefix(ValueExercise.name) {
            try ValueExercise.run(bytes)
        } else if name.hasPrefix(SignalKExercise.name) {
            try SignalKExercise.run(bytes)
        } else {
            try RequestExercise.run(bytes)
        }
    }

    @Test func `mutated requests violate no guarantee`() throws {
        let count = Mutations.count(800)
        print("requests: \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(of: [Self.session], dictionary: "requests.dict")
        for number in 0..<count {
            var input = inputs.next()
            // Without sockets, because other tests open descriptors at the same time.
            if !input.isEmpty { input[0] &= 3 }
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try RequestExercise.run(input)
            }
        }
    }

    @Test func `mutated requests and frames of Signal K clients violate no guarantee`() throws {
        let count = Mutations.count(800)
        print("signalk: \(count) inputs from seed \(Mutations.seed)")
        var inputs = try Mutations(
            of: [Self.stream, Self.stream + Self.frames, Self.frames], dictionary: "signalk.dict")
        for number in 0..<count {
            // Every second input changes only what follows the request for the stream.
            var input = inputs.next()
            if number % 2 == 1 { input = Self.stream + input }
            #expect(throws: Never.self, "input \(number), seed \(Mutations.seed): \(input)") {
                try SignalKExercise.run(input)
            }
        }
    }

    @Test(arguments: [8100, 8192, 8193, 9000, 20_000])
    func `a long request of a Signal K client has the same reply whole and in pieces`(
        _ count: Int
    ) throws {
        let header = Array("\r\nX: \(String(repeating: "x", count: count))\r\n\r\n".utf8)
        try SignalKExercise.run(Self.stream.dropLast(4) + header + Self.frames)
    }

    /// Options, and a request for the stream.
    private static let stream =
        [0, 7, 64, 1]
        + Array(
            """
            GET /signalk/v1/stream HTTP/1.1\r
            Host: localhost:8375\r
            Upgrade: websocket\r
            Connection: Upgrade\r
            Sec-WebSocket-Version: 13\r
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
            \r

            """.utf8)

    /// A ping, text in two fragments with a ping between them, and the close frame.
    private static let frames: [UInt8] =
        [0x89, 0x82, 1, 2, 3, 4, 0x60, 0x60] + [0x01, 0x81, 0, 0, 0, 0, 0xC3]
        + [0x89, 0x80, 0, 0, 0, 0] + [0x80, 0x81, 0, 0, 0, 0, 0xA9]
        + [0x88, 0x82, 0, 0, 0, 0, 3, 0xE8]

    /// As the seeds of `scripts/endurance/fuzz`: options, then requests of every kind.
    private static let session =
        [1, 7, 64, 1]
        + Array(
            """
            ?WATCH={"enable":true,"json":true,"raw":2,"device":"/dev/a"};
            ?DEVICE={"path":"/dev/a","bps":38400,"parity":"N","stopbits":1,"native":0,"cycle":0.2};
            ?DEVICES;?VERSION;?POLL;?DEVICE={"hexdata":"b562"}

            """.utf8)

    @Test func `text after a request in the same chunk does not refuse a change`() throws {
        let change = Array(#"?DEVICE={"path":"/dev/a","cycle":0.2};hello"#.utf8)
        try RequestExercise.run([1, 7, 64, 1] + change)
        try RequestExercise.run([1, 7, 64, 1] + Array("hello\n".utf8) + change)
    }
}
