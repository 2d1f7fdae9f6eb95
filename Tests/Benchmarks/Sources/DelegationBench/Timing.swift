// SPDX-License-Identifier: MIT
import CMeter
import Glibc

/// The fastest of many short runs, after one to warm up, in nanoseconds for each of `count` things.
///
/// Other work on the machine only adds time. A short run may have none beside it.
func nanoseconds(each count: Int, _ body: () -> Void) -> Double {
    body()
    let runs = (0..<101).map { _ in
        let start = cmeter_now()
        body()
        return cmeter_now() - start
    }
    return (runs.min() ?? 0) * 1e9 / Double(count)
}

/// Bytes of memory the process has in use, as the kernel counts them: its resident set.
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
