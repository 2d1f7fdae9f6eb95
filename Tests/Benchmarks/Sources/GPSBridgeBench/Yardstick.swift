// SPDX-License-Identifier: MIT
import Glibc

/// Another program that decodes the same file and prints a line about it.
struct Yardstick {
    let program: String
    let file: String

    /// The output of one run.
    struct Result {
        var nanoseconds: Double
        var check: Double?
    }

    /// Runs it once: `… 53.07 ns/sentence … check 19479641.8209`.
    func run() -> Result? {
        guard let pipe = popen("exec '\(program)' '\(file)' 1", "r") else { return nil }
        defer { pclose(pipe) }
        var line = [CChar](repeating: 0, count: 512)
        guard fgets(&line, CInt(line.count), pipe) != nil else { return nil }
        let text = String(
            decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        let words = text.split(whereSeparator: \.isWhitespace)
        while fgets(&line, CInt(line.count), pipe) != nil {}
        guard let unit = words.firstIndex(of: "ns/sentence"), unit > 0,
            let nanoseconds = Double(words[unit - 1])
        else { return nil }
        let check = words.firstIndex(of: "check").flatMap { Double(words[$0 + 1]) }
        return Result(nanoseconds: nanoseconds, check: check)
    }
}
