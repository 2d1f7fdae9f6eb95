// SPDX-License-Identifier: MIT
import GPSIO
import Glibc

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
        case .permissionDenied: "You may not open \(device): \(permissionAdvice)."
        case .busy where isServed:
            "\(device) is in use by \(holder): read \(serverAddress), or stop that program."
        case .busy: "\(device) is in use by \(holder): stop it and try again."
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
        case .ioFailed where errno == EBADMSG:
            "\(device) is damaged: its data cannot be read to the end; copy it again from its source."
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

    private var permissionAdvice: String {
        switch detail {
        // Members of the group of a file may read far more than this file.
        case .group where isFile, .groupAfterLogin where isFile:
            "it belongs to another user, so ask the owner for read access"
        case .group("tty"):
            "a login console uses it; \(LoginConsole.remedy(for: device))"
        case .group("\(NodeAccess.foreignGroup)"):
            "its group does not exist in this container or service (podman needs the option "
                + "--group-add keep-groups)"
        case .group(let group) where group.allSatisfy(\.isNumber):
            "only members of its group \(group), which has no name on this system, may open it "
                + "(docker needs the option --group-add \(group))"
        case .group(let group):
            "run `sudo usermod -aG \(group) $USER`, then log out and in again"
        case .groupAfterLogin(let group):
            "you joined its group \(group) after you logged in, so log out and in again"
        case .forbidden(let group):
            "its group \(group) is allowed to open it, but an access control list, AppArmor or "
                + "SELinux prevents this, so ask the administrator"
        case .ownerDenied:
            "its mode does not let you, its owner, read it, so run `chmod u+r \(device)`"
        case _ where errno == EPERM:
            "this service or container is not allowed to use it, so allow the device in its "
                + "settings (DeviceAllow= of a service, --device of a container)"
        case _ where !device.hasPrefix("/dev/"):
            "it or its folder belongs to another user, so ask the owner for read access"
        default: "its mode allows no group to open it, so ask the administrator for a udev rule"
        }
    }
}
