// SPDX-License-Identifier: MIT
import GPSTestSupport
import Testing

/// The command `gpsbridge configure --diverse`, with simulated receivers on real pseudo terminals.
@Suite(.timeLimit(.generous))
struct DiverseConfigurationTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// Simulates receivers while `body` runs.
    private func simulate(
        _ personalities: [String], _ body: (_ ttys: [String]) async throws -> Void
    ) async throws {
        var runs: [CommandRun] = []
        let ttys = personalities.indices.map { folder.path("gps\($0)") }
        for (personality, tty) in zip(personalities, ttys) {
            let words = [
                "simulate", "--link", tty, "--personality", personality, "--baud", "115200",
            ]
            runs.append(try await CommandRun(words: words))
        }
        for run in runs { _ = try await run.line() }
        try await body(ttys)
        for run in runs {
            await run.end()
        }
    }

    /// Runs `configure` with a state folder of its own.
    private func configure(_ words: [String]) async throws -> CommandRun {
        try await folder.run(["configure"] + words)
    }

    /// Returns the constellations of a receiver.
    private func constellations(_ tty: String) async throws -> String {
        let lines = try await folder.settings(of: tty)
        let line = lines.first { $0.hasPrefix("constellations ") } ?? ""
        return line.drop { $0 != " " }.drop { $0 == " " }.description
    }

    @Test func `chips of three generations get different pairs, after the plan is printed`()
        async throws
    {
        try await simulate(["ublox8", "ublox10", "f9p"]) { ttys in
            let words = ["a=\(ttys[0])", "b=\(ttys[1])", "c=\(ttys[2])"]
            let before = try await constellations(ttys[1])
            let dry = try await configure(["--diverse", "--dry-run"] + words)
            let plan = try await dry.lines()
            #expect(plan.count == 3, "\(plan)")
            #expect(plan.first?.hasPrefix("a: GPS and Galileo (u-blox M8") == true, "\(plan)")
            #expect(plan.dropFirst().first?.hasPrefix("b: GPS and GLONASS (u-blox M10") == true)
            #expect(plan.last?.hasPrefix("c: Galileo and BeiDou (u-blox ZED-F9P") == true)
            let messages = try await dry.messages()
            #expect(messages.contains { $0.contains("c: would change constellations") })
            #expect(await dry.status() == 0)
            #expect(try await constellations(ttys[1]) == before)

            let run = try await configure(["--diverse", "--save"] + words)
            #expect(try await run.lines() == plan)
            let saved = try await run.messages().filter { $0.contains("saved") }
            #expect(saved.count == 3, "\(saved)")
            #expect(await run.status() == 0)
            let found = try await [
                constellations(ttys[0]), constellations(ttys[1]), constellations(ttys[2]),
            ]
            #expect(found[0].contains("gps") && found[0].contains("galileo"), "\(found)")
            #expect(found[1].contains("gps") && found[1].contains("glonass"), "\(found)")
            #expect(found[2] == "galileo, beidou", "\(found)")
            #expect(!found[0].contains("glonass") && !found[0].contains("beidou"), "\(found)")
            #expect(!found[1].contains("galileo") && !found[1].contains("beidou"), "\(found)")
        }
    }

    @Test func `a chip that receives one constellation at a time is refused before any change`()
        async throws
    {
        try await simulate(["ublox9", "ublox7"]) { ttys in
            let before = try await constellations(ttys[0])
            let run = try await configure(["--diverse", "bow=\(ttys[0])", "aft=\(ttys[1])"])
            let messages = try await run.messages()
            #expect(
                messages.last?.contains("aft: u-blox 7") == true
                    && messages.last?.contains("cannot receive two of") == true, "\(messages)")
            #expect(await run.status() == 1)
            #expect(try await constellations(ttys[0]) == before)
        }
    }

    @Test func `a receiver that refuses its pair keeps its settings, and the others have theirs`()
        async throws
    {
        try await simulate(["ublox9", "f9p"]) { ttys in
            // An F9P refuses Galileo beside another constellation while its second signal is off.
            let file = try folder.file("off", Array("ubx 06 8A 00 01 00 00 0A 00 31 10 00\n".utf8))
            for words in [["--constellations", "gps,glonass"], ["--send", file]] {
                #expect(await (try await configure([ttys[1]] + words)).status() == 0)
            }
            let before = try await constellations(ttys[1])
            let run = try await configure(["--diverse", "bow=\(ttys[0])", "aft=\(ttys[1])"])
            let messages = try await run.messages()
            #expect(
                messages.contains {
                    $0.contains("aft: ") && $0.contains("does not allow this combination")
                }, "\(messages)")
            #expect(await run.status() == 1)
            #expect(try await constellations(ttys[1]) == before)
            #expect(try await constellations(ttys[0]).contains("gps"))
            #expect(try await !constellations(ttys[0]).contains("galileo"))
        }
    }

    @Test(arguments: [
        ([], "--diverse configures 2 to 8 receivers, not 0"),
        (["a"], "--diverse configures 2 to 8 receivers, not 1"),
        (["a=/dev/null", "a=/dev/zero"], "two receivers have the name 'a'"),
        (
            ["gpsd://localhost", "/dev/null"],
            "--diverse does not configure receivers through a server"
        ),
        (["/dev/null", "/dev/zero", "-c", "gps"], "leave out --constellations"),
        (["/dev/null", "/dev/zero", "--dump", "-"], "cannot be combined with --show, --dump"),
        (["/dev/null", "/dev/zero", "--show"], "cannot be combined with --show"),
    ])
    func `mistakes are usage errors`(words: [String], message: String) async throws {
        let run = try await configure(["--diverse"] + words)
        let messages = try await run.messages()
        #expect(messages.contains { $0.contains(message) }, "\(messages)")
        #expect(await run.status() == 2)
    }
}
