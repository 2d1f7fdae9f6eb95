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
            .replacing("process \(getpid())", with: "process PID")
            .replacing(/\/dev\/pts\/[0-9]+/, with: "/dev/pts/N")
            .replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT") + (isReturned ? "\\r" : "")
    }
}
