// SPDX-License-Identifier: MIT

/// Detects messages on a line whose rate is being searched.
///
/// The code that reads the line knows what a sentence is; the search for its rate does not.
public protocol MessageDetector: Sendable {
    /// Processes the next bytes that were read at one rate.
    mutating func detect(in bytes: [UInt8]) -> DetectedMessages

    /// Ends a message that has begun: the line is silent.
    mutating func silence() -> DetectedMessages
}

/// What a detector found in some bytes.
public struct DetectedMessages: Equatable, Sendable {
    /// The number of messages with a right checksum that the bytes completed.
    public var messages: Int
    /// Whether the beginning of a binary message is among them, which need not look like text.
    public var mayBeBinary: Bool

    /// Creates a result; without arguments, that nothing was found.
    public init(messages: Int = 0, mayBeBinary: Bool = false) {
        self.messages = messages
        self.mayBeBinary = mayBeBinary
    }
}

/// Creates a detector for each rate that is tried.
public typealias MessageDetectorFactory = @Sendable () -> any MessageDetector
