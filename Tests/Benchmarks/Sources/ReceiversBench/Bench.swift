// SPDX-License-Identifier: MIT
import Glibc

/// Measures many receivers in one process, and a receiver that is plugged in repeatedly. See
/// docs/receivers.md.
///
///     receivers-bench fleet [COUNT [HZ [SECONDS]]]    every epoch delivered? processor, memory
///     receivers-bench flood [COUNT [HZ [SECONDS]]]    the same beside a receiver that floods
///     receivers-bench latency [HZ [SECONDS]]          from the read to delegates and streams
///     receivers-bench cycles [COUNT]                  unplugged and plugged in again
@main struct Bench {
    static func main() async throws {
        let words = CommandLine.arguments.dropFirst()
        let numbers = words.dropFirst().compactMap { Int($0) }
        func number(_ index: Int, _ usual: Int) -> Int {
            index < numbers.count ? max(1, numbers[index]) : usual
        }
        switch words.first {
        case "fleet", "flood":
            try await Fleet(
                count: number(0, 500), rate: number(1, 10), seconds: number(2, 60),
                isFlooded: words.first == "flood"
            ).run()
        case "cycles": try await Cycles(count: number(0, 10_000)).run()
        case "latency": try await Latency(rate: number(0, 10), seconds: number(1, 30)).run()
        case "send":
            try await Sender(count: number(0, 1), rate: number(1, 1), epochs: number(2, 1)).run()
        case "noise": try await Noise().run()
        default:
            print(
                "receivers-bench fleet|flood [COUNT [HZ [SECONDS]]] | latency [HZ [SECONDS]] | cycles [COUNT]"
            )
        }
    }
}

/// The resources that this process has used.
enum Usage {
    /// The processor time in seconds.
    static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double {
            Double(time.tv_sec) + Double(time.tv_usec) / 1e6
        }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The memory in use in kilobytes.
    static var residentKilobytes: Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 128)
        guard fgets(&line, 128, file) != nil else { return 0 }
        let text = String(
            decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0) * 4
    }

    /// Open descriptors.
    static var descriptorCount: Int {
        (0..<4096).count { fcntl(CInt($0), F_GETFD) >= 0 }
    }
}

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
