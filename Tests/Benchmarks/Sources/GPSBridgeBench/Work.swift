// SPDX-License-Identifier: MIT
import CMeter

/// One thing that is measured: bytes in, a tally out.
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

    /// In the order in which they build on each other.
    static let all = [framing, decoding, fixes, conversion, track]

    /// Tells the compiler that all of the value has been looked at.
    @inline(__always)
    static func keep<Value>(_ value: Value) {
        withUnsafePointer(to: value) { cmeter_keep($0) }
    }

    /// The same without a copy of the value.
    @inline(__always)
    static func keep<Value>(_ value: inout Value) {
        withUnsafeMutablePointer(to: &value) { cmeter_keep($0) }
    }
}
