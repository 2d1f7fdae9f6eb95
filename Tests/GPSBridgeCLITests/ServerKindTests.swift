// SPDX-License-Identifier: MIT
import Devices
import SimulatedDevices
import Testing

/// What answers at the other end of `tcp://…`.
@Suite(.timeLimit(.minutes(1)))
struct ServerKindTests {
    /// Runs a command against a server that sends a text, again and again.
    private func run(
        _ words: [String], against text: String
    ) async throws -> (run: CommandRun, name: String) {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let name = "tcp://127.0.0.1:\(server.port)"
        let sending = Task {
            while !Task.isCancelled {
                server.send(Array(text.utf8))
                _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            }
        }
        let run = try await CommandRun(words: words.map { $0 == "SERVER" ? name : $0 })
        _ = await run.status()
        sending.cancel()
        await sending.value
        server.close()
        return (run, name)
    }

    @Test(arguments: [
        (["monitor", "SERVER", "-f", "text"], CInt(1)), (["doctor", "SERVER"], CInt(15)),
    ])
    func `a gpsd is recognised, and its address suggested`(
        _ words: [String], _ status: CInt
    ) async throws {
        let greeting = "{\"class\":\"VERSION\",\"release\":\"3.25\",\"proto_major\":3}\r\n"
        let (run, name) = try await run(words, against: greeting)
        let said = try await run.messages() + run.lines()
        let address = "gpsd://" + name.dropFirst("tcp://".count)
        #expect(said.contains { $0.contains("is a gpsd") && $0.contains(address) }, "\(said)")
        #expect(await run.status() == status)
    }

    @Test func `doctor suggests a command that can look at a server`() async throws {
        let (run, name) = try await run(["doctor", "SERVER", "-d", "2"], against: "hello\r\n")
        let lines = try await run.lines()
        let port = name.split(separator: ":").last ?? ""
        #expect(lines.contains { $0.contains("nc 127.0.0.1 \(port) | head -c 500") }, "\(lines)")
        #expect(!lines.contains { $0.contains("head -c 500 tcp") })
    }
}
