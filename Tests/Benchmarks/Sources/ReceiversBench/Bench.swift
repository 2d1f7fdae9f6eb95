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
