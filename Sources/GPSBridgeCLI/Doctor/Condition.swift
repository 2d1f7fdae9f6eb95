// SPDX-License-Identifier: MIT

/// The condition of a receiver: the problem that prevents a position, or none.
///
/// In the order of examination: earlier conditions explain later ones.
public enum Condition: String, CaseIterable, Hashable, Sendable {
    /// Fixes arrive.
    case fixes
    /// No device is, or may carry, a receiver, or no device has the given name.
    case noDevice
    /// The device is plugged in, but the kernel has created no tty for it.
    case noTTY
    /// The tty exists, but no node in /dev leads to it.
    case noNode
    /// The user has no permission to open it.
    case permissionDenied
    /// Another program has it open.
    case busy
    /// ModemManager may be sending it modem commands.
    case modemManager
    /// It cannot be opened for another reason.
    case cannotOpen
    /// The device disappeared during the examination.
    case disconnected
    /// No bytes arrive.
    case silent
    /// Unreadable bytes: a wrong baud rate, or not a receiver.
    case noise
    /// The receiver sends a binary protocol instead of NMEA.
    case binaryProtocol
    /// The file contains tracks rather than the output of a receiver.
    case otherFormat
    /// Sentences arrive, but too many have wrong checksums.
    case badChecksums
    /// Sentences arrive, but none has a position.
    case noPosition
    /// The receiver has no fix yet.
    case noFix
    /// Fixes arrive with an impossible date.
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
        case .noTTY: "plugged in, but the kernel has created no tty for it"
        case .noNode: "it has a tty, but no name in /dev, as in a container"
        case .permissionDenied: "you may not open it"
        case .busy: "another program holds it"
        case .modemManager: "ModemManager may be disturbing it"
        case .cannotOpen: "it cannot be opened for another reason"
        case .disconnected: "it disconnected during the examination"
        case .silent: "no bytes arrive"
        case .noise: "unreadable bytes: a wrong baud rate, or not a receiver"
        case .binaryProtocol: "a binary protocol instead of NMEA"
        case .otherFormat: "a file of tracks, such as GPX, not the output of a receiver"
        case .badChecksums: "sentences with wrong checksums"
        case .noPosition: "sentences, but none about a position"
        case .noFix: "no fix yet"
        case .wrongDate: "fixes with an impossible date"
        }
    }
}
