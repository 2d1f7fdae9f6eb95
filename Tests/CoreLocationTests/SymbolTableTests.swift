// SPDX-License-Identifier: MIT
import Foundation
import GPSTestSupport
import Testing

/// The table of `docs/corelocation.md`, compared with the module's declarations.
@Suite(.timeLimit(.generous))
struct SymbolTableTests {
    @Test func `the documentation's table has every public symbol, and no other`() throws {
        let symbols = try Self.symbols()
        let table = try Self.table()
        #expect(symbols.count > 300)
        #expect(symbols.subtracting(table.present).sorted() == [])
        #expect(table.present.subtracting(symbols).sorted() == [])
        #expect(table.absent.count > 20)
        #expect(table.absent.intersection(symbols).sorted() == [])
    }

    // MARK: The table

    /// Returns the symbols in the columns of what exists, and those in the last column.
    private static func table() throws -> (present: Set<String>, absent: Set<String>) {
        let text = try String(
            contentsOf: SymbolGraph.package.appending(path: "docs/corelocation.md"), encoding: .utf8
        )
        let lines = text.components(separatedBy: "## Symbols")[1].components(separatedBy: "\n")
        let rows = lines.filter { $0.hasPrefix("| `") || $0.hasPrefix("| global") }
        var (present, absent): (Set<String>, Set<String>) = ([], [])
        for row in rows {
            let cells = row.components(separatedBy: " | ")
            try #require(cells.count == 5, "\(row)")
            let type = cells[0].filter { !"|` ".contains($0) }
            func symbols(_ cells: ArraySlice<String>) -> [String] {
                cells.joined().components(separatedBy: "`").enumerated()
                    .filter { $0.offset % 2 == 1 }.map { "\(type) \($0.element)" }
            }
            present.formUnion(symbols(cells[1...3]))
            absent.formUnion(symbols(cells[4...]))
        }
        return (present, absent)
    }

    // MARK: The symbol graph

    /// Types that Apple's module does not have.
    private static let helpers: Set = [
        "CLLocationManagerDelegateCalls", "CLLocationManagerProxy", "CoreLocationSequence",
    ]

    private static let ordinary: Set = [
        "isEqual(_:)", "hash", "description", "copy(with:)", "encode(with:)", "init(coder:)",
        "supportsSecureCoding", "init(rawValue:)", "==(_:_:)", "hash(into:)", "~=(_:_:)",
        "init(from:)", "encode(to:)", "Element", "makeAsyncIterator()",
    ]

    private static func symbols() throws -> Set<String> {
        let graph = try SymbolGraph(of: "CoreLocation")
        let types = SymbolGraph.types.subtracting(["swift.typealias"])
        let all = graph.symbols
        let symbols = all.filter { symbol in
            let type = symbol.pathComponents.dropLast().joined(separator: ".")
            return switch symbol.kind.identifier {
            case let kind where types.contains(kind): false
            case "swift.property" where type == "CLLocationManagerDelegate": false
            case "swift.type.property" where type == "CLError":
                symbol.pathComponents.last == "errorDomain"
            default:
                !helpers.contains(type) && !type.hasSuffix(".Iterator")
                    && !ordinary.contains(symbol.pathComponents.last ?? "")
            }
        }
        let owners = Set(
            symbols.compactMap { $0.pathComponents.count > 1 ? $0.pathComponents[0] : nil })
        // Types without members are listed with the global symbols.
        let empty = all.filter { symbol in
            types.contains(symbol.kind.identifier) && symbol.pathComponents.count == 1
                && !owners.union(helpers).contains(symbol.pathComponents[0])
        }
        return Set(
            (symbols + empty).map { symbol in
                let type = symbol.pathComponents.dropLast().joined(separator: ".")
                return "\(type.isEmpty ? "global" : type) \(symbol.pathComponents.last ?? "")"
            })
    }
}
