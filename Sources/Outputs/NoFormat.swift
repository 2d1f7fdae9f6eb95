// SPDX-License-Identifier: MIT
import GNSS

/// Writes nothing, for who only wants a companion to be told. It is no format that can be asked for.
struct NoFormat: OutputFormat {
    static let name = "nothing"
    static let fileExtensions: [String] = []
    static let summary = "nothing"
    static let isTrack = false
    static let isContinuable = false

    mutating func begin(_ source: OutputSource) {}
    mutating func write(_ fix: Fix) {}
    mutating func resume(head: [UInt8], end: [UInt8]) -> Int? { nil }
    mutating func drain(_ body: (Span<UInt8>) throws -> Void) rethrows {}
}
