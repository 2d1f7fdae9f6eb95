// SPDX-License-Identifier: MIT

/// The problem that prevents a receiver from reporting a position; `fixes` if there is none. The raw
/// value is the exit status of `doctor`; 1 and 2 have the same meaning as for every command.
///
/// The cases are in the order of examination. An earlier problem may be the cause of later ones.
package enum Condition: Int32, CaseIterable, Hashable, Sendable {
    /// Fixes are received.
    case fixes = 0
    /// No possible receiver is plugged in, or there is no device with the given name.
    case noDevice = 10
    /// The device is plugged in, but the kernel has not created a tty for it.
    case noTTY = 11
    /// The tty exists, but its node in /dev is missing.
    case noNode = 17
    /// The user does not have permission to open the device.
    case permissionDenied = 12
    /// Another program has the device open.
    case busy = 13
    /// ModemManager may be sending modem commands to the device.
    case modemManager = 14
    /// The device cannot be opened for another reason.
    case cannotOpen = 15
    /// The device disappeared during the examination.
    case disconnected = 16
    /// No bytes are received.
    case silent = 20
    /// The bytes are unreadable, because the baud rate is wrong or the device is not a receiver.
    case noise = 21
    /// The receiver sends a binary protocol instead of NMEA.
    case binaryProtocol = 22
    /// The file contains a track rather than the output of a receiver.
    case otherFormat = 25
    /// Sentences are received, but too many have wrong checksums.
    case badChecksums = 23
    /// Sentences are received, but none contains a position.
    case noPosition = 24
    /// The receiver does not have a fix yet.
    case noFix = 30
    /// Fixes are received with an impossible date.
    case wrongDate = 31

    /// A short description of the condition, for `--help`.
    package var meaning: String {
        switch self {
        case .fixes: "fixes arrive"
        case .noDevice: "no receiver is plugged in, or SOURCE does not exist"
        case .noTTY: "a receiver is plugged in, but the kernel has created no tty for it"
        case .noNode:
            "the receiver is plugged in, but /dev has no file for it, as can happen in a container"
        case .permissionDenied: "you do not have permission to open SOURCE"
        case .busy: "another program uses the receiver"
        case .modemManager: "ModemManager may be disturbing the receiver"
        case .cannotOpen: "SOURCE cannot be opened, for a reason that is not listed here"
        case .disconnected: "the receiver disconnected during the examination"
        case .silent: "no bytes arrive"
        case .noise: "unreadable bytes arrive: the baud rate is wrong, or SOURCE is not a receiver"
        case .binaryProtocol: "the receiver sends a binary protocol instead of NMEA"
        case .otherFormat: "SOURCE is a track file, such as GPX, not the output of a receiver"
        case .badChecksums: "sentences arrive with wrong checksums, or without checksums"
        case .noPosition: "sentences arrive, but none contains a position"
        case .noFix: "data arrives, but no fix yet"
        case .wrongDate: "fixes arrive with an impossible date"
        }
    }
}
