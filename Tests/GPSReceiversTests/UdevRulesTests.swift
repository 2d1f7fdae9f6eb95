// SPDX-License-Identifier: MIT
import GPSReceivers
import GPSTestSupport
import GPSTestTraits
import Glibc
import Testing

/// `GPSBRIDGE_RECORD=1` in the environment rewrites the files (`make rules`).
@Suite(.timeLimit(.generous))
struct UdevRulesTests {
    private static let folder = PackageFile.folder + "/udev-rules/"

    @Test(arguments: [
        ("70-gpsbridge.rules", UdevRules.receivers),
        ("69-gpsbridge-converters.rules", UdevRules.converters),
    ])
    func `the rules match the lists in the code`(
        _ name: String, _ rules: String
    ) throws {
        let path = Self.folder + name
        if getenv("GPSBRIDGE_RECORD").map({ String(cString: $0) }) == "1" {
            try Self.write(rules, to: path)
        }
        #expect(try Self.text(of: path) == rules, "`make rules` writes \(name) anew")
    }

    @Test func `no USB id is listed twice`() {
        let ids = knownReceivers.map { [$0.vendor, $0.product] }
        for id in Set(ids) where ids.count(where: { $0 == id }) > 1 {
            let name = id.map { String($0, radix: 16) }.joined(separator: ":")
            Issue.record("KnownReceivers.swift has \(name) twice, and only the first line counts")
        }
    }

    @Test func `receivers that do not send NMEA have no udev rule`() throws {
        for receiver in knownReceivers where !receiver.sendsNMEA {
            #expect(!UdevRules.receivers.contains("# \(receiver.name)\n"))
        }
    }

    @Test func `a USB-to-serial converter is not treated as a receiver`() {
        for converter in genericConverters {
            #expect(
                !knownReceivers.contains {
                    $0.vendor == converter.vendor && converter.products.contains($0.product)
                })
        }
    }

    private static func text(of path: String) throws -> String {
        guard let file = fopen(path, "re") else { throw POSIXError(errno) }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes.prefix(count), as: UTF8.self)
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = fopen(path, "we") else { throw POSIXError(errno) }
        fputs(text, file)
        guard fclose(file) == 0 else { throw POSIXError(errno) }
    }
}

/// The rules of `udev-rules/`, generated from the lists in the code.
enum UdevRules {
    /// The rules for devices that are certainly receivers.
    static let receivers = """
        # SPDX-License-Identifier: MIT
        # Receivers that are recognised by their USB id: access, names that stay, and no ModemManager.
        # Made by `make rules` from Sources/Receivers/GPSReceivers/Discovery/KnownReceivers.swift. 70: after
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
        # Made by `make rules` from Sources/Receivers/GPSReceivers/Discovery/KnownReceivers.swift.
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
