// SPDX-License-Identifier: MIT
import GNSS
import GPSConfiguration
import GPSReceivers
import GPSServer

/// Any requests of a client. Any chunking produces the same replies, replies are complete lines of
/// JSON, and no descriptor stays open.
package enum RequestExercise {
    /// The name, with which the names of its files begin: `requests-…`.
    package static let name = "requests"

    /// Runs the exercise. Throws if a guarantee is broken. The first four bytes select options; the
    /// client sends the rest. Returns the number of answered requests, over all chunkings.
    @discardableResult
    package static func run(_ input: [UInt8]) throws(BrokenReply) -> Int {
        let decisions = Decisions(input)
        let bytes = Array(input.dropFirst(Decisions.count))
        let whole = Answers([bytes], decisions)
        try whole.check()
        var count = 2 * whole.requestCount
        let pieces = decisions.pieces(of: bytes)
        try expect(whole == Answers(pieces, decisions), "pieces of \(decisions.sizes) differ")
        if bytes.count <= 300 {
            try expect(whole == Answers(bytes.map { [$0] }, decisions), "byte by byte differs")
            count += whole.requestCount
        }
        try QueueExercise.run(bytes, decisions)
        if decisions.usesSockets { try ClientExercise.run(pieces, decisions, expected: whole) }
        return count
    }
}

/// The settings that the first bytes of an input select.
struct Decisions {
    static let count = 4

    /// The sizes of the chunks in which the bytes arrive, in rotation.
    let sizes: [Int]
    /// Whether clients may change receivers.
    let allowsControl: Bool
    /// Whether a real client on a socket is tried, which costs more.
    let usesSockets: Bool
    /// Whether reports arrive between the requests.
    let hasReports: Bool
    /// The limit of the queue.
    let queueLimit: Int

    init(_ input: [UInt8]) {
        func byte(_ index: Int) -> Int { index < input.count ? Int(input[index]) : 0 }
        sizes = [1 + byte(1) % 64, 1 + byte(2)]
        allowsControl = byte(0) & 1 != 0
        hasReports = byte(0) & 2 != 0
        usesSockets = byte(0) & 0x3C == 0x24
        queueLimit = 16 + byte(3) * 8
    }

    func pieces(of bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sizes[pieces.count % sizes.count])
            pieces.append(Array(bytes[start..<end]))
            start = end
        }
        return pieces
    }
}

/// The error for a broken guarantee.
package struct BrokenReply: Error, CustomStringConvertible {
    /// The guarantee, and the input that broke it.
    package let description: String
}

/// Throws an error if a guarantee is broken.
func expect(_ isKept: Bool, _ promise: @autoclosure () -> String) throws(BrokenReply) {
    guard isKept else { throw BrokenReply(description: promise()) }
}

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
