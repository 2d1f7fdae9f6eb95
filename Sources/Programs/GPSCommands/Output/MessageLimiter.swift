// SPDX-License-Identifier: MIT
package import GNSS

/// Limits the messages that data from outside can cause: a receiver that changes its state with
/// every sentence, a client that sends false commands.
///
/// Messages with the same cause differ only in names, numbers and other values. Of each cause, twelve
/// messages are passed in a minute, as many as a search for a baud rate writes, and sixty of all
/// causes. Further messages are counted; a message at the end of the minute contains their number and
/// the last of them.
package struct MessageLimiter: Sendable {
    private static let window = Duration.seconds(60)
    private static let countOfCause = 12
    private static let totalCount = 60

    private struct Cause {
        var passed = 0
        var dropped = 0
        var last = ""
    }

    private var causes: [String: Cause] = [:]
    private var total = 0
    /// The end of the current minute; `nil` if there was no message in the last one.
    private var end: MonotonicInstant?

    /// Creates a limiter that has passed no message.
    package init() {}

    /// The time at which `takeCounts(at:)` returns messages; `nil` if none has been dropped.
    package var deadline: MonotonicInstant? {
        causes.values.contains { $0.dropped > 0 } ? end : nil
    }

    /// Returns whether to write a message. Call `takeCounts(at:)` before it.
    package mutating func passes(_ text: String, at now: MonotonicInstant) -> Bool {
        end = end ?? now + Self.window
        // Values that look like words make causes of their own, but these share a limit.
        let key = total < Self.totalCount ? Self.cause(of: text) : ""
        var cause = causes[key] ?? Cause()
        defer { causes[key] = cause }
        guard total < Self.totalCount, cause.passed < Self.countOfCause else {
            cause.dropped &+= 1
            cause.last = text
            return false
        }
        cause.passed += 1
        total += 1
        return true
    }

    /// Returns a message for each cause of which messages were dropped, if the minute is over or
    /// `isEnd`.
    package mutating func takeCounts(
        at now: MonotonicInstant, isEnd: Bool = false
    ) -> [String] {
        guard let end, now >= end || isEnd else { return [] }
        let dropped = causes.values.filter { $0.dropped > 0 }.sorted { $0.last < $1.last }
        (causes, total, self.end) = ([:], 0, nil)
        return dropped.map {
            "\(Plural.text($0.dropped, "message")) like this in the last minute: \($0.last)"
        }
    }

    /// The words of a message that contain only small letters and punctuation: names, numbers and
    /// values of receivers rarely do.
    private static func cause(of text: String) -> String {
        text.split(separator: " ").filter { word in
            word.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || ",.;:()'".utf8.contains(byte)
            }
        }.joined(separator: " ")
    }
}
