// SPDX-License-Identifier: MIT
import GNSS
import GPSCommands
import GPSFormats
import GPSIO
import GPSReceivers
import Glibc

/// The bytes of a receiver, without the place at which it was.
struct ReceivedCopy: Sendable {
    /// The most bytes of a receiver to copy.
    private static let limit = 8 << 20

    private var shifted = ShiftedRecording()
    private(set) var pieces: [(time: UTCTime?, bytes: [UInt8])] = []
    private var byteCount = 0
    private(set) var skippedCount = 0

    /// The number of messages, or bytes, of each kind that were left out.
    var leftOut: [String: Int] { shifted.leftOut }

    mutating func push(_ bytes: [UInt8], at time: UTCTime?) {
        guard byteCount + bytes.count <= Self.limit else { return skippedCount += bytes.count }
        byteCount += bytes.count
        let copy = shifted.push(bytes)
        if !copy.isEmpty { pieces.append((time, copy)) }
    }
}

/// The file of `doctor --report`, with which others can find out why a receiver does not work: a
/// recording, which `convert` and `doctor` read, with comments about the machine.
///
/// It has neither a position, nor a serial number, nor a name of this machine or its user.
package struct DoctorReport {
    /// The report: a recording.
    package let bytes: [UInt8]
    /// The parts of the report, for the user.
    let contents: [String]

    package init(_ evidence: Evidence) {
        let path = evidence.tty?.path
        let properties = path.map { DeviceDiscovery.udevProperties(of: $0) } ?? []
        let messages = path.flatMap { KernelLog.messages(about: $0, properties) }
        let secrets = Secrets(evidence.tty?.serialNumber, properties)
        var comments = Self.versions
        if let settings = evidence.line?.settings { comments.append("line: \(settings)") }
        // Findings about the data say where the receiver is; doctor finds them again in the report.
        var machine = evidence
        machine.line = nil
        if path != nil {
            comments += Diagnosis(machine).findings.map { "\($0.level.rawValue): \($0.text)" }
        }
        comments += properties.map { "udev: \($0.name)=\($0.value)" }
        comments += (messages ?? []).map { "kernel: \($0)" }
        let copy = evidence.copy ?? ReceivedCopy()
        let leftOut = copy.leftOut.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        comments += leftOut.map { "left out: \($0)" }
        if copy.skippedCount > 0 { comments.append("not recorded: \(copy.skippedCount) bytes") }

        // The name of a file, or a host, may be private.
        let name = path ?? evidence.origin.rawValue
        var recording = RawRecording()
        var bytes: [UInt8] = []
        recording.begin(
            OutputSource(
                name: secrets.removed(from: "\(name), moved to a random place"),
                origin: evidence.origin))
        bytes += recording.take()
        for comment in comments {
            bytes += "# \(TerminalText.safe(secrets.removed(from: comment)))\r\n".utf8
        }
        for piece in copy.pieces {
            recording.push(piece.bytes, at: piece.time)
            bytes += recording.take()
        }
        recording.endMessage()
        bytes += recording.take()
        self.bytes = bytes

        let size = copy.pieces.reduce(0) { $0 + $1.bytes.count }
        var contents = [
            "\(size) bytes of the receiver, with times; its positions are moved to a random place, "
                + "and its altitudes are changed",
            "the satellites' rough directions, which give the region, to about 100 km",
            "the versions of gpsbridge, Linux and the distribution",
            "what doctor found out about the USB port and this machine's settings",
        ]
        if !properties.isEmpty {
            contents.append(
                "\(properties.count) udev properties of \(name), with another serial number")
        }
        if let path {
            contents.append(
                messages.map {
                    "\($0.count) messages of the kernel about \(path), with another serial number"
                } ?? "no messages of the kernel, which this user may not read")
        }
        if !leftOut.isEmpty {
            contents.append(
                "left out, since it may contain a position: " + leftOut.joined(separator: ", "))
        }
        self.contents = contents
    }

    private static var versions: [String] {
        var name = utsname()
        uname(&name)
        func text<T>(_ field: T) -> String {
            withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
        let lines = RegularFile.contents("/etc/os-release") ?? []
        let distribution = String(decoding: lines, as: UTF8.self).split(separator: "\n")
            .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12).filter { $0 != "\"" }
        return [
            "gpsbridge: \(Release.version)",
            "kernel: \(text(name.sysname)) \(text(name.release)) \(text(name.machine))",
            "distribution: \(distribution ?? "unknown")",
        ]
    }
}

/// Serial numbers, which a report replaces by a number that means nothing elsewhere.
private struct Secrets {
    private let serialNumbers: [String]

    init(_ serialNumber: String?, _ properties: [(name: String, value: String)]) {
        var found: Set<String> = []
        if let serialNumber { found.insert(serialNumber) }
        for (name, value) in properties
        where name == "ID_SERIAL_SHORT" || name == "ID_USB_SERIAL_SHORT" {
            found.insert(value)
        }
        found.remove("")
        // The longest first, of which another may be a part.
        serialNumbers = found.sorted { $0.count > $1.count }
    }

    func removed(from text: String) -> String {
        var text = text
        // The kernel's message about this device, or an earlier one.
        if let end = text.firstRange(of: "SerialNumber: ")?.upperBound {
            text = "\(text[..<end])removed"
        }
        for serial in serialNumbers {
            // Swift's hash has a key of its own in each process.
            let hash = UInt32(truncatingIfNeeded: serial.hashValue)
            let mark = "serial-\(String(hash, radix: 16))"
            // A short one may be a part of any number.
            if serial.utf8.count > 4 {
                text = text.replacing(serial, with: mark)
            } else if text.hasSuffix(serial) {
                text = "\(text.dropLast(serial.count))\(mark)"
            } else {
                text = text.replacing("_\(serial)-", with: "_\(mark)-")
            }
        }
        return text
    }
}

/// The kernel's messages.
private enum KernelLog {
    /// The most messages to return.
    private static let limit = 100

    /// Returns the newest messages about a tty and the port of its USB device; `nil` if this user
    /// may not read them.
    static func messages(
        about tty: String, _ properties: [(name: String, value: String)]
    ) -> [String]? {
        let descriptor = open("/dev/kmsg", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // As in /devices/pci0000:00/0000:00:14.0/usb1/1-3/1-3:1.0/tty/ttyACM0.
        let path = properties.first { $0.name == "DEVPATH" }?.value ?? ""
        let port = path.split(separator: "/").first { $0.contains("-") && $0.contains(":1.") }?
            .split(separator: ":").first
        let names = [tty.split(separator: "/").last, port].compactMap(\.self)
        var found: [String] = []
        var buffer = [UInt8](repeating: 0, count: 8192)
        while true {
            let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
            // The oldest message has been overwritten.
            if count < 0, errno == EPIPE || errno == EINTR { continue }
            guard count > 0 else { return found.suffix(limit).map(\.self) }
            // As in `6,1234,56789012,-;usb 1-3: new full-speed USB device`.
            let record = buffer.prefix(count).split(separator: UInt8(ascii: "\n")).first ?? []
            let parts = record.split(separator: UInt8(ascii: ";"), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let text = String(decoding: parts[1], as: UTF8.self)
            let words = text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "." }
            guard words.contains(where: { word in names.contains { $0 == word } }) else { continue }
            let head = parts[0].split(separator: UInt8(ascii: ","))
            let time = head.count > 2 ? String(decoding: head[2], as: UTF8.self) : "?"
            found.append("\(time) us: \(text)")
            if found.count > 2 * limit { found.removeFirst(limit) }
        }
    }
}
