// SPDX-License-Identifier: MIT
import Glibc

/// An error that occurred when opening or reading a device.
public struct DeviceError: Error, Equatable, Sendable {
    /// The kind of failure; more may be added.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// Creates a code from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The code's name.
        public var description: String { rawValue }

        /// Nothing exists at the path.
        public static let notFound = Code(rawValue: "notFound")
        /// The user may not open the device, or may not listen on the port.
        public static let permissionDenied = Code(rawValue: "permissionDenied")
        /// Another program has the device open and locked, or uses the port.
        public static let busy = Code(rawValue: "busy")
        /// The path is not a tty, a file or a pipe, or it is not of the expected kind.
        public static let notADevice = Code(rawValue: "notADevice")
        /// A setting, such as a line of a configuration file, does not name a source correctly.
        /// `device` names the setting, and `detail` contains the reason.
        public static let invalidSource = Code(rawValue: "invalidSource")
        /// The path is a folder.
        public static let isDirectory = Code(rawValue: "isDirectory")
        /// The device was disconnected, for example unplugged.
        public static let disconnected = Code(rawValue: "disconnected")
        /// The serial line does not accept the settings.
        public static let configurationFailed = Code(rawValue: "configurationFailed")
        /// Opening or reading failed for another reason.
        public static let ioFailed = Code(rawValue: "ioFailed")
        /// A file in the state folder, such as the journal of `configure`, could not be written or
        /// deleted.
        public static let stateNotStored = Code(rawValue: "stateNotStored")
        /// The process or the whole system has reached its limit of open files.
        public static let tooManyOpenFiles = Code(rawValue: "tooManyOpenFiles")
        /// The system has no free pseudo terminal for a simulated receiver.
        public static let noPseudoTerminal = Code(rawValue: "noPseudoTerminal")
        /// The path is the terminal in which the program runs.
        public static let ownTerminal = Code(rawValue: "ownTerminal")
        /// The device sends a binary protocol without usable positions instead of NMEA. Reading
        /// continues.
        public static let binaryProtocol = Code(rawValue: "binaryProtocol")
        /// The file contains no track, route or other position.
        public static let noTrack = Code(rawValue: "noTrack")
        /// The host name cannot be resolved.
        public static let hostUnknown = Code(rawValue: "hostUnknown")
        /// The host cannot be reached, or nothing listens on the port.
        public static let unreachable = Code(rawValue: "unreachable")
        /// The server is gpsd, or another server of its protocol, and sends JSON objects instead of
        /// sentences.
        public static let gpsd = Code(rawValue: "gpsd")
        /// The helper program that reads the source, `gpsbridge-fleet`, is not installed.
        public static let programMissing = Code(rawValue: "programMissing")
        /// Bytes have been received for some seconds, but no message with a correct checksum.
        /// Reading continues.
        public static let notUnderstood = Code(rawValue: "notUnderstood")
        /// No position data arrives from the open device. Reading continues.
        public static let silent = Code(rawValue: "silent")
        /// The device sends more noise than a serial line can carry. Reading is throttled.
        public static let flooded = Code(rawValue: "flooded")
        /// Another program reads the same tty, so that each program receives only some of the
        /// bytes. Reading continues.
        public static let otherReader = Code(rawValue: "shared")
        /// The source cannot be written to: it is a file, or its receiver is connected to another
        /// computer.
        public static let notControllable = Code(rawValue: "notControllable")
        /// None of the connected devices was recognised as a receiver.
        public static let noReceiver = Code(rawValue: "noReceiver")
        /// A symbolic link cannot be created because its name is in use.
        public static let nameTaken = Code(rawValue: "nameTaken")
        /// A symbolic link cannot be created for another reason, such as a folder in which the user
        /// may not write.
        public static let linkFailed = Code(rawValue: "linkFailed")
        /// The source, such as a recording, has ended.
        public static let ended = Code(rawValue: "ended")
        /// The source has not been opened yet, or opening has not finished.
        public static let notOpened = Code(rawValue: "notOpened")
        /// The reading task was cancelled, or the owner closed the connection.
        public static let cancelled = Code(rawValue: "cancelled")
    }

    /// The kind of failure.
    public let code: Code
    /// The path or the name by which the user knows the device.
    public let device: String
    /// The `errno` of the failed call; `nil` if no call failed.
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
        /// Another program has the device open.
        case heldBy(program: String, processID: Int)
        /// Another program, probably this server of gpsd's protocol, has the device open. The open
        /// files of another user's program are visible only to root.
        case probablyHeldBy(server: String)
        /// Members of this group may open the device, but the user is not one of them. The value is
        /// a number if the group has no name on this system, as in a container. The group `tty`
        /// means that a login program uses the line.
        case group(String)
        /// Members of this group may open the device. The user joined it after logging in, so this
        /// session is not a member yet.
        case groupAfterLogin(String)
        /// The user is in the group that may open the device, but an access list, AppArmor or
        /// SELinux forbids it.
        case forbidden(group: String)
        /// The device or file belongs to the user, but its mode does not let its owner read it.
        case ownerDenied
        /// A description of the received binary protocol, and advice on switching the receiver to
        /// NMEA.
        case binaryProtocol(name: String, remedy: String)
        /// The reason that a helper program or a file reader reported, or why a setting is invalid.
        case reported(String)
        /// The ttys that were tried and sent no valid messages.
        case notUnderstood([String])
    }
}
