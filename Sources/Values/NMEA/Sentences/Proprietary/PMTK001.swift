// SPDX-License-Identifier: MIT

/// MediaTek: the acknowledgement of a command.
///
///     $PMTK001,x,x*hh
///     $PMTK001,314,3*36
public struct PMTK001: DeclaredSentence, Hashable {
    public static let formatter: SentenceFormatter = "PMTK001"
    /// The command and the result are required.
    public static let minimumFieldCount = 2

    /// The result of a command.
    public enum Result: Int, Hashable, Sendable {
        /// The receiver does not understand the command.
        case invalid = 0
        /// The receiver knows the command, but does not support it.
        case unsupported = 1
        /// The command was valid, but failed.
        case failed = 2
        /// The receiver executed the command.
        case done = 3
    }

    /// The number of the command.
    public var command: Int?
    /// The result of the command.
    public var result: Result?

    public init() {}

    public mutating func fields(_ coder: inout some FieldCoder) {
        coder.integer(&command)
        coder.integer(&result)
    }
}
