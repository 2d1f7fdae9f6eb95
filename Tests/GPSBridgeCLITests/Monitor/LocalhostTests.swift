// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// Host names on a machine without `/etc/hosts` and without a name server.
@Suite(.timeLimit(.generous))
struct LocalhostTests {
    /// Removed at the end of the process, since other processes use it.
    private static let folder = Result { try TemporaryFolder() }

    /// Runs a program on such a machine. With `dns`, it asks a name server that it cannot reach.
    private static func run(
        _ program: String, _ words: String..., hosts: String = "files"
    ) async throws -> CommandRun {
        let sources = try folder.get().file(
            "nsswitch-\(hosts).conf", Array("hosts: \(hosts)\n".utf8))
        let script = """
            { [ ! -e /etc/hosts ] || mount --bind /dev/null /etc/hosts; } &&
                { [ ! -e /etc/nsswitch.conf ] || mount --bind "$0" /etc/nsswitch.conf; } && exec "$@"
            """
        let network = hosts == "dns" ? ["--net"] : []
        return try await CommandRun(
            "/usr/bin/env",
            words: ["unshare", "--user", "--map-root-user", "--mount"] + network
                + ["sh", "-c", script, sources, program] + words)
    }

    /// Whether this user may create such a machine.
    private static func canHideNames() async throws -> Bool {
        try await run("true").status() == 0
    }

    @Test(.enabled("needs user namespaces") { try await canHideNames() })
    func `localhost is this machine, even if the system cannot resolve it`() async throws {
        let run = try await Self.run(
            CommandRun.executable, "monitor", "-f", "json", "tcp://localhost:1")
        #expect(try await run.message(with: "tcp://localhost:1")?.contains("The host of") == false)
        #expect(await run.status() == 1)
    }

    @Test(.enabled("needs user namespaces") { try await canHideNames() })
    func `an unknown host is reported, and delays no other source`() async throws {
        let unknown = "tcp://no-such-host:1"
        let alone = try await Self.run(CommandRun.executable, "monitor", "-f", "json", unknown)
        let message = "The host of \(unknown) was not found: check its name and the network."
        #expect(try await alone.messages() == ["gpsbridge: \(message)"])
        #expect(await alone.status() == 1)
        let both = try await Self.run(
            CommandRun.executable, "monitor", "-f", "json", "simulated:rate=20", unknown)
        #expect(try await both.message(with: "The host of") == "gpsbridge: waiting: \(message)")
        #expect(try await both.line(with: "TPV") != nil)
        await both.end()
    }

    @Test(
        .enabled("needs user namespaces") {
            try await run("true", hosts: "dns").status() == 0
        })
    func `the reason why a name server cannot be asked is reported`() async throws {
        let source = "tcp://no-such-host.invalid:1"
        let run = try await Self.run(
            CommandRun.executable, "monitor", "-f", "json", source, hosts: "dns")
        let reason = String(cString: gai_strerror(EAI_AGAIN))
        #expect(try await run.message(with: "The host of \(source)")?.contains(reason) == true)
        #expect(await run.status() == 1)
    }
}
