// SPDX-License-Identifier: MIT
import GPSReceivers

/// The rules of `udev-rules/`, generated from the lists in the code.
enum UdevRules {
    /// The rules for devices that are certainly receivers.
    static let receivers = """
        # SPDX-License-Identifier: MIT
        # Receivers that are recognised by their USB id: access, names that stay, and no ModemManager.
        # Made by `make rules` from Sources/GPSReceivers/Discovery/KnownReceivers.swift. 70: after
        # 60-serial.rules, which names devices, and before 73-seat-late.rules, which gives access.
        ACTION=="remove", GOTO="gpsbridge_end"
        # A receiver with a driver of its own, as /dev/gnss0, belongs to root alone by default.
        SUBSYSTEM=="gnss", TAG+="uaccess", MODE="0660", GROUP="dialout"
        # It starts gpsbridge.service, too.
        SUBSYSTEM=="gnss", TAG+="systemd", ENV{SYSTEMD_WANTS}+="gpsbridge-receiver.target"
        SUBSYSTEM!="tty", GOTO="gpsbridge_end"
        KERNEL!="ttyUSB[0-9]*|ttyACM[0-9]*", GOTO="gpsbridge_end"

        \(declarations(knownReceivers.filter(\.sendsNMEA).map { ($0.vendor, [$0.product], $0.name) }))
        # Others can be declared by rules of an earlier number: 69-gpsbridge-converters.rules.
        ENV{ID_GPSBRIDGE}!="1", GOTO="gpsbridge_end"

        # Who sits at the machine may open it, and the group of serial lines, for services and ssh.
        TAG+="uaccess", MODE="0660", GROUP="dialout"
        # ModemManager would ask it for a modem's commands.
        ENV{ID_MM_DEVICE_IGNORE}="1"
        # 60-serial.rules has the number of the tty where an interface has several.
        ENV{.ID_PORT}=="?*", ENV{.ID_PORT}!="0", ENV{.ID_GPSBRIDGE_TTY}="-port$env{.ID_PORT}"
        ENV{ID_SERIAL}=="?*", SYMLINK+="gnss/by-id/$env{ID_SERIAL}-if$env{ID_USB_INTERFACE_NUM}$env{.ID_GPSBRIDGE_TTY}"
        ENV{ID_PATH}=="?*", SYMLINK+="gnss/by-path/$env{ID_PATH}$env{.ID_GPSBRIDGE_TTY}"
        # Starts gpsbridge.service where that is enabled.
        TAG+="systemd", ENV{SYSTEMD_WANTS}+="gpsbridge-receiver.target"

        LABEL="gpsbridge_end"

        """

    /// The rules for converters, to be installed by hand: any device may be attached to a converter.
    static let converters = """
        # SPDX-License-Identifier: MIT
        # For machines whose USB serial converters carry GPS receivers and nothing else: each is treated
        # as one. Copy it to /etc/udev/rules.d, then `udevadm control --reload` and plug in again.
        # Made by `make rules` from Sources/GPSReceivers/Discovery/GenericConverters.swift.
        #
        # To declare a single one instead, write a file with one of these lines. Its name must sort
        # before 70-gpsbridge.rules, such as /etc/udev/rules.d/69-gps.rules.
        #   SUBSYSTEM=="tty", ENV{ID_SERIAL_SHORT}=="A10029XY", ENV{ID_GPSBRIDGE}="1"
        #   SUBSYSTEM=="tty", ENV{ID_PATH}=="pci-0000:00:14.0-usb-0:4.2:1.0", ENV{ID_GPSBRIDGE}="1"
        ACTION=="remove", GOTO="gpsbridge_converters_end"
        SUBSYSTEM!="tty", GOTO="gpsbridge_converters_end"
        KERNEL!="ttyUSB[0-9]*|ttyACM[0-9]*", GOTO="gpsbridge_converters_end"

        \(declarations(genericConverters.map { ($0.vendor, Array($0.products), $0.name) }))
        LABEL="gpsbridge_converters_end"

        """

    private static func declarations(_ devices: [(UInt16, [UInt16], String)]) -> String {
        devices.map { vendor, products, name in
            """
            # \(name)
            ATTRS{idVendor}=="\(hex(vendor))", \
            ATTRS{idProduct}=="\(products.map(hex).joined(separator: "|"))", ENV{ID_GPSBRIDGE}="1"

            """
        }.joined()
    }

    private static func hex(_ id: UInt16) -> String {
        let digits = String(id, radix: 16)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
