// SPDX-License-Identifier: MIT
import GNSS

/// Removes lines that contain JSON objects from gpsd's output, and records the information about
/// the server's devices that they contain.
///
/// For receivers with a binary protocol, gpsd generates sentences. They lack the accuracy and, in
/// most epochs, the satellites, and their positions have steps of 0.0001 minutes. Therefore, the raw
/// bytes of u-blox receivers are requested instead, and gpsd's reports of other binary receivers
/// (`changesFormat()`). Where sentences are needed nevertheless, the GBS sentences are removed: they
/// do not contain the receiver's expected errors, but gpsd's estimates: DOPs multiplied by a
/// constant, at the 95 % level instead of one sigma, and with longitude before latitude.
package struct ObjectFilter {
    /// The form in which a receiver's data is requested.
    enum Format {
        case sentences
        /// The receiver's own bytes.
        case raw
        /// gpsd's `TPV`, `SKY`, `GST` and `ATT`.
        case reports
    }

    private static let error = Array(#"{"class":"ERROR""#.utf8)
    private static let answer = Array(#"{"class":"WATCH""#.utf8)
    private static let version = Array(#"{"class":"VERSION","#.utf8)
    private static let gpsbridge = Array(#""rev":"gpsbridge "#.utf8)
    private static let device = Array(#"{"class":"DEVICE","#.utf8)
    private static let list = Array(#"{"class":"DEVICES","#.utf8)
    private static let report = Array(#"{"class":"TPV","#.utf8)
    /// The objects with the values of a receiver.
    private static let reports =
        [report] + ["SKY", "GST", "ATT"].map { Array(#"{"class":"\#($0)","#.utf8) }
    private static let poll = Array(#"{"class":"POLL","#.utf8)
    private static let estimate = Array("$GPGBS,".utf8)
    /// The beginning of each object of gpsd. Between binary messages, an object need not begin a
    /// line.
    private static let start = Array(#"{"class":""#.utf8)
    /// gpsd's driver for receivers that send UBX.
    private static let binaryDriver = "u-blox"
    /// gpsd's drivers for receivers that send sentences only.
    private static let sentenceDrivers: Set = ["NMEA0183", "AIVDM"]
    /// gpsd's other drivers for receivers that send no sentences. Of `NMEA2000`, reports would lack
    /// the AIS messages.
    private static let reportDrivers: Set = [
        "EverMore", "Garmin Serial binary", "Garmin Simple Text", "Garmin USB binary", "GeoStar",
        "GREIS", "iTalk", "Motorola Oncore", "Navcom NCT", "SiRF", "Skytraq", "SuperStarII",
        "Trimble TSIP", "Zodiac",
    ]
    /// The maximum length, in bytes, of a GBS with gpsd's estimates. A longer GBS is not removed.
    private static let maximumEstimate = 120
    /// The number of bytes at the start of an object in which its class is searched for. Blanks
    /// among them are ignored.
    private static let classLimit = 40
    /// The number of reports without a sentence after which the server is assumed to send no
    /// sentences.
    private static let maximumReports = 5
    /// The maximum number of reports that wait for `takeReports()`; further ones are dropped. A chunk
    /// has fewer.
    private static let maximumWaiting = 256
    /// The maximum number of bytes of an object that are stored and examined.
    private static let limit = 65_536
    /// The maximum number of characters that are kept of the message of an `ERROR`.
    private static let maximumReason = 200
    /// The length of a time to the minute: `2026-11-26T14:23`.
    private static let minute = 16
    /// The maximum number of devices that are remembered.
    private static let maximumDevices = 1024

    /// Whether the server has sent an object of class `ERROR`.
    private var hasError = false
    /// The message of the last `ERROR`; `nil` if there was none, or if it states that the device
    /// does not exist.
    private var refusal: String?
    /// Whether the server has answered `?WATCH`, with an object of class `WATCH` or `ERROR`.
    private(set) var hasAnswer = false
    /// Whether the server is `gpsbridge serve`; `nil` until it has sent its version.
    private(set) var isGPSBridge: Bool?
    /// Whether the server has open devices that are read, and all of them are replays.
    package var isReplay: Bool { !readDevices.isEmpty && readDevices.allSatisfy(\.isReplay) }
    /// Whether the server has open devices that are read, and none of them is a replay.
    package var hasNoReplay: Bool {
        !readDevices.isEmpty && !readDevices.contains(where: \.isReplay)
    }
    /// The path of the only device that is read, because several devices have positions; `nil` if
    /// the requested device or all devices are read.
    private(set) var followed: String?
    /// Whether the only device that is read (`followed`) is no longer open.
    var hasLostDevice: Bool { followed.map { devices[$0] == nil } ?? false }
    /// Whether an answer to `?POLL` is expected.
    private(set) var isPolling = false
    private var canPoll = true
    /// The devices with a position in the last answer to `?POLL`, with the time of that position to
    /// the minute.
    private var positions: [String: Substring] = [:]
    /// Whether data is dropped until the answer to `?WATCH`, because it may come from any device.
    private var isDropping = false
    /// The number of `TPV` reports received before the first sentence; `nil` after it. Reports are
    /// not requested, but some servers of gpsd's protocol, such as simulators, send them
    /// nevertheless.
    private var reportCount: Int? = 0
    /// An open device.
    private struct Device {
        let isReplay: Bool
        /// gpsd's driver; `nil` until the device has sent a message.
        let driver: String?
    }
    /// The open devices, by path.
    private var devices: [String: Device] = [:]
    /// The format that was requested; `nil` before the first change, which means sentences.
    private(set) var format: Format?
    /// The reports received since the last call of `takeReports()`.
    private var reports: [[UInt8]] = []
    /// The number of lists of devices that the server has sent.
    private(set) var listCount = 0
    /// The open devices that are read.
    private var readDevices: [Device] {
        followed.map { path in devices[path].map { [$0] } ?? [] } ?? Array(devices.values)
    }
    /// The path of the requested device, which may begin with an additional slash; `nil` for all
    /// devices.
    private let device: String?
    private var isAtStart = true
    /// The beginning of the object being removed; `nil` outside an object.
    private var head: [UInt8]?
    /// The beginning of a sentence that may be gpsd's GBS; `nil` outside of such a sentence.
    private var held: [UInt8]?

    /// Creates a filter at the start of a connection. `device` is the path of the requested device;
    /// `nil` for all devices.
    package init(device: String? = nil) {
        self.device = device
    }

    /// Returns whether to send `?POLL`, in order to find out whether several devices have
    /// positions. The sentences of several devices with positions must not be combined into epochs.
    /// Those of devices without positions, such as other instruments and AIS receivers, may be
    /// combined.
    package mutating func beginPoll() -> Bool {
        guard hasAnswer, canPoll, device == nil, followed == nil, devices.count > 1 else {
            return false
        }
        isPolling = true
        return true
    }

    /// Returns the device to request if several devices have positions; otherwise `nil`. All data
    /// before the answer to that request is dropped.
    package mutating func follow() -> String? {
        guard followed == nil, positions.count > 1 else { return nil }
        // A device that has stopped has an older time. If several have the newest time, the one
        // whose path sorts first is read.
        let newest = positions.values.max()
        followed = positions.filter { $0.value == newest }.keys.min()
        beginDropping()
        return followed
    }

    /// Whether gpsd does not know yet what a device that is read sends.
    var hasUnknownDriver: Bool {
        isGPSBridge == false && readDevices.contains { $0.driver == nil }
    }

    /// Whether the data should be requested in another format.
    var wantsOtherFormat: Bool {
        readDevices.contains { $0.driver != nil } && bestFormat != (format ?? .sentences)
    }

    /// The best format for the devices that are read: raw bytes of u-blox receivers, also beside
    /// sentences of instruments, and the reports of any other binary receiver. Several devices are
    /// combined by sentences, which all of them have.
    private var bestFormat: Format {
        guard isGPSBridge == false else { return .sentences }
        if reportedDevice != nil { return .reports }
        let drivers = readDevices.compactMap(\.driver)
        return drivers.contains(Self.binaryDriver)
            && drivers.allSatisfy { $0 == Self.binaryDriver || Self.sentenceDrivers.contains($0) }
            ? .raw : .sentences
    }

    /// The path of the only device that has sent messages, if its reports are better than other
    /// data; otherwise `nil`.
    var reportedDevice: String? {
        let known = devices.filter {
            $0.value.driver != nil && (followed == nil || $0.key == followed)
        }
        guard let (path, device) = known.first, known.count == 1, let driver = device.driver,
            Self.reportDrivers.contains(driver)
        else { return nil }
        return path
    }

    /// Returns whether to request the data in another format, which is then `format`. All data
    /// before the answer is dropped.
    mutating func changesFormat() -> Bool {
        guard hasAnswer, wantsOtherFormat else { return false }
        format = bestFormat
        // The reports that were requested do not count.
        reportCount = nil
        beginDropping()
        return true
    }

    /// Drops all data before the answer to the next `?WATCH`.
    private mutating func beginDropping() {
        (hasAnswer, isDropping, held, reports) = (false, true, nil, [])
    }

    /// Whether reports wait for `takeReports()`.
    var hasReports: Bool { !reports.isEmpty }

    /// Removes and returns the reports of the device that is read.
    mutating func takeReports() -> [[UInt8]] { exchange(&reports, with: []) }

    /// Returns the error that the server has reported; `nil` if there is none. It is `.notFound` if
    /// the server does not have the requested device, `.disconnected` if it no longer has the
    /// device that was selected by `follow()`, or `.unreachable` with the server's reason. Also
    /// returns `.gpsd` if the server sends reports instead of sentences. `name` is the name of the
    /// source.
    func error(of name: String) -> DeviceError? {
        if let reportCount, reportCount >= Self.maximumReports {
            return DeviceError(.gpsd, device: name)
        }
        guard hasError else { return nil }
        guard let refusal else {
            return DeviceError(followed == nil ? .notFound : .disconnected, device: name)
        }
        return DeviceError(.unreachable, device: name, detail: .reported(refusal))
    }

    /// Returns the bytes that do not belong to a JSON object or to gpsd's GBS.
    package mutating func remove(from bytes: [UInt8]) -> [UInt8] {
        var rest: [UInt8] = []
        for byte in bytes {
            if format == .raw, let start = head, start.count < Self.start.count,
                byte != Self.start[start.count]
            {
                // A part of a binary message.
                head = nil
                if !isDropping { rest += start }
            }
            if head == nil, isAtStart || format == .raw, byte == UInt8(ascii: "{") { head = [] }
            if isAtStart, byte == UInt8(ascii: "$"), isGPSBridge == false, !isDropping,
                format != .raw
            {
                held = []
            }
            isAtStart = byte == 0x0A
            guard head != nil else {
                if isDropping || format == .reports { continue }
                if held == nil { rest.append(byte) } else { hold(byte, &rest) }
                continue
            }
            if let count = head?.count, count < Self.limit { head?.append(byte) }
            if byte == 0x0A { takeObject() }
        }
        if reportCount != nil, rest.contains(where: { $0 > 0x20 }) { reportCount = nil }
        return rest
    }

    /// Adds a byte to the held sentence. A sentence that cannot be gpsd's GBS is appended to `rest`
    /// and no longer held. A complete GBS of gpsd is dropped.
    private mutating func hold(_ byte: UInt8, _ rest: inout [UInt8]) {
        var line = held ?? []
        held = nil
        line.append(byte)
        let isPossible =
            line.count <= Self.maximumEstimate
            && zip(line, Self.estimate).allSatisfy { $0 == $1 }
        if isPossible, byte != 0x0A {
            held = line
        } else if !isPossible || !Self.isEstimate(line) {
            rest += line
        }
    }

    /// Returns whether a GBS sentence has the form that gpsd generates: three errors with three
    /// decimals, and three empty fields.
    private static func isEstimate(_ line: [UInt8]) -> Bool {
        let fields = line.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        guard fields.count == 9, fields[8].first == UInt8(ascii: "*") else { return false }
        return fields[2...4].allSatisfy { $0.suffix(4).first == UInt8(ascii: ".") }
            && fields[5...7].allSatisfy(\.isEmpty)
    }

    private mutating func takeObject() {
        guard let object = head else { return }
        head = nil
        let beginning = object.prefix(Self.classLimit).filter { $0 != 0x20 }
        if beginning.starts(with: Self.error) { takeError(object) }
        if beginning.starts(with: Self.answer) { (hasAnswer, isDropping) = (true, false) }
        if beginning.starts(with: Self.poll) { takePositions(Self.withoutBlanks(object)) }
        if beginning.starts(with: Self.version) {
            isGPSBridge = object.contains(Self.gpsbridge)
        }
        if format == .reports {
            if !isDropping, reports.count < Self.maximumWaiting,
                Self.reports.contains(where: beginning.starts)
            {
                reports.append(object)
            }
        } else if beginning.starts(with: Self.report) {
            reportCount = reportCount.map { $0 &+ 1 }
        }
        let isList = beginning.starts(with: Self.list)
        if isList { (devices, listCount) = ([:], listCount &+ 1) }
        guard isList || beginning.starts(with: Self.device) else { return }
        let compact = Self.withoutBlanks(object)
        for device in Self.parts(of: compact, beginningWith: Self.device) { takeDevice(device) }
    }

    /// Returns an object without the blanks outside its strings, which some servers write.
    private static func withoutBlanks(_ object: [UInt8]) -> [UInt8] {
        var (isInString, isEscaped) = (false, false)
        return object.filter { byte in
            if isEscaped {
                isEscaped = false
            } else if isInString, byte == UInt8(ascii: "\\") {
                isEscaped = true
            } else if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            }
            return isInString || byte != 0x20
        }
    }

    private static func parts(of object: [UInt8], beginningWith start: [UInt8]) -> [[UInt8]] {
        var parts: [[UInt8]] = []
        var rest = object[...]
        while let next = rest.firstRange(of: start) {
            let end = rest[next.upperBound...].firstRange(of: start)?.lowerBound ?? rest.endIndex
            parts.append(Array(rest[next.lowerBound..<end]))
            rest = rest[end...]
        }
        return parts
    }

    private mutating func takePositions(_ object: [UInt8]) {
        (isPolling, positions) = (false, [:])
        for report in Self.parts(of: object, beginningWith: Self.report) {
            var members: [String: JSONScalar] = [:]
            // Fails at the comma or bracket after the object, after all members have been read.
            try? JSONScanner.read(report, into: &members)
            guard let path = members["device"]?.string, let mode = members["mode"]?.integer,
                mode >= 2, devices[path] != nil
            else { continue }
            positions[path] = (members["time"]?.string ?? "").prefix(Self.minute)
        }
    }

    private mutating func takeError(_ object: [UInt8]) {
        guard !isPolling else {
            // If the server does not support `?POLL`, all its devices are read.
            (isPolling, canPoll) = (false, false)
            return
        }
        (hasError, hasAnswer) = (true, true)
        var members: [String: JSONScalar] = [:]
        // Fails at the line end, after all members have been read.
        try? JSONScanner.read(object, into: &members)
        let message = members["message"]?.string
        refusal = message.flatMap {
            $0.hasPrefix("No such device") ? nil : String($0.prefix(Self.maximumReason))
        }
    }

    private mutating func takeDevice(_ object: [UInt8]) {
        var members: [String: JSONScalar] = [:]
        // Fails at the comma or bracket after the object, after all members have been read.
        try? JSONScanner.read(object, into: &members)
        guard let path = members["path"]?.string else { return }
        if let device, device != path, device != "/\(path)" { return }
        // The number 0 means that the device has been closed.
        guard members["activated"]?.string != nil else {
            devices[path] = nil
            return
        }
        guard devices[path] != nil || devices.count < Self.maximumDevices else { return }
        devices[path] = Device(
            isReplay: members["subtype"]?.string == DataOrigin.replay.rawValue,
            driver: members["driver"]?.string)
    }
}
