// SPDX-License-Identifier: MIT
import Glibc

/// An error of opening or reading a device.
public struct DeviceError: Error, Equatable, Sendable {
    /// The kind of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Nothing exists at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// The node's group or mode denies access to the user.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// Another program has the device open.
        public static let busy = Code(rawValue: "busy")
        /// The path is not a tty, or not of the kind that was expected.
        public static let notADevice = Code(rawValue: "notADevice")
        /// The path is a folder.
        public static let isDirectory = Code(rawValue: "isDirectory")
        /// The device is gone; it was unplugged, for example.
        public static let disconnected = Code(rawValue: "disconnected")
        /// The line does not accept the settings.
        public static let configurationFailed = Code(rawValue: "configurationFailed")
        /// Opening or reading failed for another reason.
        public static let ioFailed = Code(rawValue: "ioFailed")
        /// The process or the whole system has reached its limit of open files.
        public static let tooManyOpenFiles = Code(rawValue: "tooManyOpenFiles")
        /// The system has no pseudo terminal left for a simulated receiver.
        public static let noPseudoTerminal = Code(rawValue: "noPseudoTerminal")
        /// The path is the terminal in which the program runs.
        public static let ownTerminal = Code(rawValue: "ownTerminal")
        /// The device sends a binary protocol instead of NMEA, which is not decoded; reading
        /// continues.
        public static let binaryProtocol = Code(rawValue: "binaryProtocol")
        /// The file has no track, route or other position.
        public static let noTrack = Code(rawValue: "noTrack")
        /// No address is known for the host.
        public static let hostUnknown = Code(rawValue: "hostUnknown")
        /// The host cannot be reached, or nothing listens on the port.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The server is a gpsd, which sends JSON objects instead of sentences.
        public static let gpsd = Code(rawValue: "gpsd")
        /// The program that reads the source is not installed.
        public static let programMissing = Code(rawValue: "programMissing")
        /// Bytes are received, but no message with a correct checksum for seconds; reading
        /// continues.
        public static let notUnderstood = Code(rawValue: "notUnderstood")
        /// The device sends more noise than a line can carry; reading is throttled.
        public static let flooded = Code(rawValue: "flooded")
        /// Another program reads the same tty, so that each gets only part of the bytes; reading
        /// continues.
        public static let otherReader = Code(rawValue: "shared")
        /// The source cannot be written to: it is a file, or its receiver is at another computer.
        public static let notControllable = Code(rawValue: "notControllable")
        /// No device is plugged in that is recognised as a receiver.
        public static let noReceiver = Code(rawValue: "noReceiver")
        /// A link cannot be made because something else has its name.
        public static let nameTaken = Code(rawValue: "nameTaken")
        /// A recording, or another source with an end, has ended.
        public static let ended = Code(rawValue: "ended")
        /// Opening has not been tried, or is not finished yet.
        public static let notOpened = Code(rawValue: "notOpened")
        /// The reading task was cancelled, or the owner closed the connection.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// The path or name by which the user knows the device.
    public let device: String
    /// The `errno` of the failed call; `nil` if there is none.
    public let errno: CInt?
    /// Further information, such as the process that holds the device or the group that may open
    /// it.
    public let detail: Detail?

    /// Creates an error; the code is `.tooManyOpenFiles` if `errno` is `EMFILE` or `ENFILE`.
    public init(_ code: Code, device: String, errno: CInt? = nil, detail: Detail? = nil) {
        self.code = errno == EMFILE || errno == ENFILE ? .tooManyOpenFiles : code
        self.device = device
        self.errno = errno
        self.detail = detail
    }
}

extension DeviceError {
    /// Further information about the failure.
    public enum Detail: Equatable, Sendable {
        /// The program that has it open.
        case heldBy(program: String, processID: Int)
        /// The group that may open it.
        case group(String)
        /// The group that may open it; the user joined it after logging in.
        case groupAfterLogin(String)
        /// The user is in the group that may open it, but an access list, AppArmor or SELinux
        /// forbids it.
        case forbidden(group: String)
        /// The binary protocol received, and how to switch the receiver to NMEA.
        case binaryProtocol(name: String, remedy: String)
        /// The reason reported by the program that reads the source.
        case reported(String)
        /// The ttys that were tried and sent no valid messages.
        case notUnderstood([String])
    }
}
