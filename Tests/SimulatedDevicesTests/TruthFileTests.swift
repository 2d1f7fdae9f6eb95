// SPDX-License-Identifier: MIT
import FoundationEssentials
import GNSS
import GPSIO
import GPSReceivers
import GPSTestSupport
import Glibc
import SimulatedDevices
import Testing

/// The file of true positions.
@Suite(.timeLimit(.generous))
struct TruthFileTests {
    private struct Line: Decodable {
        struct Satellite: Decodable {
            var id: String
            var elevation: Double
            var azimuth: Double
        }

        var seconds: Double
        var time: String
        var lat: Double
        var lon: Double
        var alt: Double
        var speed: Double
        var course: Double?
        var climb: Double
        var satellites: [Satellite]
    }

    @Test func `the truth file has a line of JSON for every epoch, sent or not`() async throws {
        let folder = try TemporaryFolder()
        var configuration = SimulatedReceiver.Configuration.noon()
        configuration.faults = [Fault(.silence, at: 1, for: 1)]
        configuration.pace = .accelerated(by: 1000)
        let file = try TruthFile(folder.path("truth.jsonl"))
        try await Simulation(configuration, outputs: [file]).run(epochs: 3)
        let text = try String(contentsOfFile: folder.path("truth.jsonl"), encoding: .utf8)
        let lines = try text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let truths = DecodedRun(.noon(), epochs: 3).epochs.map(\.truth)
        #expect(lines.map(\.seconds) == [0, 1, 2])
        #expect(lines.map(\.time) == truths.map(\.time.description))
        #expect(lines.map(\.lat) == truths.map(\.state.coordinate.latitude))
        #expect(lines.map(\.course) == truths.map(\.state.course))
        #expect(lines[0].satellites.map(\.id) == truths[0].satellites.map(\.id.description))
        #expect(lines[0].satellites.count > 10)
    }

    @Test func `each epoch of an attack has its start and end`() async throws {
        let folder = try TemporaryFolder()
        var configuration = SimulatedReceiver.Configuration.noon()
        configuration.faults = try FaultScript("1s: drag-off 1n for 2s\n2s: jam\n0s: ubx 5%")
        configuration.pace = .accelerated(by: 1000)
        let file = try TruthFile(folder.path("truth.jsonl"))
        try await Simulation(configuration, outputs: [file]).run(epochs: 4)
        let text = try String(contentsOfFile: folder.path("truth.jsonl"), encoding: .utf8)
        let attacks = text.split(separator: "\n").map { line -> String? in
            let parts = line.components(separatedBy: "\"attacks\":")
            return parts.count > 1 ? String(parts[1].dropLast()) : nil
        }
        let drag = #"{"fault":"drag-off","start":1.0,"end":3.0}"#
        let jam = #"{"fault":"jam","start":2.0}"#
        #expect(attacks == [nil, "[\(drag)]", "[\(drag),\(jam)]", "[\(jam)]"])
    }

    @Test func `a file that another program truncates or renames loses no line`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("truth.jsonl")
        let file = try TruthFile(path)
        func write() async throws -> String {
            for epoch in DecodedRun(.noon(), epochs: 1).epochs { try await file.begin(epoch) }
            return try String(contentsOfFile: path, encoding: .utf8)
        }
        let line = try await write()
        #expect(line.hasPrefix("{") && line.hasSuffix("}\n"))
        #expect(truncate(path, 0) == 0)
        #expect(try await write() == line)
        #expect(rename(path, path + ".1") == 0)
        #expect(try await write() == line)
        #expect(try String(contentsOfFile: path + ".1", encoding: .utf8) == line)
    }

    @Test func `a file that cannot be created is reported on one line`() {
        let error = #expect(throws: SimulationError.self) {
            _ = try TruthFile("/nonexistent/truth")
        }
        #expect(
            error?.description
                == "cannot write to /nonexistent/truth: No such file or directory; create its folder first"
        )
    }

    @Test func `a full disk ends the run with a reason`() async throws {
        let file = try TruthFile("/dev/full")
        await #expect(throws: SimulationError.self) {
            try await Simulation(.noon(), outputs: [file]).run(epochs: 1)
        }
    }

    /// A named pipe and its read end.
    private func pipe(_ path: String) throws -> Descriptor {
        try #require(mkfifo(path, 0o600) == 0)
        let reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        try #require(reader >= 0)
        return Descriptor(reader)
    }

    @Test func `the truth file waits for a slow reader of a pipe until the end`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("truth")
        let reader = try pipe(path)
        let filler = Descriptor(open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC))
        let junk = [UInt8](repeating: 0x0A, count: 512)
        while filler.use({ write($0, junk, junk.count) }) == junk.count {}
        let file = try TruthFile(path)
        let epoch = try #require(DecodedRun(.noon(), epochs: 1).epochs.first)
        let stuck = Task { try await file.begin(epoch) }
        stuck.cancel()
        try await stuck.value
        reader.close()
    }

    @Test func `a pipe gets every line, however many there are`() async throws {
        let folder = try TemporaryFolder()
        let reader = try pipe(folder.path("truth"))
        var configuration = SimulatedReceiver.Configuration.noon()
        configuration.pace = .accelerated(by: 100_000)
        let file = try TruthFile(folder.path("truth"))
        let run = Task { [configuration] in
            try await Simulation(configuration, outputs: [file]).run(epochs: 100)
        }
        var bytes: [UInt8] = []
        while case .bytes(let more) = await reader.read(atMost: 512, until: nil) { bytes += more }
        #expect(try await run.value == 100)
        #expect(bytes.count { $0 == 0x0A } == 100)
        // More than the capacity of a pipe.
        #expect(bytes.count > 65_536)
    }
}
