// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import Testing

/// A receiver that sends UBX without positions, and some text.
@Suite(.timeLimit(.generous))
struct BinaryReceiverTests {
    private static let frame: [UInt8] = [
        0xB5, 0x62, 0x01, 0x03, 0x02, 0x00, 0x05, 0x06, 0x11, 0x2D,
    ]
    private static let text = Array("$GPTXT,01,01,02,ANTSTATUS=OK*3B\r\n".utf8)
    private static let bytes = text + repeatElement(frame, count: 20).joined() + text
    private static let expected = "UBX without positions: "

    @Test(arguments: ["monitor", "record", "serve"])
    func `a binary protocol is reported while reading`(_ command: String) async throws {
        let terminal = try PseudoTerminal()
        let folder = try TemporaryFolder()
        let words = [
            "monitor": ["-f", "json", "-b", "9600"],
            "record": ["-o", folder.path("a.gpx"), "-b", "9600"],
            "serve": ["-l", folder.path("s"), "-b", "9600", "--user", "root"],
        ]
        let sending = Task(executorPreference: Poller.shared) {
            while !Task.isCancelled {
                await terminal.write(Self.bytes, whenFull: .drop)
                _ = await Poller.shared.sleep(until: .now + .milliseconds(200))
            }
        }
        let run = try await CommandRun(words: [command, terminal.path] + (words[command] ?? []))
        let message = try await run.message(with: Self.expected)
        #expect(message?.contains("\(terminal.path) sends UBX") == true)
        #expect(message?.contains("ubxtool -e NMEA") == true)
        sending.cancel()
        await sending.value
        run.send(SIGTERM)
        _ = await run.status()
    }

    @Test(arguments: [
        ["convert", "$0", "--to", "csv"], ["convert", "-", "--to", "json"],
        ["convert", "$0", "--summary"],
        ["monitor", "$0", "-f", "text"], ["monitor", "-", "-f", "json"],
        ["record", "$0", "-o", "$1.gpx"],
    ])
    func `a binary recording is reported, with status 3`(_ words: [String]) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.ubx", Self.bytes)
        let run = try await CommandRun(
            words: words.map {
                $0.replacing("$0", with: file).replacing("$1", with: folder.path("out"))
            }, input: file)
        let message = try await run.message(with: Self.expected)
        #expect(message?.contains("record it again, but first switch NMEA or NAV-PVT on") == true)
        #expect(try await run.messages().allSatisfy { !$0.contains("valid sentence") })
        #expect(await run.status() == 3)
    }

    @Test func `a long binary recording is reported by several cores`() async throws {
        let folder = try TemporaryFolder()
        let count = (5 << 20) / Self.bytes.count
        let file = try folder.file(
            "a.ubx", Array(repeatElement(Self.bytes, count: count).joined()))
        let run = try await CommandRun(words: ["convert", file, "--to", "csv", "-j", "2"])
        #expect(try await run.message(with: Self.expected) != nil)
        #expect(await run.status() == 3)
    }

    @Test func `bytes of a binary protocol are recorded`() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.file("a.ubx", Self.bytes)
        let run = try await CommandRun(words: ["record", file, "-o", folder.path("b.ubx")])
        #expect(try await run.message(with: Self.expected) != nil)
        #expect(await run.status() == 0)
        #expect(try folder.bytes("b.ubx").suffix(100).elementsEqual(Self.bytes.suffix(100)))
    }
}
