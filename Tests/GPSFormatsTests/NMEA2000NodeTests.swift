// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct NMEA2000NodeTests {
    private let start = MonotonicInstant.now
    private static let name = NMEA2000Name(uniqueNumber: 0x12345)
    private static let stronger = NMEA2000Name(rawValue: 1)
    private static let weaker = NMEA2000Name(rawValue: .max)
    /// The first address of the device with this name.
    private static let address: UInt8 = 128 + UInt8(0x12345 % 120)

    private static func claim(_ name: NMEA2000Name, from address: UInt8) -> NMEA2000Frame {
        NMEA2000Frame(
            priority: 6, group: 60928, source: address, destination: 255, bytes: name.bytes)
    }

    private static func request(_ group: UInt32, to address: UInt8) -> NMEA2000Frame {
        let bytes = (0..<3).map { UInt8(truncatingIfNeeded: group >> (8 * $0)) }
        return NMEA2000Frame(
            priority: 6, group: 59904, source: 7, destination: address, bytes: bytes)
    }

    /// Returns a device whose address is in use.
    private func device() -> (NMEA2000Node, MonotonicInstant) {
        var node = NMEA2000Node(name: Self.name)
        _ = node.join(at: start)
        return (node, start + NMEA2000AddressClaim.objectionTime)
    }

    @Test func `the name identifies a marine receiver that accepts any address`() {
        #expect(Self.name.rawValue == 0xC078_9100_FFC1_2345)
        #expect(Self.name.bytes == [0x45, 0x23, 0xC1, 0xFF, 0x00, 0x91, 0x78, 0xC0])
        #expect(NMEA2000Name(Self.name.bytes) == Self.name)
        #expect(NMEA2000Name([1, 2, 3]) == nil)
    }

    @Test func `an address is claimed, and used after the time to object`() {
        var node = NMEA2000Node(name: Self.name)
        #expect(node.frames(of: [NMEA2000Message(.position, [])], at: start).isEmpty)
        #expect(node.join(at: start) == Self.claim(Self.name, from: Self.address))
        let message = [NMEA2000Message(.position, [])]
        #expect(node.frames(of: message, at: start + .milliseconds(249)).isEmpty)
        let frames = node.frames(of: message, at: start + .milliseconds(250))
        #expect(frames.first?.first?.source == Self.address)
    }

    @Test func `a device with a higher name does not get the address`() {
        var (node, now) = device()
        let answer = node.receive(Self.claim(Self.weaker, from: Self.address), at: now)
        #expect(answer == [[Self.claim(Self.name, from: Self.address)]])
        #expect(!node.frames(of: [NMEA2000Message(.position, [])], at: now).isEmpty)
    }

    @Test func `a device with a lower name gets the address, and another one is claimed`() {
        var (node, now) = device()
        // Another device has the first choice.
        #expect(node.receive(Self.claim(Self.weaker, from: 128), at: now) == [])
        let answer = node.receive(Self.claim(Self.stronger, from: Self.address), at: now)
        #expect(answer == [[Self.claim(Self.name, from: 129)]])
        #expect(node.address == 129)
        #expect(node.frames(of: [NMEA2000Message(.position, [])], at: now).isEmpty)
    }

    @Test func `without a free address nothing is sent, and devices learn that`() {
        var (node, now) = device()
        for address in UInt8(128)...247 {
            let other = NMEA2000Name(rawValue: UInt64(address))
            _ = node.receive(Self.claim(other, from: address), at: now)
        }
        // The last claims forced it from each address.
        for address in UInt8(128)...247 where node.address == address {
            _ = node.receive(Self.claim(NMEA2000Name(rawValue: 1000), from: address), at: now)
        }
        #expect(node.address == nil)
        now = now + .seconds(1)
        #expect(node.frames(of: [NMEA2000Message(.position, [])], at: now).isEmpty)
    }

    @Test(arguments: [UInt8(255), Self.address])
    func `a request for the claim is answered`(destination: UInt8) {
        var (node, now) = device()
        let answer = node.receive(Self.request(60928, to: destination), at: now)
        #expect(answer == [[Self.claim(Self.name, from: Self.address)]])
        #expect(node.receive(Self.request(60928, to: 1), at: now) == [])
    }

    @Test func `product information names the program`() {
        var (node, now) = device()
        let frames = node.receive(Self.request(126996, to: 255), at: now).first ?? []
        #expect(frames.count == 20)
        let bytes = frames.enumerated().flatMap { $1.bytes.dropFirst($0 == 0 ? 2 : 1) }
        #expect(frames.first?.bytes.prefix(2) == [0, 134])
        #expect(bytes.prefix(4) == [0x34, 0x08, 0xFF, 0xFF])
        #expect(bytes[4..<13] == Array("gpsbridge".utf8)[...])
        #expect(bytes[36..<41] == Array(Release.version.utf8)[...])
        #expect(bytes[100..<105] == Array("74565".utf8)[...])
        #expect(bytes[132..<134] == [0xFF, 0])
        // The next one has another sequence number.
        let next = node.receive(Self.request(126996, to: 255), at: now).first ?? []
        #expect(next.first?.bytes.first == 0x20)
    }

    @Test func `the list of groups has those that are sent and received`() {
        var (node, now) = device()
        let messages = node.receive(Self.request(126464, to: Self.address), at: now)
        #expect(messages.count == 2)
        #expect(messages.first?.first?.bytes.prefix(6) == [0, 34, 0, 0x00, 0xE8, 0x00])
        #expect(
            messages.last?.first?.bytes == [0x20, 7, 1, 0x00, 0xEA, 0x00, 0x00, 0xEE])
    }

    @Test func `a request of an unknown group is refused, unless it is for all devices`() {
        var (node, now) = device()
        let answer = node.receive(Self.request(130306, to: Self.address), at: now).first?.first
        #expect(answer?.identifier == 0x18E8_0700 | UInt32(Self.address))
        #expect(answer?.bytes == [1, 255, 255, 255, 255, 0x02, 0xFD, 0x01])
        #expect(node.receive(Self.request(130306, to: 255), at: now) == [])
        #expect(node.receive(Self.request(129029, to: Self.address), at: now) == [])
    }

    @Test(arguments: [UInt32(59904), 60928])
    func `a frame that is too short has no effect`(group: UInt32) {
        var (node, now) = device()
        let frame = NMEA2000Frame(
            priority: 6, group: group, source: Self.address, destination: 255, bytes: [1, 2])
        #expect(node.receive(frame, at: now) == [])
        #expect(node.address == Self.address)
    }

    @Test func `heartbeats are counted`() {
        var (node, now) = device()
        let first = node.heartbeat(at: now).first?.first
        #expect(first?.bytes == [0x60, 0xEA, 0, 255, 255, 255, 255, 255])
        #expect(first?.identifier == 0x1DF0_1100 | UInt32(Self.address))
        #expect(node.heartbeat(at: now).first?.first?.bytes[2] == 1)
    }
}

@Suite(.timeLimit(.generous))
struct NMEA2000WriterTests {
    private let start = MonotonicInstant.now

    private static func fix(_ mode: FixMode = .threeD) -> Fix {
        var fix = Fix()
        (fix.mode, fix.quality) = (mode, .autonomous)
        fix.coordinate = Coordinate(latitude: 1, longitude: 2)
        return fix
    }

    /// Returns how often each group is sent for epochs at a rate, in ten seconds.
    private func counts(rate: Int, jitter: Duration = .zero) -> [UInt32: Int] {
        var reports = NMEA2000Writer()
        var counts: [UInt32: Int] = [:]
        for index in 0..<rate * 10 {
            let late = index % 2 == 0 ? Duration.zero : jitter
            let now = start + .seconds(index) / rate + late
            let messages = reports.messages(
                of: Self.fix(), SatelliteView(), origin: .live, clockTime: nil, at: now)
            for message in messages { counts[message.group.rawValue, default: 0] += 1 }
        }
        return counts
    }

    @Test func `every epoch of a receiver has a position, and every second the others`() {
        let counts = counts(rate: 5)
        #expect(counts[129025] == 50)
        #expect(counts[129026] == 50)
        // The second one is early, so that a late epoch is not left out.
        #expect(counts[129029] == 11)
        #expect(counts[129539] == 11)
        #expect(counts[129540] == 11)
    }

    @Test(arguments: [10, 20, 25, 50])
    func `positions are sent at most ten times a second`(rate: Int) {
        let count = counts(rate: rate)[129025] ?? 0
        #expect(95...101 ~= count)
    }

    @Test func `alternately late epochs are not lost`() {
        #expect(counts(rate: 1, jitter: .milliseconds(150))[129029] == 10)
        #expect(counts(rate: 10, jitter: .milliseconds(20))[129025] == 100)
    }

    @Test func `the end of a fix is sent at once, in all messages`() {
        var reports = NMEA2000Writer()
        func groups(_ fix: Fix, after milliseconds: Int) -> [UInt32] {
            reports.messages(
                of: fix, SatelliteView(), origin: .live, clockTime: nil,
                at: start + .milliseconds(milliseconds)
            ).map(\.group.rawValue)
        }
        let all: [UInt32] = [129539, 129025, 129026, 129029, 129540]
        #expect(groups(Self.fix(), after: 0) == all)
        #expect(groups(Self.fix(), after: 10) == [])
        #expect(groups(Self.fix(.noFix), after: 20) == all)
        #expect(groups(Self.fix(), after: 30) == all)
    }

    @Test func `a lost receiver has no position, which is sent once`() {
        var reports = NMEA2000Writer()
        #expect(reports.lost(at: start).isEmpty)
        _ = reports.messages(
            of: Self.fix(), SatelliteView(), origin: .live, clockTime: nil, at: start)
        let lost = reports.lost(at: start)
        let position = lost.first { $0.group == .position }
        #expect(position?.bytes == [255, 255, 255, 127, 255, 255, 255, 127])
        #expect(lost.count == 5)
        #expect(reports.lost(at: start).isEmpty)
    }

    @Test func `the complete fix is the first message about a lost receiver`() {
        var reports = NMEA2000Writer()
        _ = reports.messages(
            of: Self.fix(), SatelliteView(), origin: .simulated, clockTime: nil, at: start)
        let groups = reports.lost(at: start).map(\.group.rawValue)
        #expect(groups == [129029, 129539, 129025, 129026, 129540])
    }

    @Test func `the messages of an epoch have the same number, which counts up to 252`() {
        var reports = NMEA2000Writer()
        var numbers: [UInt8] = []
        for index in 0..<254 {
            let messages = reports.messages(
                of: Self.fix(), SatelliteView(), origin: .live, clockTime: nil,
                at: start + .seconds(index))
            let epoch = Set(messages.filter { $0.group != .position }.compactMap(\.bytes.first))
            #expect(epoch.count == 1)
            numbers += epoch
        }
        #expect(numbers == Array(1...252) + [0, 1])
    }

    @Test func `a compass has no position`() {
        var fix = Fix()
        fix.attitude.heading = 90
        var reports = NMEA2000Writer()
        let messages = reports.messages(
            of: fix, SatelliteView(), origin: .live, clockTime: nil, at: start)
        #expect(messages.isEmpty)
    }
}
