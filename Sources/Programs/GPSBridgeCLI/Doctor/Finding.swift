// SPDX-License-Identifier: MIT
import GNSS

/// One result of an examination, as text for the user.
package struct Finding: Hashable, Sendable {
    /// The severity of a finding.
    package enum Level: String, Hashable, Sendable {
        /// The examined part works.
        case ok
        /// The finding is worth knowing, but does not prevent fixes.
        case note
        /// There is a problem that must be fixed.
        case error
    }

    /// The severity of the finding.
    package var level: Level
    /// The condition that an error indicates; `nil` for other levels.
    package var condition: Condition?
    /// The result, in one or two sentences.
    package var text: String
    /// The command or action that fixes the problem; `nil` if none is known or needed.
    package var remedy: String?

    /// Creates a finding that reports no problem.
    static func ok(_ text: String) -> Finding {
        Finding(level: .ok, text: text)
    }

    /// Creates a finding that is worth knowing, but does not prevent fixes.
    package static func note(_ text: String, remedy: String? = nil) -> Finding {
        Finding(level: .note, text: text, remedy: remedy)
    }

    /// Creates a finding about a problem that must be fixed.
    package static func error(
        _ condition: Condition, _ text: String, remedy: String? = nil
    ) -> Finding {
        Finding(level: .error, condition: condition, text: text, remedy: remedy)
    }
}

/// Formats numbers for the user.
enum FindingText {
    /// Returns seconds as text, such as `12 s`.
    static func seconds(_ seconds: Double) -> String {
        "\(number(seconds, seconds < 10 ? 1 : 0)) s"
    }

    /// Returns a number with at most `decimals` decimals. Numbers of 1e9 or more, infinity and NaN
    /// are formatted as by Swift.
    static func number(_ value: Double, _ decimals: Int) -> String {
        guard value.magnitude < 1e9 else { return "\(value)" }
        return String(value, atMostDecimals: decimals)
    }
}

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
    /// The desktop's location service is not installed, or too old.
    case noGeoclue = 40
    /// No agent of the user permits desktop programs to use the position.
    case noAgent = 41
    /// The desktop's settings forbid the use of the position.
    case locationOff = 42
    /// geoclue is not configured to read a receiver's socket.
    case otherSocket = 43
    /// The socket for geoclue does not exist, or geoclue may not open it.
    case noSocket = 44

    /// The name in the output of `--json`.
    package var name: String { "\(self)" }

    /// A short description of the condition, for `--help`.
    var meaning: String {
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
        case .noGeoclue: "with --desktop: geoclue is not installed, or older than 2.6"
        case .noAgent: "no agent permits programs to use the position"
        case .locationOff: "the desktop's settings forbid it"
        case .otherSocket: "geoclue's configuration names no socket, or switches it off"
        case .noSocket: "geoclue's socket does not exist, or geoclue may not open it"
        }
    }
}
