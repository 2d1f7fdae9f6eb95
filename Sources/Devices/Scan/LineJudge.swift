// SPDX-License-Identifier: MIT

/// Tells sense from noise on a line that is being listened to. `Devices` knows no sentences: whoever
/// reads does.
public protocol LineJudge: Sendable {
    /// Looks at the next bytes that were read at one rate.
    mutating func hear(_ bytes: [UInt8]) -> LineSense

    /// Takes note that the line is silent: what has begun will not be finished.
    mutating func silence() -> LineSense
}

/// What a judge makes of bytes.
public struct LineSense: Equatable, Sendable {
    /// How many messages with a right checksum they completed.
    public var messages: Int
    /// Whether the beginning of a binary message stands in them, which need not look like text.
    public var mayBeBinary: Bool

    /// Makes a verdict; without arguments, that there is no sense in it.
    public init(messages: Int = 0, mayBeBinary: Bool = false) {
        self.messages = messages
        self.mayBeBinary = mayBeBinary
    }
}

/// Makes a judge for each rate that is listened at.
public typealias LineJudgeMaker = @Sendable () -> any LineJudge
