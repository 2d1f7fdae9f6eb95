// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSFormats
import GPSReceivers
import GPSTestSupport
import NMEA
import SimulatedDevices
import Testing

/// The round trip of messages, and their size.
@Suite(.timeLimit(.generous))
struct FixBatchTests {
    private let member = MemberName(fleet: "buses", bridge: "b-7", receiver: "roof")

    private func batch(_ rows: [FixRow]) throws -> FixBatch {
        FixBatch(
            member: try #require(member), boot: "4f1c", origin: .live, software: "gpsbridge 1",
            waiting: 3, rows: rows)
    }

    /// Fixes of a drive through a town, as a u-blox 8 reports them.
    private func drive(_ count: Int) throws -> [FixRow] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox8
        let corners = [(48.2, 16.36), (48.203, 16.361), (48.2035, 16.368), (48.21, 16.37)]
        let drive = Drive(
            corners.map { Drive.RoutePoint(Coordinate(latitude: $0.0, longitude: $0.1)) })
        configuration.trajectory = try #require(drive)
        var receiver = SimulatedReceiver(configuration)
        var decoder = NMEADecoder()
        var rows: [FixRow] = []
        while rows.count < count {
            decoder.push(receiver.next().bytes.span) { event in
                guard case .fix(let fix, _) = event, rows.count < count else { return }
                let number = Int64(rows.count)
                rows.append(
                    FixRow(
                        fix, sequence: 700_000 + number,
                        received: 1_774_094_400_215 + number * 1_000 + number * 37 % 90))
            }
        }
        return rows
    }

    @Test(arguments: [0, 1, 2, 60])
    func `a message is read back as it was sent`(_ count: Int) throws {
        let batch = try batch(try drive(count))
        #expect(try FixBatch(decoding: batch.encoded()) == batch)
    }

    @Test func `a batch of 60 fixes takes at most 40 bytes per fix`() throws {
        let size = try batch(try drive(60)).encoded().count
        print("60 fixes: \(size) bytes, \(Double(size) / 60) a fix")
        #expect(size <= 60 * 40)
    }

    @Test func `a fix in a leap second keeps a time before midnight`() throws {
        let date = try #require(CalendarDate(year: 2016, month: 12, day: 31))
        let time = try #require(TimeOfDay(hour: 23, minute: 59, second: 60))
        var fix = Fix()
        fix.time = UTCTime(date: date, time: time)
        let row = FixRow(fix, received: 5)
        #expect(row.fix.time?.description == "2016-12-31T23:59:59.999Z")
    }

    @Test func `the distance up to a fix is sent with it`() throws {
        let rows = [10.0, 1234.567].enumerated().map { index, metres in
            FixRow(Fix(), sequence: Int64(index), received: 5, odometer: metres)
        }
        let decoded = try FixBatch(decoding: try batch(rows).encoded())
        #expect(decoded.rows.map { $0["odometer"] } == [10, 1234.57])
    }

    @Test func `the vote of several receivers is sent without their names`() throws {
        let votes = [
            Vote(
                state: .agreed, winner: "bow", witnesses: ["aft", "mast"], disagreeing: ["cabin"],
                radius: 2.5),
            Vote(state: .disputed, winner: "bow", disagreeing: ["aft"]), Vote(state: .noPosition),
            nil,
        ]
        let rows = votes.enumerated().map { index, vote in
            var fix = Fix()
            fix.vote = vote
            return FixRow(fix, sequence: Int64(index), received: 5)
        }
        let message = try batch(rows).encoded()
        let read = try FixBatch(decoding: message).rows
        #expect(read.map { $0["vote"] } == [2, 3, 0, nil])
        #expect(read.map { $0["voteRadius"] } == [2.5, nil, nil, nil])
        #expect(read.map { $0["voteWitnesses"] } == [2, 0, 0, nil])
        #expect(read.map { $0["voteDisagreeing"] } == [1, 1, 0, nil])
        #expect(read.map(\.fix.vote?.state) == votes.map { $0?.state })
        #expect(read[0].fix.vote == Vote(state: .agreed, radius: 2.5))
        // Names that are not known are not counted.
        let again = FixRow(read[0].fix, received: 5)
        #expect(again["vote"] == 2 && again["voteWitnesses"] == nil)
    }

    @Test func `a vote without names does not list receivers in a TPV`() throws {
        func report(_ vote: Vote) -> String {
            var (reports, fix) = (GPSDReports(device: "d", isSimulated: false), Fix())
            fix.vote = vote
            reports.report(fix)
            return String(decoding: reports.bytes.withUnsafeBytes { Array($0) }, as: UTF8.self)
        }
        #expect(
            report(Vote(state: .agreed, radius: 2.5))
                .contains(#""vote":"agreed","voteRadius":2.500"#))
        #expect(
            report(Vote(state: .noPosition))
                .contains(#""vote":"none","voteWitnesses":"","voteDisagreeing":"""#))
    }

    @Test func `unknown values are not sent and are decoded as nil`() throws {
        var fix = Fix()
        fix.timeOfDay = TimeOfDay(hour: 23, minute: 59, second: 58, nanosecond: 250_000_000)
        fix.satellitesUsed = 3
        let batch = try batch([FixRow(fix, sequence: 1, received: 5)])
        let text = String(decoding: batch.encoded(), as: UTF8.self)
        #expect(
            text == """
                {"gpsbridge":1,"fleet":"buses","bridge":"b-7","receiver":"roof","boot":"4f1c",\
                "origin":"live","software":"gpsbridge 1","waiting":3,"seq":[1],"received":[5],\
                "mode":[1],"quality":[0],"used":[3],"timeOfDay":[86398.25]}
                """)
        #expect(try FixBatch(decoding: Array(text.utf8)).rows.first?.fix == fix)
    }

    @Test func `a position and its time are preserved to the millimetre and millisecond`() throws {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: 1_774_094_400_200_000_000)
        fix.timeOfDay = fix.time?.time
        fix.mode = .threeD
        fix.quality = .rtkFixed
        fix.coordinate = Coordinate(latitude: -48.203_141_59, longitude: 179.999_999_99)
        fix.altitude = -3.125
        fix.course = 0
        let row = FixRow(fix, sequence: 1, received: 5)
        let read = try FixBatch(decoding: try batch([row]).encoded())
        #expect(read.rows.first?.fix == fix)
    }

    @Test(arguments: [
        "", "{}", "not JSON", #"{"gpsbridge":2}"#, "\u{28}\u{B5}",
        #"{"gpsbridge":1,"fleet":"a","bridge":"b","receiver":"c","boot":"d","origin":"live","#
            + #""software":"e","waiting":0,"seq":[1,2],"received":[1]}"#,
        #"{"gpsbridge":1,"fleet":"a.b","bridge":"b","receiver":"c","boot":"d","origin":"live","#
            + #""software":"e","waiting":0,"seq":[1],"received":[1]}"#,
    ])
    func `invalid messages are rejected`(_ text: String) {
        #expect(throws: FixBatch.Malformed.self) { try FixBatch(decoding: Array(text.utf8)) }
    }

    private static let start =
        #"{"fleet":"a","bridge":"b","receiver":"c","boot":"d","origin":"live","waiting":0,"#

    @Test func `messages of other programs are read with any order and spaces`() throws {
        let text =
            Self.start
            + #""later":{"a":[1,{"b":"}"}],"c":null},"lat":[4.82e1, null ,-48.123456789],"#
            + #" "received" : [ 1, 2, 3 ],"seq":[7,8,9],"ok":true"#
            + #","software":"g\u00fcn \ud83d\udef0\n\"\\\/","alt":[1,-0.5,1e99],"gpsbridge":1}"#
        let batch = try FixBatch(decoding: Array(text.utf8))
        #expect(batch.software == "gün \u{1F6F0}\n\"\\/")
        #expect(batch.rows.map(\.sequence) == [7, 8, 9])
        #expect(batch.rows.map { $0["lat"] } == [48.2, nil, -48.123_456_79])
        #expect(batch.rows.map { $0["alt"] } == [1, -0.5, nil])
    }

    @Test(arguments: [
        #""software":"e","gpsbridge":1,"seq":[1],"received":[1]}}"#,
        #""software":"e","gpsbridge":1,"seq":[1],"received":[1]"#,
        #""software":"e","gpsbridge":1,"seq":[1,],"received":[1]}"#,
        #""software":"e","gpsbridge":1,"seq":[null],"received":[1]}"#,
        #""software":"e","gpsbridge":1,"seq":[--1],"received":[1]}"#,
        #""software":"e","gpsbridge":1,"seq":["1"],"received":[1]}"#,
        #""software":"e","gpsbridge":1,"seq":[1],"received":[nul]}"#,
        #""software":"e\u12","gpsbridge":1,"seq":[1],"received":[1]}"#,
        #""software":"e\u+123","gpsbridge":1,"seq":[1],"received":[1]}"#,
        #""software":"e","gpsbridge":1,"seq":[1],"received":[1],"x":[[}"#,
        #""software":"e","gpsbridge":1,"seq":[1],"received":[1],"x":,}"#,
        #""gpsbridge":1,"seq":[1],"received":[1]}"#,
    ])
    func `truncated or invalid JSON is rejected`(_ rest: String) {
        #expect(throws: FixBatch.Malformed.self) {
            try FixBatch(decoding: Array((Self.start + rest).utf8))
        }
    }

    @Test func `truncated and corrupted messages do not trap`() throws {
        let message = try batch(try drive(1)).encoded()
        for count in message.indices {
            #expect(throws: FixBatch.Malformed.self) {
                try FixBatch(decoding: Array(message[..<count]))
            }
        }
        for index in message.indices {
            for byte in [UInt8(ascii: "["), UInt8(ascii: "\\"), 0xFF] {
                var changed = message
                changed[index] = byte
                _ = try? FixBatch(decoding: changed)
            }
        }
    }

    @Test func `the ID depends only on the fixes, not on the time of sending`() throws {
        let rows = try drive(3)
        var batch = try batch(rows)
        #expect(batch.id == "buses/b-7/roof/4f1c/700000-700002/3")
        batch.waiting = 9
        #expect(batch.id == "buses/b-7/roof/4f1c/700000-700002/3")
        batch.rows = []
        #expect(batch.id == nil)
    }

    @Test(arguments: [
        ("bus.vienna", "bus-vienna"), ("/dev/ttyUSB0", "dev-ttyUSB0"), ("a b*>", "a-b"),
        ("Ünal", "nal"), ("...", nil),
    ])
    func `names become tokens of subjects and topics`(_ text: String, _ token: String?) {
        #expect(MemberName.token(text) == token)
    }
}

extension FixRow {
    /// The value of a column by its name; `nil` if unknown.
    subscript(name: String) -> Double? {
        FixColumn.all.firstIndex { $0.name == name }.flatMap { value($0) }
    }
}

extension FixBatch {
    /// A batch of one fix. `change` may change the fix.
    static func sample(
        _ origin: DataOrigin = .live, _ change: (inout Fix) -> Void = { _ in }
    ) throws -> FixBatch {
        var fix = Fix()
        fix.time = UTCTime(unixNanoseconds: 1_795_000_000_400_000_000)
        fix.mode = .threeD
        fix.quality = .differential
        fix.coordinate = Coordinate(latitude: 48.208_173_2, longitude: 16.373_843)
        fix.altitude = 171.4
        fix.geoidSeparation = 44.1
        fix.speed = 10.1
        fix.course = 84.2
        fix.accuracy.horizontal = 1.2
        fix.satellitesUsed = 11
        change(&fix)
        let member = try #require(MemberName(fleet: "buses", bridge: "b-7", receiver: "roof"))
        return FixBatch(
            member: member, boot: "4f1c", origin: origin, software: "gpsbridge 1",
            rows: [FixRow(fix, sequence: 7, received: 1_795_000_000_600)])
    }
}

extension Spool {
    /// Adds the stream of a receiver.
    func sampleStream(_ receiver: String = "r", boot: String = "boot") throws -> Stream {
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: receiver))
        return try addStreams([(member, .live)], boot: boot)[0]
    }

    /// Appends `count` fixes of each stream in one transaction, a second apart.
    func appendSamples(_ count: Int, to streams: Stream...) throws -> [Entry] {
        var entries: [Entry] = []
        for index in 0..<count {
            for stream in streams {
                let time = Int64(index) * 1000
                entries.append(
                    Entry(
                        stream: stream.number,
                        row: FixRow(sequence: 0, time: time, received: time)))
            }
        }
        try append(&entries)
        return entries
    }
}
