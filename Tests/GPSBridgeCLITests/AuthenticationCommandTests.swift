// SPDX-License-Identifier: MIT
import GNSSAuthentication
import GPSTestSupport
import GPSTestTraits
import Glibc
import SimulatedDevices
import Testing

/// Galileo's signatures in recordings with known answers, which are not part of this package.
@Suite(.timeLimit(.generous))
struct AuthenticationCommandTests {
    private static let folder =
        getenv("GPSBRIDGE_OSNMA_CORPUS").map { String(cString: $0) }
        ?? PackageFile.folder + "/../shared/corpus/osnma"

    @Test(.enabled(if: access(folder, F_OK) == 0, "the recordings are not here"))
    func `the counts of a recording are in one line, before the verdicts of each sub-frame`()
        async throws
    {
        let keys = try TemporaryFolder()
        let folder = Self.folder
        for file in ["OSNMA_MerkleTree.xml", "OSNMA_PublicKey_1.xml"] {
            let run = try await CommandRun(
                words: [
                    "authentication", "--install", "\(folder)/f9t/\(file)", "--keys", keys.path,
                ])
            let lines = try await run.lines()
            // The tree has the newer key 2.
            let isRefused = file.contains("PublicKey_1")
            #expect(await run.status() == (isRefused ? 1 : 0))
            #expect(
                lines.contains { $0.hasPrefix("Merkle tree 832E15EDE5") } != isRefused, "\(lines)")
            let key = lines.dropFirst().first ?? ""
            #expect(isRefused || key.hasPrefix("public key 2 (P-256) 02"), "\(lines)")
        }
        let run = try await CommandRun(
            words: [
                "authentication", "check", "\(folder)/../ubx/f9t-static-79min.ubx.zst", "--keys",
                keys.path,
            ])
        let lines = try await run.lines()
        #expect(
            lines.first == """
                week=1385 first_subframe_tow=140490 subframes=159 kroot_ok=71 pkr_ok=0 keys_ok=1028 \
                keys_bad=0 distinct_keys=158 macseq_ok=1017 macseq_bad=0 ok_0=2894 ok_4=466 \
                ok_12=1189 dummy_ok=147 bad=0 not_checkable=1295 \
                first_authenticated_subframe=140610 A=1434 F=0 U=456
                """)
        #expect(lines.count == 160)
        #expect(
            lines.dropFirst(5).first
                == "140610\tE07A E08A E12U E13A E14U E16A E21A E23A E26A E31A E33A")
    }

    @Test(.enabled(if: access(folder, F_OK) == 0, "the recordings are not here"))
    func `the fixes of a recording say how many satellites are authenticated`() async throws {
        let keys = try TemporaryFolder()
        let (folder, path) = (Self.folder, keys.path)
        let installation = try await CommandRun(
            words: [
                "authentication", "--install", "\(folder)/f9t/OSNMA_MerkleTree.xml", "--keys", path,
            ])
        #expect(await installation.status() == 0)
        let run = try await CommandRun(
            words: [
                "monitor", "-f", "json", "--speed", "1e6", "--galileo-keys", path,
                "\(folder)/../ubx/f9t-static-79min.ubx.zst",
            ])
        let lines = try await run.lines().filter { $0.contains(#""authentication":"#) }
        func count(_ part: String) -> Int { lines.count { $0.contains(part) } }
        let first = lines.first { $0.contains(#""authentication":"consistent""#) }
        // The sub-frame's last page is received with the epoch before.
        #expect(first?.contains("15:03:44.000Z") == true, "\(first ?? "")")
        #expect(count(#""authentication":"failed""#) == 0)
        let all = count(#""galileoSatellites":8,"authenticatedSatellites":8,"failedSatellites":0"#)
        #expect(2700...2780 ~= all, "\(all)")
    }

    @Test func `a simulated receiver signs, and writes the tree that verifies it`() async throws {
        let folder = try TemporaryFolder()
        let tree = folder.path + "/tree.xml"
        let simulation = try await CommandRun(
            words: [
                "simulate", "--personality", "f9p", "--protocol", "ubx", "--osnma", tree, "--count",
                "1",
            ])
        #expect(await simulation.status() == 0)
        let installation = try await CommandRun(
            words: ["authentication", "--install", tree, "--keys", folder.path + "/keys"])
        let lines = try await installation.lines()
        #expect(lines.contains("valid state Simulated"), "\(lines)")
        #expect(await installation.status() == 0)
        for words in [["--personality", "ublox6", "--protocol", "ubx"], ["--personality", "f9p"]] {
            try await CommandRun.expectFailure(
                ["simulate", "--osnma", tree] + words, status: 2,
                "--osnma needs a personality from ublox8 on and --protocol ubx or both")
        }
    }

    @Test func `recorded signatures of a simulation are consistent, and forged orbits fail`()
        async throws
    {
        let folder = try TemporaryFolder()
        let key = try #require(TestKey())
        _ = try folder.file("tree.xml", Array(try #require(key.tree(Libcrypto())).utf8))
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .x20p
        configuration.protocols = .ubx
        configuration.testKey = key
        configuration.faults = [Fault(.forgedOrbits, at: 240)]
        var receiver = SimulatedReceiver(configuration)
        let file = try folder.file("a.ubx", (0..<360).flatMap { _ in receiver.next().bytes })
        let check = try await CommandRun(
            words: ["authentication", "check", file, "--keys", folder.path])
        let lines = try await check.lines()
        let verdicts = lines.dropFirst()
        #expect(lines.first?.contains(" keys_bad=0 ") == true, "\(lines)")
        #expect(verdicts.first { $0.contains("A") } != nil, "\(lines)")
        #expect(verdicts.last?.contains("F") == true, "\(lines)")
        let monitor = try await CommandRun(
            words: [
                "monitor", "-f", "json", "--speed", "1e6", "--galileo-keys", folder.path, file,
            ])
        let fixes = try await monitor.lines().filter { $0.contains(#""authentication":"#) }
        #expect(fixes.contains { $0.contains(#""authentication":"consistent""#) })
        #expect(fixes.last?.contains(#""authentication":"failed""#) == true)
        #expect(fixes.allSatisfy { $0.contains(#""status":8"#) })
    }

    @Test func `time that must be authenticated needs a clock service and a clock's bound`()
        async throws
    {
        for (words, text) in [
            ([], "--require-authenticated needs --chrony or --shm"),
            (["--chrony", "/nonexistent/a.sock"], "--require-authenticated needs --clock-bound"),
        ] {
            try await CommandRun.expectFailure(
                ["serve", "simulated", "--require-authenticated"] + words, status: 2, text)
        }
    }

    @Test func `without keys, and with a file that is none, the message says what to do`()
        async throws
    {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.ubx", [0])
        try await CommandRun.expectFailure(
            ["authentication", "check", file, "--keys", folder.path], status: 1,
            "install one with `gpsbridge authentication --install FILE`")
        try await CommandRun.expectFailure(
            ["authentication", "--install", file, "--keys", folder.path], status: 1,
            "the XML is not well-formed")
        try await CommandRun.expectFailure(
            ["authentication", file], status: 2, "write `authentication check \(file)`")
        try await CommandRun.expectFailure(
            ["authentication", "check"], status: 2, "no recording to check was given")
    }
}
