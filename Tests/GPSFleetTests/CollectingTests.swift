// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Glibc
import Testing

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
