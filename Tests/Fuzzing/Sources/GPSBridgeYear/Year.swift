// SPDX-License-Identifier: MIT
import CGPSAllocations
import GPSExercises
import Glibc

/// `gpsbridge-year [YEAR [DAYS]]`: checks that no memory is allocated per sentence. Then passes a
/// year of a receiver's data at 10 Hz through the assembler, and checks every fix, allocations and
/// the memory in use.
@main
enum Year {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
        let year = arguments.first ?? 2016
        // One day is added, so that the year's last midnight is passed.
        let days = arguments.dropFirst().first ?? 367
        guard let plan = LongRun.Plan(year: year, month: 1, day: 1) else {
            print("gpsbridge-year: not a year: \(year)")
            exit(2)
        }
        SteadyState.LineProtocol.allCases.forEach(checkSteadyState)
        do {
            try run(plan, days)
        } catch {
            print("gpsbridge-year: \(error)")
            exit(1)
        }
    }

    /// Checks that another minute of a receiver whose cycle is learned allocates nothing, in any
    /// chunking.
    private static func checkSteadyState(_ line: SteadyState.LineProtocol) {
        let minute = line.minute(12)
        for chunk in [Int.max, 100, 1] {
            var state = SteadyState(line, chunk: chunk)
            let before = callocations_of_this_thread()
            state.push(minute)
            let count = callocations_of_this_thread() - before
            let pieces = chunk == .max ? "in one piece" : "in pieces of \(chunk)"
            print(
                "a minute of \(line.rawValue), \(minute.count) bytes \(pieces): "
                    + "\(state.fixes) fixes, \(count) allocations")
            if count > 0 || state.fixes < 49 { exit(1) }
        }
    }

    private static func run(_ plan: LongRun.Plan, _ days: Int) throws(Broken) {
        var run = LongRun(plan)
        let begin = ContinuousClock.now
        try run.run(epochs: 36_000)
        let memory = residentKilobytes()
        let allocations = callocations_of_this_thread()
        try run.run(epochs: days * 864_000 - 36_000)
        let allocated = callocations_of_this_thread() - allocations
        let grown = residentKilobytes() - memory
        try run.finish()
        let seconds = Double((ContinuousClock.now - begin).components.seconds)
        print("\(run.fixes) epochs in \(Int(seconds)) s, each once and on its day")
        print("after the first hour: \(allocated) allocations, \(grown) KB more of \(memory) KB")
        // Pages that the run-time system uses late are not growth. One byte per hour would be 8 KB.
        if allocated > 0 || grown > 1024 { exit(1) }
    }

    /// Returns the memory in use according to the kernel.
    private static func residentKilobytes() -> Int {
        guard let file = fopen("/proc/self/statm", "r") else { return 0 }
        defer { fclose(file) }
        var text = [CChar](repeating: 0, count: 128)
        guard fgets(&text, 128, file) != nil else { return 0 }
        let bytes = text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        return (words.dropFirst().first.flatMap { Int($0) } ?? 0) * sysconf(Int32(_SC_PAGESIZE))
            / 1024
    }
}
