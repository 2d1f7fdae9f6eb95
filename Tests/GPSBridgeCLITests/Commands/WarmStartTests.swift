// SPDX-License-Identifier: MIT
import GPSIO
import GPSTestSupport
import Testing

/// `--warm-start` of the commands that read receivers, with simulated receivers on pseudo terminals.
@Suite(.timeLimit(.generous))
struct WarmStartTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var files: [String] {
        Folder.names(in: folder.path("state/gpsbridge")).filter { $0.hasPrefix("warm-start-") }
    }

    @Test(arguments: ["monitor", "record", "serve"])
    func `data is stored at the end, and shown`(_ command: String) async throws {
        // At 9600 baud only a line that is faster than its rate carries the database, which a busy
        // machine's is not.
        try await folder.simulate("ublox10", ["-b", "115200"]) { tty in
            let words =
                switch command {
                case "monitor": ["monitor", tty, "-b", "115200", "-f", "text"]
                case "record": ["record", tty, "-b", "115200", "-o", folder.path("drive.csv")]
                default:
                    [
                        "serve", tty, "-b", "115200", "--user", "root", "--listen", "127.0.0.1:0",
                    ]
                }
            // On a busy machine the receiver may answer too late.
            for _ in 0..<5 where files.isEmpty {
                let path = folder.path("drive.csv")
                // The first line names the columns.
                let count = max(1, GPSTestSupport.lines(of: readFile(path)).count)
                let run = try await folder.run(words + ["--warm-start"])
                switch command {
                case "monitor": _ = try await run.line()
                case "record":
                    try await waitForFile(path) { GPSTestSupport.lines(of: $0).count > count }
                default:
                    let address = try await run.message(with: "clients at ") ?? ""
                    let port = address.split(separator: ":").last ?? ""
                    // The client may have the first fix before the server's own cycle is complete.
                    let words = ["monitor", "gpsd://127.0.0.1:\(port)", "-f", "text", "-n", "3"]
                    #expect(await (try CommandRun(words: words)).status() == 0)
                }
                await run.end()
            }
            #expect(files.count == 1)
            let show = try await folder.run(["configure", tty, "--line-baud", "115200", "--show"])
            let lines = try await show.lines()
            let stored = lines.first { $0.hasPrefix("stored  ") }
            #expect(stored?.contains("100 database entries") == true, "\(lines)")
        }
    }

    @Test func `stored data is sent only if the clock is synchronised`() async throws {
        try await folder.simulate("ublox10") { tty in
            for _ in 0..<5 where files.isEmpty {
                let run = try await folder.run([
                    "monitor", tty, "-f", "text", "-n", "2", "--warm-start",
                ])
                #expect(await run.status() == 0)
            }
        }
        try await folder.simulate("ublox10", ["--cold"]) { tty in
            let run = try await folder.run(["monitor", tty, "-f", "text", "--warm-start"])
            let expected =
                ClockSynchronization.maximumError == nil
                ? "clock is not synchronised" : "the receiver used"
            #expect(try await run.message(with: expected) != nil)
            await run.end()
        }
    }

    @Test(arguments: ["monitor", "serve"])
    func `a source without a serial line is a usage error`(_ command: String) async throws {
        let run = try await folder.run([command, "tcp://localhost:1", "--warm-start"])
        #expect(try await run.message()?.contains("serial line") == true)
        #expect(await run.status() == 2)
    }
}
