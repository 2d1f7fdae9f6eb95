// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

/// The udev rules, applied to simulated devices by the real udev.
@Suite(.timeLimit(.generous))
struct UdevRulesInActionTests {
    static let canRun =
        access("/usr/bin/umockdev-run", X_OK) == 0
        && (access("/bin/udevadm", X_OK) == 0 || access("/sbin/udevadm", X_OK) == 0)
        && (getuid() == 0 || access("/proc/self/ns/user", F_OK) == 0)

    private static let socket = "pci-0000:00:14.0-usb-0:3:1.0"

    @Test(.enabled(if: canRun, "needs umockdev and udev"), arguments: ["01a7", "01ab"])
    func `a known receiver gets access and persistent links, and ModemManager ignores it`(
        _ product: String
    ) async throws {
        let output = try await udev(vendor: "1546", product: product, ["70-gpsbridge.rules"])
        #expect(
            output.contains { $0.contains("70-gpsbridge.rules:") && $0.hasSuffix(" MODE 0660") })
        let links = words("DEVLINKS", output)
        #expect(links.contains("/dev/gnss/by-id/Maker_GNSS_receiver-if00"))
        #expect(links.contains("/dev/gnss/by-path/\(Self.socket)"))
        #expect(output.contains("ID_MM_DEVICE_IGNORE=1"))
        #expect(output.contains("ID_GPSBRIDGE=1"))
        let tags = words("TAGS", output, separator: ":")
        #expect(tags.contains("uaccess") && tags.contains("systemd"))
        #expect(words("SYSTEMD_WANTS", output).contains("gpsbridge-receiver.target"))
    }

    @Test(
        .enabled(if: canRun, "needs umockdev and udev"),
        arguments: [("067b", "2303"), ("1546", "1102"), ("091e", "0003")])
    func `the rules do not apply to converters, modems and receivers without NMEA`(
        _ vendor: String, _ product: String
    ) async throws {
        let output = try await udev(vendor: vendor, product: product, ["70-gpsbridge.rules"])
        #expect(words("DEVLINKS", output).allSatisfy { !$0.hasPrefix("/dev/gnss/") })
        #expect(!output.contains("ID_GPSBRIDGE=1") && !output.contains("ID_MM_DEVICE_IGNORE=1"))
    }

    @Test(.enabled(if: canRun, "needs umockdev and udev"))
    func `a converter is a receiver if the administrator's rule declares it`() async throws {
        let both = ["70-gpsbridge.rules", "69-gpsbridge-converters.rules"]
        let output = try await udev(vendor: "067b", product: "2303", both)
        #expect(words("DEVLINKS", output).contains("/dev/gnss/by-path/\(Self.socket)"))
        #expect(output.contains("ID_GPSBRIDGE=1") && output.contains("ID_MM_DEVICE_IGNORE=1"))
    }

    @Test(.enabled(if: canRun, "needs umockdev and udev"), arguments: [(0, ""), (2, "-port2")])
    func `each of several ttys of an interface gets its own links`(
        _ number: Int, _ suffix: String
    ) async throws {
        let output = try await udev(
            vendor: "09d7", product: "0100", ["70-gpsbridge.rules"], line: number)
        let links = words("DEVLINKS", output)
        #expect(links.contains("/dev/gnss/by-id/Maker_GNSS_receiver-if00\(suffix)"))
        #expect(links.contains("/dev/gnss/by-path/\(Self.socket)\(suffix)"))
    }

    /// Returns udev's output for a device, or for one of its ttys; fails if udev reports an error in the rules.
    private func udev(
        vendor: String, product: String, _ rules: [String], line: Int? = nil
    ) async throws -> [String] {
        let folder = try TemporaryFolder()
        let tty = line.map { "ttyUSB\($0)/tty/ttyUSB\($0)" } ?? "tty/ttyACM0"
        let description = device(vendor, product, tty: tty, line: line)
        let devices = try folder.file("devices", Array(description.utf8))
        let syspath = "/sys/devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/\(tty)"
        let run = try await CommandRun(
            "\(PackageFile.folder)/scripts/tests/try-udev-rules",
            words: [devices, syspath] + rules.map { "\(PackageFile.folder)/udev-rules/\($0)" })
        let output = try await run.lines()
        let messages = try await run.messages()
        #expect(await run.status() == 0, "\(messages)")
        return output
    }

    private func words(_ key: String, _ output: [String], separator: Character = " ") -> [String] {
        output.last { $0.hasPrefix("\(key)=") }?.dropFirst(key.count + 1)
            .split(separator: separator).map { String($0) } ?? []
    }

    private func device(
        _ vendor: String, _ product: String, tty: String, line: Int?
    ) -> String {
        let name = tty.split(separator: "/").last ?? ""
        let port = line.map { number in
            """
            P: /devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/ttyUSB\(number)
            E: SUBSYSTEM=usb-serial
            A: port_number=\(number)\\n


            """
        }
        return """
            P: /devices/pci0000:00/0000:00:14.0
            E: DRIVER=xhci_hcd
            E: SUBSYSTEM=pci
            L: driver=../../../bus/pci/drivers/xhci_hcd

            P: /devices/pci0000:00/0000:00:14.0/usb1/1-3
            E: DEVTYPE=usb_device
            E: SUBSYSTEM=usb
            A: idVendor=\(vendor)\\n
            A: idProduct=\(product)\\n
            A: manufacturer=Maker\\n
            A: product=GNSS receiver\\n
            A: devpath=3\\n

            P: /devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0
            E: DEVTYPE=usb_interface
            E: SUBSYSTEM=usb
            A: bInterfaceNumber=00\\n
            A: bInterfaceClass=02\\n
            L: driver=../../../../../../bus/usb/drivers/cdc_acm

            \(port ?? "")P: /devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/\(tty)
            N: \(name)
            E: DEVNAME=/dev/\(name)
            E: MAJOR=166
            E: MINOR=0
            E: SUBSYSTEM=tty
            A: dev=166:0\\n

            """
    }
}
