// SPDX-License-Identifier: MIT
import GPSReceivers
import Glibc

/// Examines whether there is a device that could be a receiver.
struct Presence {
    private let evidence: Evidence

    init(_ evidence: Evidence) {
        self.evidence = evidence
    }

    var findings: [Finding] {
        device + evidence.unboundDevices.map(finding) + others + equals + nothing + service
    }

    private var service: [Finding] {
        guard evidence.isServiceYieldingToGPSD, !evidence.isNetwork, !evidence.isPipe else {
            return []
        }
        return [
            .note(
                "gpsd is enabled, so gpsbridge's service leaves the receivers to it and stays idle.",
                remedy: "sudo gpsbridge-switch gpsbridge, and back: sudo gpsbridge-switch gpsd")
        ]
    }

    private var device: [Finding] {
        guard let name = evidence.name else { return [] }
        guard !evidence.isNetwork, !evidence.isPipe, name != "-" else { return [] }
        if evidence.failure?.code == .notFound { return [missing(name)] }
        guard let tty = evidence.tty else { return [.ok("\(name) is there.")] }
        let driver = tty.driver.map { ", driver \($0)" } ?? ""
        let there = Finding.ok("\(name) is there: \(tty.model) (\(tty.id)\(driver)).")
        if tty.sendsNMEA { return [there] }
        guard tty.isReceiver else {
            let text =
                "Its USB ID does not identify a receiver, so it is only listened to."
            return [there, .note(text)]
        }
        return [there, .note("This receiver does not send NMEA by itself.")]
    }

    private func missing(_ name: String) -> Finding {
        if let tty = evidence.tty {
            return .error(
                .noNode,
                "\(tty.model) (\(tty.id)) is plugged in as \(tty.path), but there is no such name in "
                    + "/dev: this is a container or a chroot, which has names of its own.",
                remedy: "start the container with --device \(tty.path); for a chroot, "
                    + "sudo mount --bind /dev its/dev")
        }
        // The node exists, but no device is behind it.
        if let error = evidence.failure?.errno, error == ENXIO || error == ENODEV {
            return .error(
                .noDevice, "\(name) is a node without a device: its device is gone.",
                remedy: "plug it in again; a container has to be started again after that")
        }
        return .error(
            .noDevice, "There is no \(name).",
            remedy: evidence.others.first.map { "gpsbridge doctor \($0.path)" }
                ?? "plug the receiver in, or look for its name with `gpsbridge list`")
    }

    private func finding(_ unbound: UnboundDevice) -> Finding {
        let what = "\(unbound.model) (\(unbound.id)) is plugged in"
        let isBlocking = evidence.name == nil
        func found(_ text: String, _ remedy: String) -> Finding {
            isBlocking ? .error(.noTTY, text, remedy: remedy) : .note(text, remedy: remedy)
        }
        if !unbound.isAuthorized {
            return found(
                "\(what), but not authorised, for example by USBGuard.",
                "sudo usbguard list-devices --blocked, then sudo usbguard allow-device NUMBER")
        }
        if unbound.drivers.contains("usbfs") {
            return found(
                "\(what), but a program has taken it from its driver; brltty, for readers of "
                    + "braille, is known for that.",
                "grep -il \(unbound.id.prefix(4)) /usr/lib/udev/rules.d/*brltty* names brltty's rules "
                    + "for such converters; if nobody here reads braille with one: "
                    + "sudo ln -s /dev/null /etc/udev/rules.d/NAME, sudo udevadm control --reload, "
                    + "then plug the receiver in again")
        }
        guard let module = unbound.module, !unbound.drivers.contains(module) else {
            return found("\(what), but has no tty.", "unplug it and plug it in again")
        }
        return found(
            "\(what), but no driver makes a tty of it.",
            "sudo modprobe \(module) (in Debian's cloud images: sudo apt install linux-image-amd64)"
        )
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

    /// Reports devices of the same model without distinct serial numbers.
    private var equals: [Finding] {
        guard let own = evidence.tty else { return [] }
        let twins = evidence.others.filter {
            $0.id == own.id && $0.serialNumber == own.serialNumber
                && !own.siblings.contains($0.path)
        }
        guard let twin = twins.first else { return [] }
        let reason =
            own.serialNumber.map { "has the serial number \($0), too" }
            ?? "has no serial number either"
        return [
            .note(
                "\(twin.path) is of the same kind and \(reason): plugged in again, they may swap names.",
                remedy: own.stablePath.flatMap { $0.contains("/by-path/") ? $0 : nil }
                    .map { "name this one by its socket: \($0)" }
                    ?? "name them by socket, as in /dev/serial/by-path")
        ]
    }

    private var nothing: [Finding] {
        guard evidence.name == nil, evidence.unboundDevices.isEmpty else { return [] }
        let remedy =
            "plug it in; try another cable, since some only charge, and another USB port; in a virtual "
            + "machine or a container, pass the device through"
        let nonReceivers = evidence.nonReceivers.map { tty in
            Finding.note(
                "\(tty.path) is probably something else: \(tty.model) (\(tty.id)).",
                remedy: "gpsbridge doctor \(tty.path)")
        }
        let board = evidence.boardLine.map { line in
            Finding.note(
                "A receiver on this board's own serial pins has to be named.",
                remedy: "gpsbridge doctor \(line)")
        }
        return [.error(.noDevice, "No USB device is, or may contain, a receiver.", remedy: remedy)]
            + nonReceivers + (board.map { [$0] } ?? [])
    }
}
