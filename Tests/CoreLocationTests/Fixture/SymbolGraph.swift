// SPDX-License-Identifier: MIT
import Foundation
import GPSTestSupport
import GPSTestTraits
import Testing

/// The public declarations of a module that this test uses, as the compiler lists them.
struct SymbolGraph: Decodable {
    struct Symbol: Decodable {
        struct Kind: Decodable { let identifier: String }
        let kind: Kind
        let pathComponents: [String]
    }

    let symbols: [Symbol]

    static let types: Set = [
        "swift.class", "swift.struct", "swift.enum", "swift.protocol", "swift.typealias",
    ]

    /// The folder of the package.
    static let package = URL(filePath: PackageFile.folder)

    init(of module: String) throws {
        let folder = try TemporaryFolder()
        try Self.extract(module, to: folder.path)
        try self.init(URL(filePath: folder.path("\(module).symbols.json")))
    }

    private init(_ file: URL) throws {
        self = try JSONDecoder().decode(SymbolGraph.self, from: Data(contentsOf: file))
    }

    /// Returns the types of a module, and of the modules that it exports, that are not nested in
    /// others.
    static func topLevelTypes(of module: String) throws -> Set<String> {
        let folder = try TemporaryFolder()
        try extract(module, to: folder.path)
        let files = try FileManager.default.contentsOfDirectory(
            at: URL(filePath: folder.path), includingPropertiesForKeys: nil)
        return try files.reduce(into: []) { names, file in
            for symbol in try SymbolGraph(file).symbols
            where types.contains(symbol.kind.identifier) && symbol.pathComponents.count == 1 {
                names.insert(symbol.pathComponents[0])
            }
        }
    }

    /// Runs the compiler to write the symbol graph of a module.
    private static func extract(_ module: String, to folder: String) throws {
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
                "swift", "symbolgraph-extract", "-module-name", module,
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
