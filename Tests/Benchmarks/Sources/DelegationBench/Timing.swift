// SPDX-License-Identifier: MIT
import CMeter
import Glibc

/// Returns the time of the fastest of many short runs after a warm-up run, in nanoseconds for each
/// of `count` operations.
///
/// Other work on the machine only adds time. Some short runs are not affected by it.
func nanoseconds(each count: Int, _ body: () -> Void) -> Double {
    body()
    let runs = (0..<101).map { _ in
        let start = cmeter_now()
        body()
        return cmeter_now() - start
    }
    return (runs.min() ?? 0) * 1e9 / Double(count)
}

/// Returns the memory that the process uses according to the kernel (resident set), in bytes.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, CInt(text.count), file) != nil else { return 0 }
    let pages = text.prefix { $0 != 0 }.split(separator: 32).dropFirst().first.flatMap { digits in
        Int(String(decoding: digits.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return (pages ?? 0) * sysconf(CInt(_SC_PAGESIZE))
}
