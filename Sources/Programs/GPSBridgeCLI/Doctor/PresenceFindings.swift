// SPDX-License-Identifier: MIT
import GPSReceivers
import Glibc

/// Examines whether a device is plugged in that is, or may be, a receiver.
struct PresenceFindings {
    private let evidence: Evidence

    init(_ evidence: Evidence) {
        self.evidence = evidence
    }

    var findings: [Finding] {
        device + evidence.unboundDevices.map(finding) + others + [equals].compactMap(\.self)
            + nothing + [service].compactMap(\.self)
    }

    private var service: Finding? {
        guard evidence.isServiceYieldingToGPSD, !evidence.isNetwork, !evidence.isPipe else {
            return nil
        }
        return .note(
            "gpsd is enabled, so gpsbridge's service leaves the receivers to it and stays idle.",
            remedy: "sudo gpsbridge-switch gpsbridge; to switch back: sudo gpsbridge-switch gpsd")
    }

    private var device: [Finding] {
        guard let name = evidence.name else { return [] }
        guard !evidence.isNetwork, name != "-" else { return [] }
        // A USB receiver that is not plugged in has no tty, so that it looks like a pipe.
        if evidence.failure?.code == .notFound { return [missing(name)] }
        guard !evidence.isPipe else { return [] }
        guard let tty = evidence.tty else {
            // In a folder that may not be searched, it is not known whether the file exists.
            let mayBeMissing = evidence.failure?.code == .permissionDenied
            return mayBeMissing ? [] : [.ok("\(name) exists.")]
        }
        let driver = tty.driver.map { ", driver \($0)" } ?? ""
        let there = Finding.ok("\(name) exists: \(tty.model) (\(tty.id)\(driver)).")
        if tty.sendsNMEA { return [there] }
        guard tty.isReceiver else {
            let text =
                "The USB ID of \(name) does not identify a receiver, so gpsbridge only listens to it."
            return [there, .note(text)]
        }
        return [there, .note("This receiver does not send NMEA by itself.")]
    }

    private func missing(_ name: String) -> Finding {
        if let tty = evidence.tty {
            return .error(
                .noNode,
                "\(tty.model) (\(tty.id)) is plugged in as \(tty.path), but that name is missing "
                    + "in /dev: this is a container or a chroot, which has its own /dev.",
                remedy: "start the container with --device \(tty.path); for a chroot, "
                    + "sudo mount --bind /dev CHROOT/dev")
        }
        // The node exists in /dev, but the kernel has no device for it.
        if let error = evidence.failure?.errno, error == ENXIO || error == ENODEV {
            return .error(
                .noDevice, "\(name) exists, but its device is gone.",
                remedy: "plug the receiver in again; if it then has another name, restart the "
                    + "container with that name")
        }
        let remedy =
            Self.remedy(forMissing: name)
            ?? evidence.others.first.map { "gpsbridge doctor \($0.path)" }
            ?? "plug the receiver in, or look for its name with `gpsbridge list`"
        return .error(.noDevice, "There is no \(name).", remedy: remedy)
    }

    /// Returns the advice for a name that no USB device can have; `nil` for other names.
    private static func remedy(forMissing name: String) -> String? {
        if name.hasPrefix("/dev/rfcomm") {
            return "bind the paired Bluetooth receiver to this name: sudo rfcomm bind "
                + "\(name.dropFirst("/dev/rfcomm".count)) ADDRESS; bluetoothctl devices lists the addresses"
        }
        let boardLines = ["/dev/serial0", "/dev/serial1", "/dev/ttyAMA", "/dev/ttyS"]
        guard boardLines.contains(where: { name.hasPrefix($0) }) else { return nil }
        return "enable the board's serial port, and restart the board; \(LoginConsole.boardLine)"
    }

    private func finding(_ unbound: UnboundDevice) -> Finding {
        let what = "\(unbound.model) (\(unbound.id)) is plugged in"
        let isBlocking = evidence.name == nil
        func found(_ text: String, _ remedy: String) -> Finding {
            isBlocking ? .error(.noTTY, text, remedy: remedy) : .note(text, remedy: remedy)
        }
        if !unbound.isAuthorized {
            return found(
                "\(what), but is blocked, for example by USBGuard.",
                "sudo usbguard list-devices --blocked, then sudo usbguard allow-device NUMBER")
        }
        let brltty =
            "if no braille display is connected by USB, switch off brltty's udev rules: find their "
            + "files with `grep -il \(unbound.id.prefix(4)) /usr/lib/udev/rules.d/*brltty*`; for each, run "
            + "`sudo ln -s /dev/null /etc/udev/rules.d/NAME`, where NAME is its name without the folder; "
            + "then run `sudo udevadm control --reload`, and plug the receiver in again"
        if unbound.drivers.contains("usbfs") {
            return found(
                "\(what), but a program has detached it from its driver; brltty, which drives "
                    + "braille displays, is known for that.", brltty)
        }
        guard let module = unbound.module, !unbound.drivers.contains(module) else {
            return found("\(what), but has no tty.", "unplug it and plug it in again")
        }
        guard !unbound.isModuleLoaded else {
            return found(
                "\(what), but its driver \(module) has no tty for it.",
                "plug it in again, then look for the reason: sudo dmesg | grep -iE '\(module)|brltty'; "
                    + "an old kernel does not know newer chips, and brltty detaches converters: \(brltty)"
            )
        }
        return found(
            "\(what), but no driver has created a tty for it.",
            "run `sudo modprobe \(module)`; if it does not find the driver, restart the machine "
                + "after an update of its kernel, or run `sudo apt install linux-image-amd64` in one of "
                + "Debian's cloud images")
    }

    private var others: [Finding] {
        guard evidence.failure?.code != .notFound, !evidence.isNetwork else { return [] }
        return evidence.others.map { other in
            let what =
                evidence.tty?.siblings.contains(other.path) == true
                ? "is another tty of the same device"
                : other.isReceiver ? "is another receiver" : "may be a receiver"
            return .note(
                "\(other.path) \(what): \(other.model) (\(other.id)).",
                remedy: "gpsbridge doctor \(other.path)")
        }
    }

    /// The finding that another device of the same model has the same serial number, or that
    /// neither has one; `nil` if there is no such device.
    private var equals: Finding? {
        guard let own = evidence.tty else { return nil }
        let twin = evidence.others.first {
            $0.id == own.id && $0.serialNumber == own.serialNumber
                && !own.siblings.contains($0.path)
        }
        guard let twin else { return nil }
        let reason =
            own.serialNumber.map { "also has the serial number \($0)" }
            ?? "has no serial number either"
        return .note(
            "\(twin.path) is the same model as \(own.path), and \(reason): after replugging, "
                + "the two may swap names.",
            remedy: own.stablePath.flatMap { $0.contains("/by-path/") ? $0 : nil }
                .map { "use the name that depends on the USB socket: \($0)" }
                ?? "use names that depend on the USB sockets, as in /dev/serial/by-path")
    }

    private var nothing: [Finding] {
        guard evidence.name == nil, evidence.unboundDevices.isEmpty else { return [] }
        let remedy =
            "plug a receiver in; try another USB port, and another cable, because some cables only "
            + "charge; for a virtual machine or a container, pass the device through; for "
            + "WSL, run in Windows: usbipd attach --wsl --busid N"
        let nonReceivers = evidence.nonReceivers.map { tty in
            Finding.note(
                "\(tty.path) is probably not a receiver: \(tty.model) (\(tty.id)).",
                remedy: "gpsbridge doctor \(tty.path)")
        }
        let board = evidence.boardLine.map { line in
            Finding.note(
                "A receiver on this board's serial pins is not found automatically: give its name.",
                remedy: "gpsbridge doctor \(line)")
        }
        let none = Finding.error(
            .noDevice, "No USB device that may be a receiver is plugged in.", remedy: remedy)
        return [none] + nonReceivers + [board].compactMap(\.self)
    }
}
