// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// Completions and manual pages, read by shells and groff.
@Suite(.timeLimit(.generous))
struct HelpTests {
    private static func find(_ program: String) -> String? {
        ["/bin/", "/usr/bin/", "/usr/local/bin/"].map { $0 + program }
            .first { access($0, X_OK) == 0 }
    }

    private static let groff = find("groff")
    private static let bash = find("bash")

    /// Returns bash's completions after some words; `=` is a separate word.
    private func offers(_ words: String...) async throws -> [String] {
        let script = """
            source <("$0" --completions bash)
            COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
            _gpsbridge 2>&1
            printf '%s\\n' "${COMPREPLY[@]}"
            """
        let run = try await CommandRun(
            try #require(Self.bash),
            words: ["-c", script, CommandRun.executable, "gpsbridge"] + words)
        return try await run.lines().filter { !$0.isEmpty }
    }

    @Test(.enabled(if: bash != nil, "bash is not installed"))
    func `bash completes commands, options, formats and files`() async throws {
        #expect(try await offers("con") == ["configure", "convert"])
        #expect(try await offers("convert", "--sim") == ["--simplify="])
        #expect(
            try await offers("convert", "--to", "geo") == [
                "geojson", "geojson-lines", "geojsonseq",
            ])
        #expect(try await offers("convert", "--to", "=", "k") == ["kml"])
        #expect(try await offers("convert", "-t", "").contains("csv"))
        #expect(try await offers("record", "-f", "r") == ["raw", "rinex-obs", "rinex-nav"])
        #expect(try await offers("monitor", "-f", "") == ["screen", "text", "json", "csv", "nmea"])
        #expect(try await offers("--comp") == ["--completions"])
        #expect(try await offers("--completions", "z") == ["zsh"])
        #expect(try await offers("convert", "--every", "") == [])
        let folder = try TemporaryFolder()
        let file = try folder.file("drive.nmea", [])
        #expect(try await offers("convert", folder.path("dri")) == [file])
        #expect(try await offers("monitor", "--to", folder.path("dri")) == [file])
        // A value that may be omitted follows `=`: the next word is another argument.
        #expect(try await offers("convert", "--summary", "=", "t") == ["text"])
        #expect(try await offers("convert", "--summary", folder.path("dri")) == [file])
        #expect(try await offers("convert", "--summ") == ["--summary"])
    }

    @Test(.enabled(if: find("fish") != nil, "fish is not installed"))
    func `fish completes commands, options, formats and files`() async throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("drive.nmea", [])
        let script = """
            cd \(folder.path)
            \(CommandRun.executable) --completions fish | source
            for line in $argv
                printf '%s:' "$line"
                complete -C"$line" | string replace -r '\\t.*' '' | string join ' '
                echo
            end
            """
        let lines = [
            "gpsbridge con", "gpsbridge convert --to geo", "gpsbridge monitor --format=j",
            "gpsbridge record -f r", "gpsbridge convert dri", "gpsbridge convert --every ",
            "gpsbridge --completions z", "gpsbridge convert --summary=j",
            "gpsbridge convert --summary dri",
        ]
        let fish = try #require(Self.find("fish"))
        let run = try await CommandRun(fish, words: ["--no-config", "-c", script] + lines)
        #expect(
            try await run.lines().filter { !$0.isEmpty } == [
                "gpsbridge con:convert", "gpsbridge convert --to geo:geojson geojsonseq",
                "gpsbridge monitor --format=j:--format=json", "gpsbridge record -f r:raw",
                "gpsbridge convert dri:drive.nmea", "gpsbridge convert --every :",
                "gpsbridge --completions z:zsh",
                "gpsbridge convert --summary=j:--summary=json",
                "gpsbridge convert --summary dri:drive.nmea",
            ])
        #expect(try await run.messages() == [])
    }

    @Test(.enabled(if: find("zsh") != nil && TmuxTerminal.isThere, "zsh or tmux is not installed"))
    func `zsh completes commands, options, formats and files`() async throws {
        let folder = try TemporaryFolder()
        let text = try await CommandRun(words: ["--completions", "zsh"]).lines()
        _ = try folder.file("_gpsbridge", Array(text.map { $0 + "\n" }.joined().utf8))
        _ = try folder.file("drive.nmea", [])
        let terminal = try await TmuxTerminal(width: 100, height: 30)
        try await terminal.type("exec zsh -f")
        try await terminal.type(
            "fpath=(\(folder.path) $fpath); autoload -Uz compinit; compinit -u -D; "
                + "cd \(folder.path); PROMPT='ready> '; clear")
        try await terminal.wait(for: "ready> ")
        for (typed, completed) in [
            ("gpsbridge con", "ready> gpsbridge convert"),
            ("gpsbridge convert --to k", "ready> gpsbridge convert --to kml"),
            ("gpsbridge convert --to=g", "geojson     geojsonseq  gpx"),
            ("gpsbridge monitor -f ", "json    nmea    screen  text"),
            ("gpsbridge convert dri", "ready> gpsbridge convert drive.nmea"),
            ("gpsbridge convert --summary=j", "ready> gpsbridge convert --summary=json"),
            (
                "gpsbridge convert --summary dri",
                "ready> gpsbridge convert --summary drive.nmea"
            ),
            ("gpsbridge --comp", "ready> gpsbridge --completions"),
        ] {
            try await terminal.press("-l", typed)
            try await terminal.press("Tab")
            try await terminal.wait(for: completed)
            try await terminal.press("C-u", "C-l")
            while try await terminal.shown().contains(completed) { try Task.checkCancellation() }
        }
        try await terminal.kill()
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `completions are valid scripts`(_ name: String) async throws {
        let run = try await CommandRun(words: ["--completions", name])
        let lines = try await run.lines()
        #expect(await run.status() == 0)
        #expect(lines.contains { $0.contains("simplify") })
        guard let shell = Self.find(name) else { return }
        let folder = try TemporaryFolder()
        let text = lines.map { $0 + "\n" }.joined()
        let file = try folder.file("script", Array(text.utf8))
        let check = try await CommandRun(shell, words: ["-n", file])
        #expect(try await check.messages() == [])
        #expect(await check.status() == 0)
    }

    @Test(arguments: [
        "gpsbridge", "monitor", "list", "doctor", "convert", "record", "serve", "simulate",
    ])
    func `a manual page has every option, and groff accepts it`(
        _ name: String
    ) async throws {
        let run = try await CommandRun(words: ["--man-page", name])
        let text = try await run.lines().map { $0 + "\n" }.joined()
        #expect(await run.status() == 0)
        let words = name == "gpsbridge" ? ["--help"] : [name, "--help"]
        let help = try await CommandRun(words: words).lines()
        for line in help {
            guard let option = line.firstMatch(of: #/^ .{5}--([a-z0-9-]+)/#) else { continue }
            let escaped = option.1.split(separator: "-").joined(separator: "\\-")
            #expect(text.contains("\\fB\\-\\-\(escaped)\\fR"), "\(option.1)")
        }
        guard let groff = Self.groff else { return }
        let folder = try TemporaryFolder()
        let file = try folder.file("page.1", Array(text.utf8))
        let page = try await CommandRun(groff, words: ["-man", "-Tutf8", "-ww", "-z", file])
        #expect(try await page.messages() == [])
    }

    @Test(arguments: [
        ("monitor", [".SH KEYS", ".SH FILES", ".SH ENVIRONMENT", "NO_COLOR"]),
        ("record", [".SH FILES", ".SH ENVIRONMENT"]), ("doctor", [".SH FILES", ".SH ENVIRONMENT"]),
        ("convert", [".SH FILES", ".SH EXIT STATUS", "130"]), ("list", [".SH FILES"]),
        ("serve", [".SH FILES", ".SH ENVIRONMENT", "LISTEN_FDS"]), ("simulate", [".SH FILES"]),
        ("gpsbridge", [".SH FILES", ".SH ENVIRONMENT", "NO_COLOR", "LISTEN_FDS"]),
    ])
    func `a manual page has keys, files, variables and statuses`(
        _ name: String, _ parts: [String]
    ) async throws {
        let text = try await CommandRun(words: ["--man-page", name]).lines().joined(separator: "\n")
        for part in parts { #expect(text.contains(part), "\(part)") }
    }

    /// Returns the output of `--help` on a terminal of a width.
    private func help(_ command: String, columns: Int) async throws -> [String] {
        let variables = ["-u", "ARGP_HELP_FMT", "COLUMNS=\(columns)"]
        return try await CommandRun(variables: variables, words: [command, "--help"]).lines()
    }

    @Test(
        arguments: ["monitor", "list", "doctor", "convert", "record", "serve", "simulate"],
        [40, 60, 80, 100])
    func `help is wrapped to the terminal, and rows of tables are indented`(
        _ command: String, _ columns: Int
    ) async throws {
        let lines = try await help(command, columns: columns)
        let text = lines.drop { !$0.contains("--version") }
        #expect(text.count > 3)
        for (line, next) in zip(text, text.dropFirst()) where line.hasPrefix("  ") {
            #expect(next.isEmpty || next.hasPrefix("  "), "\(next)")
        }
        for line in text where line.contains(" ") {
            #expect(line.count < columns, "\(line)")
        }
        // Lines use the full width of the terminal.
        #expect(lines.contains { $0.count > columns - 15 })
    }

    @Test(arguments: ["convert", "record", "serve", "simulate"])
    func `each example is one line of 80 columns`(_ command: String) async throws {
        let lines = try await help(command, columns: 80)
        let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(example.hasPrefix("  gpsbridge \(command)"), "\(example)")
        }
    }

    @Test func `the overview has an example for each of see, record and share`() async throws {
        let lines = try await CommandRun(words: ["--help"]).lines()
        let examples = lines.drop { $0 != "Examples:" }.dropFirst().prefix { !$0.isEmpty }
        let commands = ["monitor", "record", "serve"]
        #expect(examples.count == 3)
        for (example, command) in zip(examples, commands) {
            #expect(example.hasPrefix("  gpsbridge \(command)"))
        }
    }

    @Test(arguments: [
        ("convert", ["--plot", "--summary"]), ("monitor", ["screen", "text", "--plot"]),
    ])
    func `help on units names the outputs, the values and the default`(
        _ command: String, _ outputs: [String]
    ) async throws {
        let lines = try await help(command, columns: 100).drop { !$0.contains("--units=UNITS") }
        let text = lines.prefix(2).joined(separator: " ")
        for word in outputs + ["metric (default)", "imperial", "nautical"] {
            #expect(text.contains(word), "\(word)")
        }
    }

    @Test func `unknown shells and pages are reported`() async throws {
        let shell = try await CommandRun(words: ["--completions", "bsh"])
        #expect(try await shell.messages().first?.contains("did you mean 'bash'?") == true)
        #expect(await shell.status() == 2)
        try await CommandRun.expectFailure(
            ["--man-page", "convrt"], status: 2, "did you mean 'convert'?")
    }
}
