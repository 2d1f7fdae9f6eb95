// SPDX-License-Identifier: MIT
import GPSTestTraits
import Testing

/// Compares the table of docs/delegation-guarantees.md with the tests: every guarantee has an existing test.
@Suite(.timeLimit(.generous)) struct DocumentationTests {
    struct Row {
        let ids: [Substring]
        let tests: [(name: Substring, file: Substring)]
    }

    @Test func `every guarantee and acceptance test has a row with existing tests`() throws {
        let rows = try rows()
        let expected =
            (1...37).map { "G\($0)" } + (1...36).map { "R\($0)" } + (1...28).map { "X\($0)" }
            + (1...9).map { "P\($0)" }
        let ids = rows.flatMap(\.ids).map(String.init)
        #expect(Set(expected).subtracting(ids).sorted() == [], "rows to add")
        #expect(Set(ids).subtracting(expected).sorted() == [], "rows to remove")
        #expect(ids.count == Set(ids).count, "a row twice")
        for row in rows where row.tests.isEmpty {
            // Some of RxCocoa's guarantees have nothing to test here; their row says why.
            #expect(["G27", "G29"].contains(row.ids.first), "no test for \(row.ids)")
        }
    }

    @Test func `the tests that the table links to exist in the linked files`() throws {
        for test in try rows().flatMap(\.tests) {
            let source = try PackageFile.text("Tests/DelegationTests/\(test.file)")
            #expect(source.contains("func `\(test.name)`"), "\(test.name) in \(test.file)")
        }
    }

    /// The rows of the table: `| G1 | … | [name](…/File.swift) | … |`.
    private func rows() throws -> [Row] {
        let page = try PackageFile.text("docs/delegation-guarantees.md")
        return page.split(separator: "\n").compactMap { line in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
            guard cells.count == 6, let first = cells[1].dropFirst().first, "GRXP".contains(first),
                cells[1].dropFirst(2).first?.isNumber == true
            else { return nil }
            let ids = cells[1].split(whereSeparator: { " ,".contains($0) })
            let tests = cells[3].matches(
                of: /\[([^\]]+)\]\(\.\.\/Tests\/DelegationTests\/([^)]+)\)/)
            return Row(ids: ids, tests: tests.map { ($0.output.1, $0.output.2) })
        }
    }
}
