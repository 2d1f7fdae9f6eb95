// SPDX-License-Identifier: MIT
import GPSServer

/// Any requests of a client. Any chunking produces the same replies, replies are complete lines of
/// JSON, and no descriptor stays open.
package enum RequestExercise {
    /// The name, with which the names of its files begin: `requests-…`.
    package static let name = "requests"

    /// Runs the exercise. Throws if a guarantee is broken. The first four bytes select options; the
    /// client sends the rest. Returns the number of answered requests, over all chunkings.
    @discardableResult
    package static func run(_ input: [UInt8]) throws(BrokenReply) -> Int {
        let decisions = Decisions(input)
        let bytes = Array(input.dropFirst(Decisions.count))
        let whole = Answers([bytes], decisions)
        try whole.check()
        var count = 2 * whole.requestCount
        let pieces = decisions.pieces(of: bytes)
        try expect(whole == Answers(pieces, decisions), "pieces of \(decisions.sizes) differ")
        if bytes.count <= 300 {
            try expect(whole == Answers(bytes.map { [$0] }, decisions), "byte by byte differs")
            count += whole.requestCount
        }
        try QueueExercise.run(bytes, decisions)
        if decisions.usesSockets { try ClientExercise.run(pieces, decisions, expected: whole) }
        return count
    }
}

/// The settings that the first bytes of an input select.
struct Decisions {
    static let count = 4

    /// The sizes of the chunks in which the bytes arrive, in rotation.
    let sizes: [Int]
    /// Whether clients may change receivers.
    let allowsControl: Bool
    /// Whether a real client on a socket is tried, which costs more.
    let usesSockets: Bool
    /// Whether reports arrive between the requests.
    let hasReports: Bool
    /// The limit of the queue.
    let queueLimit: Int

    init(_ input: [UInt8]) {
        func byte(_ index: Int) -> Int { index < input.count ? Int(input[index]) : 0 }
        sizes = [1 + byte(1) % 64, 1 + byte(2)]
        allowsControl = byte(0) & 1 != 0
        hasReports = byte(0) & 2 != 0
        usesSockets = byte(0) & 0x3C == 0x24
        queueLimit = 16 + byte(3) * 8
    }

    func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sizes[pieces.count % sizes.count])
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }
}

/// The error for a broken guarantee.
package struct BrokenReply: Error, CustomStringConvertible {
    /// The guarantee, and the input that broke it.
    package let description: String
}

/// Throws an error if a guarantee is broken.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(BrokenReply) {
    guard isKept else { throw BrokenReply(description: promise()) }
}
