// SPDX-License-Identifier: MIT
import Glibc

/// Why a device cannot be opened or read.
public struct DeviceError: Error, Equatable, Sendable {
    /// The kind of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is nothing at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// The node's group or mode keeps the user out.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// Another program has it open.
        public static let busy = Code(rawValue: "busy")
        /// The path is something that cannot be read as asked.
        public static let notADevice = Code(rawValue: "notADevice")
        /// The path is a folder.
        public static let isDirectory = Code(rawValue: "isDirectory")
        /// The device has gone, as by unplugging.
        public static let disconnected = Code(rawValue: "disconnected")
        /// The line does not accept the settings.
        public static let configurationFailed = Code(rawValue: "configurationFailed")
        /// Opening or reading failed otherwise.
        public static let ioFailed = Code(rawValue: "ioFailed")
        /// The process, or the whole system, has as many files open as it may.
        public static let tooManyOpenFiles = Code(rawValue: "tooManyOpenFiles")
        /// The system has no pseudo terminal left, as a simulated receiver needs.
        public static let noPseudoTerminal = Code(rawValue: "noPseudoTerminal")
        /// The path is the terminal that the program runs in.
        public static let ownTerminal = Code(rawValue: "ownTerminal")
        /// A binary protocol comes instead of NMEA, which is not decoded; reading continues.
        public static let binaryProtocol = Code(rawValue: "binaryProtocol")
        /// A file has no track, route or other position to be read.
        public static let noTrack = Code(rawValue: "noTrack")
        /// No address is known for the host.
        public static let hostUnknown = Code(rawValue: "hostUnknown")
        /// The host cannot be reached, or nothing listens on the port.
        public static let unreachable = Code(rawValue: "unreachable")
        /// A gpsd answers, which sends objects instead of sentences.
        public static let gpsd = Code(rawValue: "gpsd")
        /// It is read by a program that is not installed.
        public static let programMissing = Code(rawValue: "programMissing")
        /// Bytes come, but for seconds no message with a right checksum; reading goes on.
        public static let notUnderstood = Code(rawValue: "notUnderstood")
        /// More noise comes than a line can carry; it is read no faster than need be.
        public static let flooded = Code(rawValue: "flooded")
        /// Another program reads the same tty, so that each gets only a part; reading goes on.
        public static let shared = Code(rawValue: "shared")
        /// No receiver is plugged in that is certainly one.
        public static let noReceiver = Code(rawValue: "noReceiver")
        /// A link cannot be made because something else has its name.
        public static let nameTaken = Code(rawValue: "nameTaken")
        /// A recording, or another source with an end, has ended.
        public static let ended = Code(rawValue: "ended")
        /// Opening has not been tried, or has not come to an end yet.
        public static let notOpened = Code(rawValue: "notOpened")
        /// The reading task was cancelled, or the connection closed by its owner.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// The path or name that the user knows.
    public let device: String
    /// The `errno` behind it, if there is one.
    public let errno: CInt?
    /// Details: which process holds the device, or which group may open it.
    public let detail: Detail?

    /// Creates an error; its code is `.tooManyOpenFiles` where that is what the `errno` means.
    public init(_ code: Code, device: String, errno: CInt? = nil, detail: Detail? = nil) {
        self.code = errno == EMFILE || errno == ENFILE ? .tooManyOpenFiles : code
        self.device = device
        self.errno = errno
        self.detail = detail
    }
}

extension DeviceError {
    /// What is known about a device that cannot be opened.
    public enum Detail: Equatable, Sendable {
        /// The program that has it open.
        case heldBy(program: String, processID: Int)
        /// The group that may open it.
        case group(String)
        /// The user is in that group, but logged in before joining it.
        case groupAfterLogin(String)
        /// The user is in the group that may open it, and yet something forbids it.
        case forbidden(group: String)
        /// The binary protocol that comes, and what switches the receiver to NMEA.
        case binaryProtocol(name: String, remedy: String)
        /// What the program that reads it has reported.
        case reported(String)
        /// Ttys that may have been a receiver's, and from which nothing was understood.
        case notUnderstood([String])
    }
}
