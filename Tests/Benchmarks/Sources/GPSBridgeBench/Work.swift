// SPDX-License-Identifier: MIT
import CMeter

/// A task to measure. It reads bytes, and returns a count.
struct Work: Sendable {
    /// The result of a run.
    struct Tally {
        var sentences = 0
        /// Sum of all latitudes, to be compared with the C program's.
        var check: Double?
        /// The bytes written; `nil` for work without output.
        var written: Int?
    }

    let name: String
    let run: @Sendable ([UInt8]) -> Tally

    /// All tasks. Each includes the previous ones.
    static let all = [framing, decoding, fixes, conversion, track]

    /// Prevents the compiler from removing the computation of a value.
    @inline(__always)
    static func keep<Value>(_ value: Value) {
        withUnsafePointer(to: value) { cmeter_keep($0) }
    }

    /// Does the same without copying the value.
    @inline(__always)
    static func keep<Value>(_ value: inout Value) {
        withUnsafeMutablePointer(to: &value) { cmeter_keep($0) }
    }
}
