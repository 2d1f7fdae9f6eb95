// SPDX-License-Identifier: MIT
import GNSS
import Glibc
import SimulatedDevices

/// The sentences to decode: from a file, or of a simulated receiver.
enum Mix {
    /// The bytes of a file; `nil` if it cannot be read.
    static func file(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        guard fseek(file, 0, SEEK_END) == 0 else { return nil }
        let size = ftell(file)
        guard size >= 0, fseek(file, 0, SEEK_SET) == 0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            count = fread(buffer.baseAddress, 1, size, file)
        }
    }

    /// Returns at least `size` bytes of a simulated receiver, which are always the same.
    static func simulated(_ size: Int) -> [UInt8] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = UTCTime(unixNanoseconds: 1_774_000_000_000_000_000)
        var receiver = SimulatedReceiver(configuration)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 4096)
        while bytes.count < size { bytes += receiver.next().bytes }
        return bytes
    }

    /// Returns the first lines, about `size` bytes.
    static func beginning(_ bytes: [UInt8], _ size: Int) -> [UInt8] {
        var end = min(size, bytes.count)
        while end < bytes.count, bytes[end - 1] != UInt8(ascii: "\n") { end += 1 }
        return Array(bytes[..<end])
    }
}

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
