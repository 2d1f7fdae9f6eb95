// SPDX-License-Identifier: MIT
import GNSS

/// The importance of a message for the operator.
package enum MessageLevel: String, CaseIterable, Comparable, Sendable {
    /// The command ends, or cannot do some of its work.
    case error
    /// The operator should act, or data is missing.
    case warning
    /// A routine message.
    case info

    /// Returns whether `left` is more important than `right`.
    package static func < (left: MessageLevel, right: MessageLevel) -> Bool {
        left.rank < right.rank
    }

    private var rank: Int {
        switch self {
        case .error: 0
        case .warning: 1
        case .info: 2
        }
    }
}

/// A message for the operator, before it is logged.
package struct LeveledMessage: Equatable, Sendable {
    /// The text, one line.
    package var text: String
    /// The importance of the message.
    package var level: MessageLevel

    /// Creates a message.
    package init(_ text: String, _ level: MessageLevel = .info) {
        (self.text, self.level) = (text, level)
    }
}

/// Receives messages for the operator.
package struct MessageLog: Sendable {
    private let write: @Sendable (String, MessageLevel) -> Void

    /// Creates a log that calls a closure.
    package init(_ write: @escaping @Sendable (String, MessageLevel) -> Void) {
        self.write = write
    }

    /// Adds a message.
    package func callAsFunction(_ text: String, _ level: MessageLevel = .info) {
        write(text, level)
    }
}

extension ReceiverUpdate {
    /// The importance of the message that reports this update.
    package var level: MessageLevel {
        switch self {
        case .condition(.waiting, _), .condition(.silent, _), .condition(.lost, _),
            .condition(.open(_, .some), _), .notice(.noSentences), .notice(.otherReader(.some)),
            .notice(.oneDevice), .notice(.otherDatum):
            .warning
        case .condition(.ended(let ending), _): ending.error == nil ? .info : .warning
        case .epoch(let epoch):
            switch epoch.fix.integrity?.state {
            case .warning, .alarm: .warning
            case .ok, .unknown, nil: .info
            }
        case .condition, .notice, .satellites: .info
        }
    }
}
