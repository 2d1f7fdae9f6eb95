// SPDX-License-Identifier: MIT
import GPSServer

/// Any HTTP request and WebSocket frames of a Signal K client. Any chunking produces the same
/// replies: a complete HTTP response, and then complete frames.
package enum SignalKExercise {
    /// The name, with which the names of its files begin: `signalk-…`.
    package static let name = "signalk"

    /// Runs the exercise. Throws if a guarantee is broken. The first four bytes select options; the
    /// client sends the rest.
    package static func run(_ input: [UInt8]) throws(BrokenReply) {
        let decisions = Decisions(input)
        let bytes = Array(input.dropFirst(Decisions.count))
        let whole = replies(to: [bytes])
        try check(whole)
        try expect(
            whole == replies(to: decisions.pieces(of: bytes)), "pieces of \(decisions.sizes) differ"
        )
        guard bytes.count <= 600 else { return }
        try expect(whole == replies(to: bytes.map { [$0] }), "byte by byte differs")
    }

    private static func replies(to pieces: [[UInt8]]) -> [SignalKConversation.Reply] {
        var conversation = SignalKConversation()
        var replies: [SignalKConversation.Reply] = []
        for piece in pieces {
            conversation.push(piece)
            while let reply = conversation.next() { replies.append(reply) }
        }
        if conversation.isUnfinished, let last = conversation.expire() {
            replies.append(.end(last))
        }
        return replies
    }

    private static func check(_ replies: [SignalKConversation.Reply]) throws(BrokenReply) {
        for (index, reply) in replies.enumerated() {
            switch reply {
            case .end(let bytes) where index == 0, .stream(let bytes):
                try expect(index == 0, "a second response")
                let text = String(decoding: bytes, as: UTF8.self)
                try expect(text.hasPrefix("HTTP/1.1 "), "no response")
                try expect(text.contains("\r\n\r\n"), "a response without an end")
            case .end(let bytes):
                try expect(index == replies.count - 1, "a reply after the end")
                try expect(bytes.prefix(2) == [0x88, 2] && bytes.count == 4, "no close frame")
            case .bytes(let bytes):
                try expect(index > 0, "a frame before the response")
                let isPong = bytes.first == 0x8A && bytes.count < 128
                try expect(isPong && bytes.count == 2 + Int(bytes[1]), "no pong")
            }
        }
    }
}
