// SPDX-License-Identifier: MIT
import GPSTestSupport
import Glibc
import Testing

@Suite(.timeLimit(.generous))
struct ListTests {
    static let hasUmockdev = access("/usr/bin/umockdev-run", X_OK) == 0

    @Test(.enabled(if: hasUmockdev))
    func `a receiver that does not send NMEA is marked in the list`() async throws {
        let folder = try TemporaryFolder()
        let devices = Self.device(1, "091e", "0003") + Self.device(2, "1546", "01a8")
        let path = try folder.file("devices", Array(devices.utf8))
        let run = try await CommandRun(devices: path, words: ["list"])
        #expect(
            try await run.lines().sorted() == [
                "/dev/ttyTEST1  product 1 (does not send NMEA)", "/dev/ttyTEST2  product 2",
            ])
    }

    @Test(.enabled(if: hasUmockdev))
    func `possible receivers are listed last, and JSON has all details`() async throws {
        let folder = try TemporaryFolder()
        let devices =
            Self.device(1, "0403", "6001") + Self.device(2, "1546", "01a8")
            + Self.device(3, "2341", "0043")
        let path = try folder.file("devices", Array(devices.utf8))
        func list(_ words: [String]) async throws -> [String] {
            try await CommandRun(devices: path, words: ["list"] + words).lines()
        }
        #expect(
            try await list([]) == [
                "/dev/ttyTEST2  product 2", "/dev/ttyTEST1  product 1 (may be a receiver)",
            ])
        #expect(
            try await list(["--json"]) == [
                #"[{"path":"/dev/ttyTEST2","kind":"receiver","model":"product 2","sendsNMEA":true,"#
                    + #""vendorID":"1546","productID":"01a8","product":"product 2","interface":0,"#
                    + #""port":"1-2","links":[]},"#,
                #" {"path":"/dev/ttyTEST1","kind":"candidate","model":"product 1","#
                    + #""sendsNMEA":false,"vendorID":"0403","productID":"6001","#
                    + #""product":"product 1","interface":0,"port":"1-1","links":[]}]"#,
            ])
    }

    @Test(.enabled(if: hasUmockdev))
    func `a receiver without a tty is reported, instead of that none is plugged in`() async throws {
        let folder = try TemporaryFolder()
        let device = Self.usbDevice("1a86", "7523", ["product=USB Serial"])
        let path = try folder.file("devices", Array(device.utf8))
        let run = try await CommandRun(devices: path, words: ["list"])
        let messages = try await run.messages()
        #expect(messages.count == 1, "\(messages)")
        #expect(
            messages.first?.contains("USB Serial (1a86:7523) is plugged in, but has no tty") == true
        )
    }

    @Test(arguments: [
        ("", "simulated"), ("/dev/a  Garmin (does not send NMEA)", "simulated"),
        ("/dev/a  Garmin (does not send NMEA)\n/dev/b  u-blox 8", "monitor"),
    ])
    func `the script simulates a receiver if monitor would find none`(
        _ listed: String, _ last: String
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.program(
            "gpsbridge",
            """
            if [ "$1" = list ]; then [ -z "\(listed)" ] || echo "\(listed)"; else echo "$@"; fi
            """)
        let script = "\(PackageFile.folder)/scripts/monitor"
        let run = try await CommandRun("/bin/sh", words: [script, path])
        #expect(try await run.lines().last?.hasSuffix(last) == true)
        #expect(await run.status() == 0)
    }

    /// The description of a USB device for umockdev. `attributes` are further ones in sysfs.
    static func usbDevice(
        _ vendor: String, _ product: String, _ attributes: [String] = [],
        at path: String = "/devices/usb1/1-1"
    ) -> String {
        let all = ["idVendor=\(vendor)", "idProduct=\(product)"] + attributes
        return "P: \(path)\nE: DEVTYPE=usb_device\nE: SUBSYSTEM=usb\n"
            + all.map { "A: \($0)\\n\n" }.joined() + "\n"
    }

    private static func device(_ number: Int, _ vendor: String, _ product: String) -> String {
        let path = "/devices/usb1/1-\(number)"
        return usbDevice(vendor, product, ["product=product \(number)"], at: path) + """
            P: \(path)/1-\(number):1.0
            E: DEVTYPE=usb_interface
            E: SUBSYSTEM=usb
            A: bInterfaceNumber=00\\n

            P: \(path)/1-\(number):1.0/tty/ttyTEST\(number)
            N: ttyTEST\(number)
            E: DEVNAME=/dev/ttyTEST\(number)
            E: SUBSYSTEM=tty
            A: dev=166:\(number)\\n


            """
    }
}
