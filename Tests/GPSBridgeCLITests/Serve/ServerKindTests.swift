// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import SimulatedDevices
import Testing

/// Detection of the server behind `tcp://…`.
@Suite(.timeLimit(.generous))
struct ServerKindTests {
    /// Runs a command with a server that sends a text repeatedly.
    private func run(
        _ words: [String], against text: String
    ) async throws -> (run: CommandRun, name: String) {
        let server = try SimulatedServer(host: "127.0.0.1", port: 0)
        let name = "tcp://127.0.0.1:\(server.port)"
        // On the polling thread, since other tests may block the others.
        let sending = Task(executorPreference: Poller.shared) {
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
        (["monitor", "SERVER", "-f", "text"], CInt(1)),
        // The first bytes end the examination.
        (["doctor", "SERVER", "--duration", "300"], CInt(15)),
    ])
    func `a gpsd behind tcp:// is detected, and its gpsd:// address suggested`(
        _ words: [String], _ status: CInt
    ) async throws {
        let greeting = "{\"class\":\"VERSION\",\"release\":\"3.25\",\"proto_major\":3}\r\n"
        let (run, name) = try await run(words, against: greeting)
        let output = try await run.messages() + run.lines()
        let address = "gpsd://" + name.dropFirst("tcp://".count)
        #expect(output.contains { $0.contains("is a gpsd") && $0.contains(address) }, "\(output)")
        #expect(await run.status() == status)
    }
}
