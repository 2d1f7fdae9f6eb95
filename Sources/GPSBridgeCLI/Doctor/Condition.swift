// SPDX-License-Identifier: MIT

/// The condition of a receiver: the problem that keeps it from reporting a position, or none.
///
/// In the order of the chain: earlier conditions explain later ones.
public enum Condition: String, CaseIterable, Hashable, Sendable {
    /// Fixes arrive.
    case fixes
    /// Nothing that is, or may carry, a receiver is plugged in, or nothing has the name.
    case noDevice
    /// It is plugged in, but the kernel has made no tty of it.
    case noTTY
    /// There is a tty, but no node in /dev leads to it.
    case noNode
    /// The user may not open it.
    case permissionDenied
    /// Another program holds it.
    case busy
    /// ModemManager may be asking it for a modem's answers.
    case modemManager
    /// It cannot be opened for another reason.
    case cannotOpen
    /// It went while it was listened to.
    case disconnected
    /// Not a byte comes.
    case silent
    /// Bytes without sense: a wrong baud rate, or no receiver.
    case noise
    /// A binary protocol instead of NMEA.
    case binaryProtocol
    /// A file of tracks, which is not what a receiver sent.
    case otherFormat
    /// Sentences, but too many of them with wrong checksums.
    case badChecksums
    /// Sentences, but none about a position.
    case noPosition
    /// The receiver looks for satellites.
    case noFix
    /// Fixes arrive with a date that cannot be.
    case wrongDate

    /// The command's exit status; 1 and 2 are those of every command.
    public var exitStatus: Int32 {
        switch self {
        case .fixes: 0
        case .noDevice: 10
        case .noTTY: 11
        case .noNode: 17
        case .permissionDenied: 12
        case .busy: 13
        case .modemManager: 14
        case .cannotOpen: 15
        case .disconnected: 16
        case .silent: 20
        case .noise: 21
        case .binaryProtocol: 22
        case .badChecksums: 23
        case .noPosition: 24
        case .otherFormat: 25
        case .noFix: 30
        case .wrongDate: 31
        }
    }

    /// The meaning, in a few words.
    public var meaning: String {
        switch self {
        case .fixes: "fixes arrive"
        case .noDevice: "no receiver is plugged in, or nothing has that name"
        case .noTTY: "plugged in, but the kernel has made no tty of it"
        case .noNode: "it has a tty, but no name in /dev, as in a container"
        case .permissionDenied: "you may not open it"
        case .busy: "another program holds it"
        case .modemManager: "ModemManager may be disturbing it"
        case .cannotOpen: "it cannot be opened for another reason"
        case .disconnected: "it went while it was listened to"
        case .silent: "not a byte comes"
        case .noise: "bytes without sense: a wrong baud rate, or no receiver"
        case .binaryProtocol: "a binary protocol instead of NMEA"
        case .otherFormat: "a file of tracks, such as GPX, not what a receiver sent"
        case .badChecksums: "sentences with wrong checksums"
        case .noPosition: "sentences, but none about a position"
        case .noFix: "no fix yet"
        case .wrongDate: "fixes with a date that cannot be"
        }
    }
}
