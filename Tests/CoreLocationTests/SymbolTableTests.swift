// SPDX-License-Identifier: MIT
import Foundation
import GPSTestSupport
import Testing

/// The table of `docs/corelocation.md`, compared with the module's symbol graph.
@Suite(.timeLimit(.generous))
struct SymbolTableTests {
    private static let package = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test func `the documentation's table has every public symbol, and no other`() throws {
        let symbols = try Self.symbols()
        let table = try Self.table()
        #expect(symbols.count > 300)
        #expect(symbols.subtracting(table).sorted() == [])
        #expect(table.subtracting(symbols).sorted() == [])
    }

    // MARK: The table

    private static func table() throws -> Set<String> {
        let text = try String(
            contentsOf: package.appending(path: "docs/corelocation.md"), encoding: .utf8)
        let lines = text.components(separatedBy: "## Symbols")[1].components(separatedBy: "\n")
        let rows = lines.filter { $0.hasPrefix("| `") || $0.hasPrefix("| global") }
        return Set(
            rows.flatMap { row in
                let cells = row.components(separatedBy: " | ")
                let type = cells[0].filter { !"|` ".contains($0) }
                return cells.dropFirst().joined().components(separatedBy: "`").enumerated()
                    .filter { $0.offset % 2 == 1 }.map { "\(type) \($0.element)" }
            })
    }

    // MARK: The symbol graph

    private struct Graph: Decodable {
        struct Symbol: Decodable {
            struct Kind: Decodable { let identifier: String }
            let kind: Kind
            let pathComponents: [String]
        }
        let symbols: [Symbol]
    }

    private static let ordinary: Set = [
        "isEqual(_:)", "hash", "description", "copy(with:)", "encode(with:)", "init(coder:)",
        "supportsSecureCoding", "init(rawValue:)", "==(_:_:)", "hash(into:)", "~=(_:_:)",
        "init(from:)", "encode(to:)", "Element", "makeAsyncIterator()",
    ]

    private static func symbols() throws -> Set<String> {
        let folder = try TemporaryFolder()
        try extract(to: folder.path)
        let data = try Data(contentsOf: URL(filePath: folder.path("CoreLocation.symbols.json")))
        let types: Set = ["swift.class", "swift.struct", "swift.enum", "swift.protocol"]
        let symbols = try JSONDecoder().decode(Graph.self, from: data).symbols.filter { symbol in
            let type = symbol.pathComponents.dropLast().joined(separator: ".")
            return switch symbol.kind.identifier {
            case let kind where types.contains(kind): false
            case "swift.property" where type == "CLLocationManagerDelegate": false
            case "swift.type.property" where type == "CLError":
                symbol.pathComponents.last == "errorDomain"
            default:
                type != "CLLocationManagerDelegateCalls" && !type.hasSuffix(".Iterator")
                    && !ordinary.contains(symbol.pathComponents.last ?? "")
            }
        }
        return Set(
            symbols.map { symbol in
                let type = symbol.pathComponents.dropLast().joined(separator: ".")
                return "\(type.isEmpty ? "global" : type) \(symbol.pathComponents.last ?? "")"
            })
    }

    /// Runs the compiler to write the symbol graph of the module that this test uses.
    private static func extract(to folder: String) throws {
        let products = try URL(filePath: #require(CommandLine.arguments.first))
            .resolvingSymlinksInPath().deletingLastPathComponent()
        let manager = FileManager.default
        func contents(_ folder: URL) throws -> [URL] {
            try manager.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        }
        let sources = try contents(package.appending(path: "Sources/C"))
        let maps = try (sources + contents(products))
            .filter { $0.lastPathComponent.hasPrefix("CGPS") }
            .map { $0.appending(path: "module.modulemap") }
            .filter { manager.fileExists(atPath: $0.path) }
        let headers = sources.map { $0.appending(path: "include") }
            .filter { manager.fileExists(atPath: $0.path) }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments =
            [
                "swift", "symbolgraph-extract", "-module-name", "CoreLocation",
                "-I", products.appending(path: "Modules").path,
                "-target", "\(architecture)-unknown-linux-gnu", "-output-dir", folder,
                "-minimum-access-level", "public", "-skip-synthesized-members",
            ]
            + maps.flatMap { ["-Xcc", "-fmodule-map-file=\($0.path)"] }
            + headers.flatMap { ["-Xcc", "-I\($0.path)"] }
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static var architecture: String {
        #if arch(arm64)
            "aarch64"
        #else
            "x86_64"
        #endif
    }
}
