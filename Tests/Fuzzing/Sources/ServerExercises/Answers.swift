// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSServer

/// The answers of a conversation to pieces of bytes, and the client's settings afterwards.
struct Answers: Equatable {
    private(set) var lines: [UInt8] = []
    private(set) var changes: [ReceiverChange] = []
    private(set) var watch = Watch()
    /// The number of answered requests.
    private(set) var requestCount = 0

    init(_ pieces: [[UInt8]], _ decisions: Decisions) {
        var conversation = GPSDConversation(allowsControl: decisions.allowsControl)
        for piece in pieces {
            conversation.push(piece)
            while let reply = conversation.nextReply(Self.snapshot) {
                requestCount += 1
                switch reply {
                case .lines(let bytes): lines += bytes
                case .change(let change): changes.append(change)
                }
            }
        }
        lines += conversation.expire()
        watch = conversation.watch
    }

    /// Two devices, one with a fix.
    static func snapshot() -> ServerSnapshot {
        let time = UTCTime(unixNanoseconds: 1_774_269_319_000_000_000)
        var device = ServedDevice(path: "/dev/a")
        device.activated = time
        device.driver = "NMEA0183"
        device.baudRate = 9600
        device.cycle = 1
        device.mode = .threeD
        device.lastReports = [.tpv: #"{"class":"TPV","mode":3}"#]
        var other = ServedDevice(path: "tcp://boat:10110", origin: .simulated)
        other.activated = time
        return ServerSnapshot(devices: [device, other], time: time)
    }

    /// Whole lines of ASCII, each an object; only changes that a receiver can be set to.
    func check() throws(BrokenReply) {
        try Self.check(lines)
        for change in changes {
            if !change.isConfigure, let settings = change.request?.configuration {
                let rate = settings.baudRate.flatMap(BaudRate.init(rawValue:))
                let isRate = settings.baudRate == nil || rate.map(BaudRate.common.contains) == true
                try expect(isRate && 0.1...40 ~= settings.rate ?? 1, "\(change)")
            }
            try expect(change.bytes?.isEmpty != true, "a change writes nothing")
            try expect(change.path == "/dev/a" || change.path == "tcp://boat:10110", change.path)
        }
        try expect(watch.raw.magnitude <= 1_000_000_000, "raw \(watch.raw)")
    }

    static func check(_ lines: [UInt8]) throws(BrokenReply) {
        guard !lines.isEmpty else { return }
        try expect(lines.suffix(2) == [0x0D, 0x0A], "the last line has no end")
        for line in lines.split(separator: 0x0A) {
            try expect(line.last == 0x0D, "a line ends without CR")
            let object = Array(line.dropLast())
            try expect(object.allSatisfy { 0x20...0x7E ~= $0 }, "a line is not ASCII")
            try expect(object.starts(with: #"{"class":""#.utf8), "the class is not first")
            var members: [String: JSONScalar] = [:]
            let isObject = (try? JSONScanner.read(object, into: &members)) != nil
            try expect(isObject, "no object: \(String(decoding: object, as: UTF8.self))")
        }
    }
}
