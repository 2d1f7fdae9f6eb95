// SPDX-License-Identifier: MIT
import GNSS
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct TOMLDocumentTests {
    @Test func `every error of a file is found, with its line and column`() {
        let (document, errors) = TOMLDocument.reading(
            "rate = \nname = \"boat\"\nrate 10\n[table\nlist = [1, 2]\nname = 3\n")
        #expect(document.entries.map(\.key) == ["name", "list"])
        #expect(
            errors.map(\.description) == [
                "line 1, column 8: expected a value", "line 3, column 6: expected '='",
                "line 4, column 7: expected ']'", "line 6, column 1: 'name' is given twice",
            ])
    }

    @Test func `an entry knows where its key and its value are`() {
        let entry = TOMLDocument.reading("\n  key =   12\n").document.entries.first
        #expect(entry?.line == 2)
        #expect(entry?.keyColumn == 3)
        #expect(entry?.column == 11)
        #expect(entry?.value == .integer(12))
    }

    @Test(arguments: ["key = 12\n", "\r\nkey = 12\r\n"])
    func `a byte order mark is skipped`(_ text: String) {
        let (document, errors) = TOMLDocument.reading("\u{FEFF}" + text)
        #expect(errors.isEmpty)
        #expect(document.entries.first?.value == .integer(12))
        #expect(document.entries.first?.keyColumn == 1)
    }

    @Test(arguments: ["=", "[", "a=[[1]]", "a=\"\\u12", "\u{0}", "a=[1,\n2\n", "\r\n=\r\n"])
    func `a malformed file has an error`(_ text: String) {
        #expect(!TOMLDocument.reading(text).errors.isEmpty)
    }
}
