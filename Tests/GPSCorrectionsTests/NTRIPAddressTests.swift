// SPDX-License-Identifier: MIT
import GNSS
import GPSCorrections
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct NTRIPAddressTests {
    @Test func `an address has a host, a port, a user and a mount point`() throws {
        let address = try NTRIPAddress("ntrip://me@example.org@caster.example:2102/BASE")
        #expect(address.host == "caster.example")
        #expect(address.port == 2102)
        #expect(address.user == "me@example.org")
        #expect(address.mount == "BASE")
        #expect(!address.isEncrypted)
        #expect("\(address)" == "ntrip://caster.example:2102/BASE")
    }

    @Test(
        arguments: [
            ("ntrip://caster/BASE", 2101, "BASE"), ("ntrips://caster/BASE", 443, "BASE"),
            ("ntrip://[::1]/BASE", 2101, "BASE"), ("ntrip://[::1]:99/", 99, ""),
            ("ntrip://caster", 2101, ""),
        ] as [(String, UInt16, String)])
    func `the port and the mount point may be missing`(
        text: String, port: UInt16, mount: String
    ) throws {
        let address = try NTRIPAddress(text)
        #expect(address.port == port)
        #expect(address.mount == mount)
        #expect(address.user == nil)
    }

    @Test func `a password in an address is refused, and not repeated`() throws {
        let error = try #require(throws: UsageError.self) {
            try NTRIPAddress("ntrip://me:secret@caster/BASE")
        }
        #expect("\(error)".contains("--ntrip-password-file"))
        #expect(!"\(error)".contains("secret"))
    }

    @Test(
        arguments: [
            "http://caster/BASE", "ntrip:///BASE", "ntrip://caster:x/BASE", "ntrip://a b/BASE",
            "ntrip://caster/BA\r\nSE",
        ])
    func `other addresses are refused`(text: String) {
        #expect(throws: UsageError.self) { try NTRIPAddress(text) }
    }
}

@Suite(.timeLimit(.generous))
struct SourceTableTests {
    private static let table = SourceTable(
        Array(
            """
            SOURCETABLE 200 OK\r
            Content-Type: text/plain\r
            \r
            CAS;rtk2go.com;2101;SNIP;SCSC;0;USA;0;0;0.0.0.0;0;\r
            STR;FAR;Wien;RTCM 3.2;1005(1),1077(1);2;GPS+GLO;MISC;AUT;48.20;16.40;0;0;X;none;B;N;9600;\r
            STR;NEAR;"Linz; Au";RTCM3;;2;GPS;;AUT;48.30;350.01;1;1;X;none;N;Y;;\r
            STR;OLD;Graz;CMR+;;2;GPS;;AUT;48.30;14.29;0;0;X;none;N;N;;\r
            STR;NOWHERE;;RTCM 3.3;;;;;;;;\r
            STR;SHORT\r
            STR;;empty\r
            ENDSOURCETABLE\r

            """.utf8))

    @Test func `reads the streams of a table`() throws {
        let mounts = Self.table.mounts
        #expect(mounts.map(\.name) == ["FAR", "NEAR", "OLD", "NOWHERE", "SHORT"])
        let far = try #require(mounts.first)
        #expect(far.identifier == "Wien")
        #expect(far.details == "1005(1),1077(1)")
        #expect(far.systems == "GPS+GLO")
        #expect(far.coordinate == Coordinate(latitude: 48.2, longitude: 16.4))
        #expect(!far.needsPosition && far.needsUser && !far.hasFee)
        #expect(mounts[1].identifier == "Linz; Au")
        #expect(mounts[1].needsPosition && !mounts[1].needsUser && mounts[1].hasFee)
        #expect(mounts[3].coordinate == nil)
        #expect(mounts[4].format == "")
    }

    @Test func `the nearest supported stream is first`() {
        let nearest = Self.table.nearest(to: Coordinate(latitude: 48.3, longitude: -10))
        #expect(nearest.map(\.mount.name) == ["NEAR", "FAR", "NOWHERE"])
        #expect(nearest[0].distance.map { 700...800 ~= $0 } == true)
        #expect(nearest[2].distance == nil)
    }

    @Test func `a table in Latin-1 is readable`() {
        let line = Array("STR;K;K".utf8) + [0xF6] + Array("ln;RTCM 3".utf8)
        #expect(SourceTable(line).mounts.map(\.identifier) == ["Köln"])
    }
}
