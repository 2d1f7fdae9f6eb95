// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

/// Messages for HTTP servers.
@Suite(.timeLimit(.generous))
struct HTTPFormatTests {
    private func batch(
        _ origin: DataOrigin = .live, _ change: (inout Fix) -> Void = { _ in }
    ) throws -> FixBatch {
        try .sample(origin) {
            $0.coordinate?.longitude = -16.373_843
            $0.dilution.hdop = 0.9
            change(&$0)
        }
    }

    /// A fix with a time and a position only.
    private func sparse() throws -> FixBatch {
        try batch {
            let (time, coordinate) = ($0.time, $0.coordinate)
            $0 = Fix()
            ($0.time, $0.coordinate) = (time, coordinate)
        }
    }

    private func text(_ message: EngineMessage?) -> String? {
        message.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `OsmAnd parameters have milliseconds, metres and knots`() throws {
        let message = try #require(OsmAndFormat().message(try batch()))
        #expect(message.id == "buses/b-7/roof/4f1c/7-7/1")
        #expect(
            text(message) == """
                id=buses.b-7.roof&lat=48.2081732&lon=-16.3738430&timestamp=1795000000400&altitude=171.4\
                &speed=19.63&bearing=84.2&accuracy=1.2&hdop=0.90&sat=11
                """)
    }

    @Test func `an unknown value is omitted from the OsmAnd parameters`() throws {
        #expect(
            text(OsmAndFormat().message(try sparse())) == """
                id=buses.b-7.roof&lat=48.2081732&lon=-16.3738430&timestamp=1795000000400
                """)
    }

    @Test func `JSON for Traccar has all coordinates, and those that are unknown marked`() throws {
        #expect(
            text(OsmAndJSONFormat().message(try batch())) == """
                {"device_id":"buses.b-7.roof","location":{"timestamp":"2026-11-18T11:06:40.400Z","coords":{\
                "latitude":48.2081732,"longitude":-16.3738430,"accuracy":1.2,"speed":10.10,"heading":84.2,\
                "altitude":171.4},"extras":{"hdop":0.90,"satellites":11}}}
                """)
        #expect(
            text(OsmAndJSONFormat().message(try sparse())) == """
                {"device_id":"buses.b-7.roof","location":{"timestamp":"2026-11-18T11:06:40.400Z","coords":{\
                "latitude":48.2081732,"longitude":-16.3738430,"accuracy":-1.0,"speed":-1.00,"heading":-1.0,\
                "altitude":0.0,"altitude_accuracy":-1.0},"extras":{}}}
                """)
    }

    @Test func `a fix without a date or a position is not sent to a tracker`() throws {
        for format in [OsmAndFormat(), OsmAndJSONFormat()] as [any HTTPFormat] {
            #expect(format.message(try batch { $0.time = nil }) == nil)
            #expect(format.message(try batch { $0.coordinate = nil }) == nil)
            #expect(!format.hasHeartbeat)
        }
    }

    @Test func `simulated and replayed positions are marked`() throws {
        let query = try #require(text(OsmAndFormat().message(try batch(.simulated))))
        #expect(query.hasSuffix("&origin=simulated"))
        let json = try #require(text(OsmAndJSONFormat().message(try batch(.replay))))
        #expect(json.contains(#""mock":true"#) && json.contains(#""origin":"replay""#))
    }

    @Test func `a position during an alarm is not valid for Traccar`() throws {
        let alarm = try batch { $0.integrity = Integrity(state: .alarm) }
        let query = try #require(text(OsmAndFormat().message(alarm)))
        #expect(query.hasSuffix("&valid=false&integrity=alarm"))
        let ok = try #require(
            text(OsmAndFormat().message(try batch { $0.integrity = Integrity(state: .ok) })))
        #expect(ok.hasSuffix("&integrity=ok") && !ok.contains("valid="))
        let json = try #require(text(OsmAndJSONFormat().message(alarm)))
        #expect(json.contains(#""integrity":"alarm""#))
    }

    @Test func `an identifier is escaped`() throws {
        let query = try #require(text(OsmAndFormat(id: "a&b=c d/\u{E9}").message(try batch())))
        #expect(query.hasPrefix("id=a%26b%3Dc%20d%2F%C3%A9&lat="))
        let json = try #require(text(OsmAndJSONFormat(id: #"a"b"#).message(try batch())))
        #expect(json.hasPrefix(#"{"device_id":"a\"b","#))
    }

    @Test func `gpsbridge's own messages are JSON that is not compressed`() throws {
        var batch = try batch()
        batch.rows = Array(repeating: batch.rows[0], count: 50)
        let message = try #require(BatchFormat(for: .http).message(batch))
        #expect(text(message)?.hasPrefix(#"{"gpsbridge":1,"#) == true)
        #expect(try FixBatch(decoding: message.bytes).rows.count == 50)
    }
}

/// What a collector does after an error of PostgreSQL.
@Suite(.timeLimit(.generous))
struct StoreErrorTests {
    @Test(arguments: ["08006", "40P01", "53100", "53300", "57P01", "25006", "58030"])
    func `a collector waits while the server is away, full, read-only or busy`(_ code: String) {
        #expect(StoreError.kind(code, isDisconnected: false) == .passing)
    }

    @Test(arguments: ["22003", "22P05", "23514", "54000"])
    func `data that the server cannot store is rejected, so that it does not stop a collector`(
        _ code: String
    ) {
        #expect(StoreError.kind(code, isDisconnected: false) == .data)
    }

    @Test(arguments: ["42501", "3D000", "28P01", "58P01"])
    func `other errors need an administrator`(_ code: String) {
        #expect(StoreError.kind(code, isDisconnected: false) == .permanent)
    }

    @Test func `a lost connection is opened again, but not with a wrong password`() {
        #expect(StoreError.kind(nil, isDisconnected: true) == .passing)
        #expect(StoreError.kind("XX000", isDisconnected: true) == .passing)
        #expect(StoreError.kind("28P01", isDisconnected: true) == .permanent)
        #expect(StoreError.kind(nil, isDisconnected: false) == .permanent)
    }
}

/// The arguments of `collect`, `fleet` and `read`. `make test-fleet` tests the commands with servers.
@Suite(.timeLimit(.generous))
struct CollectingTests {
    @Test(arguments: [
        "postgresql://u:secret@host/db", "postgresql://host/db?password=secret",
        "postgresql://host/db?sslpassword=secret", "postgresql://host/db?nonsense=1",
    ])
    func `a database address with a password is rejected`(text: String) {
        let error = #expect(throws: FleetError.self) { try DatabaseAddress(text) }
        #expect(error?.description.contains("secret") == false)
    }

    @Test func `the name of a database omits parameters of libpq`() throws {
        let address = try DatabaseAddress("postgresql://u@host:5433/db?sslmode=require")
        #expect(address.name == "postgresql://u@host:5433/db")
    }

    @Test func `a service file with a password must be private, and one without it need not be`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = try folder.file("service", Array("[gps]\nhost=db\npassword=hidden\n".utf8))
        func check() throws {
            try DatabaseAddress.checkPasswordFiles { $0 == "PGSERVICEFILE" ? path : nil }
        }
        try check()
        #expect(chmod(path, 0o644) == 0)
        let error = #expect(throws: FleetError.self) { try check() }
        #expect(error?.description.contains("chmod 600") == true)
        _ = try folder.file("service", Array("[gps]\nhost=db\n".utf8))
        try check()
    }

    @Test(
        arguments: [
            ([], "gps.>", "gps/#"), (["f"], "gps.f.>", "gps/f/#"),
            (["f", "b"], "gps.f.b.>", "gps/f/b/#"), (["f", "b", "r"], "gps.f.b.r", "gps/f/b/r"),
        ] as [([String], String, String)])
    func `a member pattern gives a pattern of subjects and of topics`(
        parts: [String], subject: String, topic: String
    ) throws {
        let pattern = try MemberPattern(parts)
        #expect(pattern.subject == subject)
        #expect(pattern.topic == topic)
        let member = try #require(MemberName(fleet: "f", bridge: "b", receiver: "r"))
        #expect(pattern.contains(member))
        let other = try #require(MemberName(fleet: "g", bridge: "b", receiver: "r"))
        #expect(pattern.contains(other) == parts.isEmpty)
    }

    @Test func `members cannot be read if the server refuses the subscription`() throws {
        let pattern = try MemberPattern(["f"])
        let reason = pattern.refusal("Permissions Violation for Subscription to \"gps.f.>\"")
        #expect(reason?.hasSuffix("allow this user to subscribe to gps.f.>") == true)
        #expect(pattern.refusal("Slow Consumer") == nil)
    }

    @Test(arguments: [["*"], ["f", ">"], ["a", "b", "c", "d"], ["f", "b.c"]])
    func `invalid names are rejected`(parts: [String]) {
        #expect(throws: FleetError.self) { try MemberPattern(parts) }
    }
}
