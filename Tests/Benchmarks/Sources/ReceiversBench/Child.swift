// SPDX-License-Identifier: MIT
import Glibc

/// A second process of this program, whose output is read.
final class Child {
    private let output: UnsafeMutablePointer<FILE>?

    init(_ words: [String]) {
        // A shell runs it, whose parent we are.
        output = popen("exec /proc/\(getpid())/exe \(words.joined(separator: " "))", "r")
    }

    deinit {
        if let output { pclose(output) }
    }

    /// Returns the next line. Blocks the thread until it arrives.
    func line() -> String? {
        var line = [CChar](repeating: 0, count: 256)
        guard let output, fgets(&line, 256, output) != nil else { return nil }
        return String(
            decoding: line.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) },
            as: UTF8.self)
    }

    /// Returns the lines up to an empty one.
    func paths() -> [String] {
        var paths: [String] = []
        while let path = line(), !path.isEmpty { paths.append(path) }
        return paths
    }
}
