// SPDX-License-Identifier: MIT
import CGPSSerial
import GNSS
package import GPSIO
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

    /// Creates an error.
    public init(_ code: Code, device: String, errno: CInt? = nil, detail: Detail? = nil) {
        self.code = code
        self.device = device
        self.errno = errno
        self.detail = detail
    }

    /// Creates the error of a failed call. The code is `.tooManyOpenFiles` if `errno` is `EMFILE` or
    /// `ENFILE`, and otherwise `code`.
    package init(of code: Code, device: String, errno: CInt?, detail: Detail? = nil) {
        let isLimit = errno == EMFILE || errno == ENFILE
        self.init(
            isLimit ? .tooManyOpenFiles : code, device: device, errno: errno, detail: detail)
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

extension DeviceError: CustomStringConvertible {
    /// The failure, the device and advice, in one sentence.
    public var description: String {
        switch code {
        case .notFound where isBluetooth:
            "There is no \(device): bind the paired Bluetooth receiver to it with "
                + "`sudo rfcomm bind \(device.dropFirst(Self.bluetoothPrefix.count)) ADDRESS`."
        case .disconnected where isBluetooth, .ioFailed where isBluetooth:
            "\(device) has no Bluetooth connection\(reason): switch the receiver on, and check that it is near, paired "
                + "and not connected to another machine."
        case .notFound where device.hasPrefix("/dev/pps"):
            "There is no \(device): create it with `ldattach 18 TTY`, or name the tty whose line "
                + "carries the pulse."
        case .notFound where !isReceiverName: "There is no file \(device): check its name."
        case .notFound: "There is no \(device): plug the receiver in or check the name."
        case .permissionDenied where isNetwork:
            "You may not listen on \(device)\(reason): use a port of 1024 or above."
        case .busy where isNetwork:
            "\(device) is in use by another program: stop it, or use another port."
        case .disconnected where isNetwork:
            "\(device) was disconnected: check the server."
        case .hostUnknown:
            "The host of \(device) was not found\(reason): check its name and the network."
        case .programMissing:
            "\(device) needs gpsbridge-fleet, which is not installed: install it in the same folder as "
                + "this program, or in a folder on your PATH."
        case .unreachable where device.hasPrefix("udp://") && errno == EADDRNOTAVAIL:
            "You cannot listen on \(device)\(reason): name an address of this machine, or none, as in "
                + "udp://:10110."
        case .unreachable:
            "\(device) cannot be reached\(reason): check the address and the server."
        case .gpsd where device.hasPrefix("gpsd://"):
            "\(device) sends JSON like gpsd, but not the NMEA that was requested: use a port at "
                + "which this server sends NMEA, such as tcp://HOST:10110."
        case .gpsd:
            "\(device) is a gpsd server, which sends no NMEA unless asked: use "
                + "gpsd://\(device.drop { $0 != "/" }.drop { $0 == "/" })."
        case .permissionDenied: "You may not open \(device): \(denial.reason), so \(denial.advice)."
        case .busy where isServed:
            "\(device) is in use by \(holder): read \(serverAddress), or stop that program."
        case .busy: "\(device) is in use by \(holder): stop it and try again."
        case .notADevice where detail != nil: "\(device): \(invalidity)."
        case .notADevice:
            "\(device) is not a tty, a file or a pipe: name the receiver's tty, "
                + "such as /dev/ttyUSB0."
        case .invalidSource: "\(device): \(invalidity)."
        case .isDirectory: "\(device) is a folder: name a tty or a file in it."
        case .disconnected where device.hasPrefix("/dev/pts/"):
            "\(device) was closed by the program that created it: restart that program, and then "
                + "this one."
        case .disconnected: "\(device) was disconnected: plug it in again."
        case .configurationFailed:
            "\(device) does not accept the line settings\(reason): try another baud rate."
        case .tooManyOpenFiles where errno == ENFILE:
            "\(device) cannot be opened, because the system has too many files open: close some "
                + "programs, or raise its limit (sysctl fs.file-max)."
        case .tooManyOpenFiles:
            "\(device) cannot be opened, because this program has too many files open: name fewer "
                + "files or receivers, or raise its limit (ulimit -n, or LimitNOFILE= of a "
                + "service)."
        case .noPseudoTerminal:
            "The system has no pseudo terminal left\(reason): close terminals and simulated receivers, "
                + "or raise the limit (sysctl kernel.pty.max)."
        case .ownTerminal:
            "\(device) is the terminal that this program runs in: name a receiver's tty, such as "
                + "/dev/ttyUSB0."
        case .binaryProtocol:
            "\(device == "-" ? "standard input" : device) \(isFile ? "has" : "sends") \(binaryProtocol)."
        case .noTrack:
            "\(device) contains \(content)."
        case .ioFailed where errno == EBADMSG: "\(device) \(defect)."
        case .ioFailed where errno == EOPNOTSUPP && device.hasPrefix("/dev/pps"):
            "\(device) does not capture the requested edge of its pulses: use the other edge, "
                + "start this program as root, or set the device up for the requested edge "
                + "(pps-gpio: capture_clear or assert_falling_edge)."
        case .ioFailed where errno == ELOOP || errno == ENAMETOOLONG:
            "\(device) cannot be read\(reason): check its name."
        case .ioFailed where device == "-":
            "Standard input (-) cannot be read\(reason): check the file or program that it comes from."
        case .ioFailed where isFile:
            "\(device) cannot be read\(reason): check its disk."
        case .ioFailed where isNetwork:
            "\(device) cannot be read\(reason): check the network and the server."
        case .ioFailed:
            "\(device) cannot be read\(reason): unplug the receiver and plug it in again."
        case .stateNotStored:
            "\(device) cannot be written or deleted\(reason): check the permissions of its folder, and "
                + "the free space of its disk."
        case .notUnderstood:
            "\(device) no longer sends valid messages: check its cable and its baud rate."
        case .silent where isNetwork:
            "No position data arrives from \(device): check the server and its receiver."
        case .silent:
            "No position data arrives from \(device): check its cable and its baud rate."
        case .flooded where isNetwork:
            "\(device) sends invalid data, more than a receiver can send: check the server and the port."
        case .flooded:
            "\(device) sends invalid data, more than a receiver can send: unplug it and plug it in again."
        case .otherReader:
            "\(device) is also read by \(holder): each gets only part of the bytes, so stop one of them."
        case .notControllable where device.hasPrefix("simulated"):
            "\(device) cannot be configured: simulate a receiver on a tty with `gpsbridge simulate "
                + "--personality ublox8 --link /tmp/gps`, and configure /tmp/gps."
        case .notControllable:
            "\(device) cannot be configured: give the tty of a receiver, or the address of a gpsbridge "
                + "server that was started with --allow-control."
        case .noReceiver:
            "No receiver was recognised\(tried): plug one in, or name its tty, such as /dev/ttyUSB0."
        case .nameTaken:
            "\(device) exists and is not a link to a pseudo terminal: remove it or choose another "
                + "name."
        case .linkFailed:
            "The link \(device) cannot be created\(linkReason)."
        case .ended: "\(device) has ended: there is nothing more to read."
        case .notOpened: "\(device) was not opened in time: try again with a longer timeout."
        case .cancelled: "Reading \(device) was cancelled."
        default: "\(device) failed with \(code.rawValue)\(reason)."
        }
    }

    private var isFile: Bool { (try? Node(device).kind()) == .regularFile }  // unknown: a device

    /// Whether `device` certainly is the name of a receiver, and cannot be that of a recording.
    private var isReceiverName: Bool {
        isNetwork || ["/dev/", "serial:", "simulated"].contains { device.hasPrefix($0) }
    }

    private static let bluetoothPrefix = "/dev/rfcomm"

    private var isBluetooth: Bool { device.hasPrefix(Self.bluetoothPrefix) }

    private var isNetwork: Bool { device.contains("://") }

    private var reason: String {
        if case .reported(let reason) = detail { return " (\(reason))" }
        return errno.map { " (\(String(cString: strerror($0))))" } ?? ""
    }

    private var linkReason: String {
        errno.map { ": \(IOError.reason($0, writing: device))" } ?? ""
    }

    private var binaryProtocol: String {
        guard case .binaryProtocol(let name, let remedy) = detail else {
            return "a binary protocol, not NMEA: switch NMEA on"
        }
        return "\(name): \(remedy)"
    }

    private var invalidity: String {
        if case .reported(let reason) = detail { return reason }
        return "the setting does not name a source"
    }

    private var defect: String {
        if case .reported(let reason) = detail { return "cannot be used: \(reason)" }
        return "is damaged: its data cannot be read to the end; copy it again from its source"
    }

    private var content: String {
        if case .reported(let content) = detail { return content }
        return "no track"
    }

    /// The ttys that were tried without success, as text to append to a message:
    /// ` (no valid messages from /dev/ttyUSB0)`. Empty if none was tried.
    var tried: String {
        guard case .notUnderstood(let ttys) = detail else { return "" }
        return " (no valid messages from \(ttys.joined(separator: ", ")))"
    }

    private var holder: String {
        if case .heldBy(let program, let processID) = detail {
            return "\(program) (process \(processID))"
        }
        if case .probablyHeldBy(let server) = detail {
            return "another program, probably \(server)"
        }
        return "another program"
    }

    /// The address of the server that has the device open: `gpsd://localhost:3000`.
    package var serverAddress: String {
        let server =
            switch detail {
            case .heldBy(_, let processID): RunningProcess.all.first { $0.id == processID }
            case .probablyHeldBy(let name): RunningProcess.all.first { $0.server == name }
            default: nil as RunningProcess?
            }
        let port = server?.port.flatMap { $0 == GPSDSource.port ? nil : ":\($0)" } ?? ""
        return "gpsd://localhost\(port)"
    }

    private var isServed: Bool {
        switch detail {
        case .probablyHeldBy: true
        case .heldBy(let program, _): program == "gpsd" || program == "gpsbridge serve"
        default: false
        }
    }

    /// Why the user may not open the device, and what to do about it.
    package var denial: (reason: String, advice: String) {
        switch detail {
        // Members of the group of a file may read far more than this file.
        case .group where isFile, .groupAfterLogin where isFile:
            ("it belongs to another user", "ask the owner for read access")
        case .group("tty"): ("a login console uses it", LoginConsole.remedy(for: device))
        case .group("\(NodeAccess.foreignGroup)"):
            (
                "its group does not exist in this container or service",
                "pass the group on with --group-add keep-groups in podman (with SELinux, also with "
                    + "--security-opt label=disable), with gid= of the device in LXC, or with "
                    + "SupplementaryGroups= in a service"
            )
        case .group(let group) where group.allSatisfy(\.isNumber):
            (
                "its group has only a number here, \(group), and only members of that group may open it",
                "start the container with --group-add \(group)"
            )
        case .group(let group) where !NodeAccess.isPrivileged(group):
            (
                "only members of its group \(group) may open it",
                "run `sudo usermod -aG \(group) $USER`, then log out and in again"
            )
        case .groupAfterLogin(let group):
            (
                "you joined its group \(group) after you logged in",
                "log out and in again, or run `newgrp \(group)`"
            )
        case .forbidden(let group):
            (
                "you are in its group \(group), but an access list, AppArmor or SELinux denies access",
                "run `getfacl \(device)` and `sudo journalctl -k | grep -i denied` to see which of "
                    + "them denies access"
            )
        case .ownerDenied:
            ("its mode does not let you, its owner, read it", "run `chmod u+r \(device)`")
        case _ where errno == EPERM:
            (
                "this service or container is not allowed to use it",
                "add DeviceAllow=char-\(deviceClass) rw to the service, or start the container with "
                    + "--device \(device)"
            )
        // No udev rule applies to a file, or to the pseudo terminal of another user's program.
        case _ where !device.hasPrefix("/dev/") || device.hasPrefix("/dev/pts/"):
            ("it or its folder belongs to another user", "ask the owner for read access")
        default:
            ("its mode does not let your groups open it", "ask the administrator for a udev rule")
        }
    }

    /// The name of the device's driver in `/proc/devices`, such as `ttyUSB` for `/dev/ttyUSB0`.
    private var deviceClass: String {
        let node = (Node(device).linkTarget ?? device).split(separator: "/").last ?? ""
        return String(node.prefix { !$0.isNumber })
    }
}

extension DeviceError {
    /// Converts the error of a failed system call. `device` is the name by which the user knows the
    /// device; if it is `nil`, the name in `error` is used.
    package init(_ error: IOError, device: String? = nil) {
        let device = device ?? error.name
        switch error.operation {
        case .open: self = .opening(device, errno: error.errno)
        case .link where error.errno == EEXIST:
            self.init(.nameTaken, device: device, errno: EEXIST)
        case .link: self.init(of: .linkFailed, device: device, errno: error.errno)
        case .makeTerminal: self.init(of: .noPseudoTerminal, device: device, errno: error.errno)
        case .lookUp where error.errno == ECANCELED: self.init(.cancelled, device: device)
        case .lookUp:
            self.init(
                .hostUnknown, device: device,
                detail: error.reason.map { DeviceError.Detail.reported($0) })
        case .start where error.errno == ENOENT || error.errno == EACCES:
            self.init(.programMissing, device: device, errno: error.errno)
        case .start, .create, .listen, .accept, .write:
            self.init(of: .ioFailed, device: device, errno: error.errno)
        }
    }

    /// Runs `body` and converts its error to a `DeviceError`.
    package static func converted<Result: ~Copyable>(
        device: String? = nil, _ body: () throws(IOError) -> Result
    ) throws(DeviceError) -> Result {
        do throws(IOError) { return try body() } catch { throw DeviceError(error, device: device) }
    }

    /// Returns the error for a path that could not be opened, with the given `errno`.
    package static func opening(_ path: String, errno number: CInt) -> DeviceError {
        switch number {
        // Opening a node whose device is gone fails with ENXIO or ENODEV.
        case ENOENT, ENXIO, ENODEV, ENOTDIR:
            DeviceError(.notFound, device: path, errno: number)
        case EACCES:
            DeviceError(
                .permissionDenied, device: path, errno: number,
                detail: NodeAccess(path).denial)
        // A device cgroup (of a service or container) denies access, so joining the node's group
        // would not help.
        case EPERM: DeviceError(.permissionDenied, device: path, errno: number)
        case EBUSY:
            DeviceError(.busy, device: path, errno: number, detail: NodeAccess(path).probableHolder)
        case EISDIR: DeviceError(.isDirectory, device: path, errno: number)
        case ENOTTY: DeviceError(.notADevice, device: path, errno: number)
        case EINVAL: DeviceError(.configurationFailed, device: path, errno: number)
        default: DeviceError(of: .ioFailed, device: path, errno: number)
        }
    }
}

extension HostLookup {
    /// Returns the host's addresses for connecting or, if `passive` is `true`, for listening.
    ///
    /// Throws `.hostUnknown`; `.cancelled` as soon as the task is cancelled.
    package func find(passive: Bool) async throws(DeviceError) -> [SocketAddress] {
        do throws(IOError) {
            return try await addresses(passive: passive)
        } catch {
            throw DeviceError(error)
        }
    }

    /// Throws `.hostUnknown` if the host has no addresses. Blocks until a name server answers.
    package func check(passive: Bool) throws(DeviceError) {
        do throws(IOError) {
            try requireAddresses(passive: passive)
        } catch {
            throw DeviceError(error)
        }
    }
}

/// Advice about a serial line on which a login program runs, such as the one on the GPIO pins of a
/// Raspberry Pi.
package enum LoginConsole {
    /// Advice on enabling a board's serial port without a login program.
    package static let boardLine =
        "on a Raspberry Pi, run `sudo raspi-config`, choose Interface Options, then Serial Port, "
        + "disable the login shell, and enable the port"

    /// Returns advice on stopping the login program on a serial line permanently. The advice
    /// disables its service, because systemd restarts a program that merely ends.
    package static func remedy(for device: String) -> String {
        let isLink = !device.hasPrefix("/dev/tty")
        let tty = isLink ? "TTY" : String(device.dropFirst("/dev/".count))
        let link = isLink ? " (`readlink \(device)` shows TTY)" : ""
        return "\(boardLine); elsewhere, run "
            + "`sudo systemctl mask --now serial-getty@\(tty).service`\(link)"
    }
}
