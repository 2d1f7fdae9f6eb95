// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import NMEA
import Testing

/// The examples of the documentation, compiled and run.
@Suite(.timeLimit(.generous)) struct DocumentationTests {
    private let url: URL
    private let text =
        Cycle.run(4).map { $0.rmc() + $0.gga() }.joined() + line("WIMWV,214.8,R,10.1,N,A")

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).nmea")
    }

    private final class Shown {
        var fixes: [Fix] = []
        var winds: [MWV] = []
    }

    @Test func `fixes of a recording`() throws {
        try Data(text.utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let shown = Shown()
        func show(_ fix: Fix) { shown.fixes.append(fix) }

        // Example
        let recording = try Data(contentsOf: url)
        for fix in NMEADecoder.fixes(in: recording) { show(fix) }
        // End

        #expect(shown.fixes.count == 4)
        #expect(shown.fixes == decode(text).fixes)
    }

    @Test func `fixes of an asynchronous sequence of bytes`() async {
        var fixes: [Fix] = []
        let bytes = AsyncStream { continuation in
            for byte in text.utf8 { continuation.yield(byte) }
            continuation.finish()
        }
        for await fix in NMEADecoder.fixes(in: bytes) { fixes.append(fix) }
        #expect(fixes == decode(text).fixes)
    }

    @Test func `fixes and typed sentences of a stream`() {
        let shown = Shown()
        func show(_ fix: Fix, _ satellites: SatelliteView) { shown.fixes.append(fix) }
        func show(_ wind: MWV) { shown.winds.append(wind) }
        var chunks = [text.bytes].makeIterator()
        func read() -> [UInt8]? { chunks.next() }

        // Example
        var decoder = NMEADecoder()
        func handle(_ event: DecoderEvent) {
            switch event {
            case .fix(let fix, let satellites): show(fix, satellites)
            case .sentence(let sentence): if let wind = try? MWV(sentence) { show(wind) }
            default: break
            }
        }
        while let bytes = read() { decoder.push(bytes.span, handle) }
        decoder.finish(handle)
        // End

        #expect(shown.fixes.count == 4)
        #expect(shown.winds.map(\.angle) == [214.8])
    }

    @Test func `every example of the documentation is tested here`() throws {
        let here = URL(filePath: #filePath)
        let root = URL(filePath: PackageFile.folder)
        let source = try String(contentsOf: here, encoding: .utf8)
        let examples = source.components(separatedBy: "        // Example\n").dropFirst().map {
            $0.components(separatedBy: "        // End").first ?? ""
        }.map { lines($0) }
        let pages = [
            "README.md", "Sources/Values/NMEA/NMEA.docc/NMEA.md",
            "Sources/Values/NMEA/NMEADecoder.swift",
        ]
        for page in pages {
            let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
            let blocks = text.components(separatedBy: "```swift").dropFirst().map {
                $0.components(separatedBy: "```").first ?? ""
            }.filter { page != "README.md" || $0.contains("NMEADecoder") }
            #expect(!blocks.isEmpty)
            for block in blocks {
                let wanted = lines(
                    block.replacing("    /// ", with: "").replacing("    ///", with: ""))
                #expect(examples.contains(wanted), "\(page): \(block)")
            }
        }
    }

    private func lines(_ text: String) -> [String] {
        text.components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }
}
