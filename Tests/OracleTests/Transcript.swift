// SPDX-License-Identifier: MIT
import GNSS
import Glibc

/// The events of a run and the output of a consumer, line by line.
struct Transcript {
    private(set) var text = ""

    /// Adds an event.
    mutating func add(_ text: String, at milliseconds: Int) {
        let digits = String(milliseconds % 1000 + 1000).dropFirst()
        self.text += "\(milliseconds / 1000).\(digits) \(text)\n"
    }

    /// Adds the output since the last call.
    mutating func add(_ outlets: [any Outlet], at milliseconds: Int) {
        for outlet in outlets {
            for line in outlet.takeLines() {
                add("  \(outlet.name)> \(line)", at: milliseconds)
            }
        }
    }

    /// Reads the available bytes; returns `lines(of:)` of them.
    static func lines(_ read: (UnsafeMutableRawPointer, Int) -> Int) -> [String] {
        var bytes: [UInt8] = []
        var count = 0
        repeat {
            let piece = [UInt8](unsafeUninitializedCapacity: 16_384) { buffer, size in
                count = buffer.baseAddress.map { read($0, buffer.count) } ?? 0
                size = max(0, count)
            }
            bytes += piece
        } while count > 0
        return lines(of: bytes)
    }

    /// Bytes as lines of printable characters; an incomplete last line ends with "…".
    static func lines(of bytes: [UInt8]) -> [String] {
        var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map(printable)
        let last = lines.removeLast()
        return last.isEmpty ? lines : lines + [last + "…"]
    }

    private static func printable(_ bytes: ArraySlice<UInt8>) -> String {
        let isReturned = bytes.last == 0x0D
        let text = isReturned ? bytes.dropLast() : bytes
        guard !text.contains(where: { $0 < 0x20 || $0 == 0x7F }),
            let line = String(validating: text, as: UTF8.self)
        else {
            let sum = bytes.reduce(UInt32(1)) { $0 &* 31 &+ UInt32($1) }
            return "<\(bytes.count) bytes, \(String(sum, radix: 16))>"
        }
        return line.replacing(Release.version, with: "VERSION")
            // Those of this machine's libgps.
            .replacing(/"release":"[0-9.]+"/, with: #""release":"RELEASE""#)
            .replacing(/"proto_m(?:aj|in)or":[0-9]+,/, with: "")
            .replacing("process \(getpid())", with: "process PID")
            .replacing(/\/dev\/pts\/[0-9]+/, with: "/dev/pts/N")
            .replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT") + (isReturned ? "\\r" : "")
    }
}

/// The contents of a terminal of 80 by 24, for the control sequences of `xterm` that the screen uses.
struct TerminalPicture {
    private var cells = Self.blank
    private var cursor = (x: 0, y: 0)

    private static let blank = [[Character]](
        repeating: [Character](repeating: " ", count: 80), count: 24)

    /// The rows, without blanks at their ends.
    var rows: [String] {
        cells.map { row in
            String(row.prefix((row.lastIndex { $0 != " " } ?? -1) + 1))
        }
    }

    /// Shows the output of a program, which ends with a complete control sequence.
    mutating func show(_ bytes: [UInt8]) {
        var scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1B}": control(&scalars)
            case "\r": cursor.x = 0
            case "\n": cursor.y += 1
            default:
                guard cells.indices.contains(cursor.y), cells[0].indices.contains(cursor.x) else {
                    continue
                }
                cells[cursor.y][cursor.x] = Character(scalar)
                cursor.x += 1
            }
        }
    }

    private mutating func control(_ scalars: inout Substring.UnicodeScalarView) {
        switch scalars.popFirst() {
        case "(": scalars = scalars.dropFirst()
        case "[":
            let words = scalars.prefix { !("@"..."~").contains($0) }
            scalars = scalars.dropFirst(words.count)
            let numbers = String(words).split(separator: ";").map { Int($0) ?? 0 }
            switch scalars.popFirst() {
            case "H":
                cursor = ((numbers.dropFirst().first ?? 1) - 1, (numbers.first ?? 1) - 1)
            case "J": cells = Self.blank
            default: break
            }
        default: break
        }
    }
}
