// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSTestTraits
import Testing

/// FIT as devices write it, and as `convert` does.
@Suite(.timeLimit(.generous))
struct FITTests {
    /// 2026-03-21T12:00:00Z in Unix time and in FIT's seconds.
    private static let noon: Int64 = 1_774_094_400
    private static let time = UInt32(noon - 631_065_600)

    /// Returns fixes a quarter of a second apart.
    private func reading(_ positions: [(Double, Double)], quality: FixQuality = .autonomous)
        -> Reading
    {
        var reading = Reading([])
        for (index, position) in positions.enumerated() {
            var fix = Fix()
            fix.time = UTCTime(
                unixNanoseconds: Self.noon * 1_000_000_000 + Int64(index) * 250_000_000)
            fix.coordinate = Coordinate(latitude: position.0, longitude: position.1)
            fix.altitude = -12.4
            fix.accuracy.horizontal = 1.2
            fix.complete(mode: nil, quality: quality)
            reading.entries.append(Reading.Entry(fix: fix, segment: 1))
        }
        return reading
    }

    // MARK: Written files

    @Test func `positions are the nearest of those that the format has, and exact when read`() {
        let step = 180 / 0x1p31
        for (angle, expected) in [
            (0.0, 0.0), (45, 45), (-45, -45), (180, -180), (-180, -180), (48.2, 48.2),
            // The number of this angle means unknown.
            (180 - step, 180 - 2 * step), (180 - 0.4 * step, -180),
        ] {
            let read = Reading(reading([(angle / 2, angle)]).written(as: FITFormat.self))
            let position = read.fixes.first?.coordinate
            let difference = ((position?.longitude ?? 0) - expected).magnitude
            #expect(difference <= (expected == 48.2 ? step / 2 : 0), "\(angle)")
            #expect(((position?.latitude ?? 99) - angle / 2).magnitude <= step / 2, "\(angle)")
        }
    }

    @Test func `the header has the length, and the checksum of the whole file is right`() throws {
        let bytes = reading([(48, 16), (48.1, 16)]).written(as: FITFormat.self)
        #expect(bytes.prefix(2) == [14, 0x10])
        #expect(Array(bytes[8..<12]) == Array(".FIT".utf8))
        let length = (4..<8).reversed().reduce(0) { $0 << 8 | Int(bytes[$1]) }
        #expect(bytes.count == 14 + length + 2)
        #expect(Self.checksum(bytes.prefix(14)) == 0)
        #expect(Self.checksum(bytes[...]) == 0)
    }

    @Test func `several fixes in a second keep their order, with the time of the second`() {
        let read = Reading(
            reading((0..<6).map { (48 + Double($0), 16) }).written(as: FITFormat.self))
        #expect(read.error == nil)
        #expect(
            read.fixes.compactMap { $0.coordinate?.latitude.rounded() } == [48, 49, 50, 51, 52, 53])
        let seconds = read.fixes.map { ($0.time?.unixNanoseconds ?? 0) / 1_000_000_000 - Self.noon }
        #expect(seconds == [0, 0, 0, 0, 1, 1])
        #expect(read.fixes.allSatisfy { $0.altitude == -12.4 })
        #expect(read.fixes.allSatisfy { $0.accuracy.horizontal == 2 && $0.speed == nil })
    }

    @Test func `simulated fixes are in a session of their own`() {
        var both = reading([(48, 16), (48, 17)])
        both.entries += reading([(49, 16)], quality: .simulated).entries
        both.entries += reading([(50, 16)]).entries
        let bytes = both.written(as: FITFormat.self)
        let read = Reading(bytes)
        #expect(read.fixes.map { $0.quality == .simulated } == [false, false, true, false])
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.contains("SIMULATED track"))
        #expect(text.contains("origin: simulated"))
    }

    @Test func `fixes are selected by time`() {
        var selection = FixSelection()
        selection.start = UTCTime(unixNanoseconds: (Self.noon + 1) * 1_000_000_000)
        var conversion = Conversion(to: FITFormat.self, selecting: selection)
        conversion.begin(OutputSource(name: "a", origin: .replay))
        for fix in reading((0..<8).map { (48, Double($0)) }).fixes { conversion.add(fix) }
        conversion.end()
        var bytes: [UInt8] = []
        conversion.drain { bytes += Array($0) }
        let read = Reading(conversion.completed(bytes))
        #expect(read.fixes.compactMap { $0.coordinate?.longitude.rounded() } == [4, 5, 6, 7])
    }

    @Test func `an altitude or a speed that does not fit is unknown`() {
        var reading = reading([(48, 16)])
        reading.entries[0].fix.altitude = 1e12
        reading.entries[0].fix.speed = -1
        reading.entries[0].fix.accuracy.horizontal = 300
        let fix = Reading(reading.written(as: FITFormat.self)).fixes.first
        #expect(fix != nil)
        #expect((fix?.altitude, fix?.speed, fix?.accuracy.horizontal) == (nil, nil, nil))
        #expect(fix?.mode == .twoD)
    }

    @Test func `an accuracy is rounded up to a whole number of metres`() {
        let pairs: [(Double, Double?)] = [
            (0, nil), (0.004, 1), (0.01, 1), (3.005, 3), (3.1, 4),
        ]
        for (accuracy, written) in pairs {
            var reading = reading([(48, 16)])
            reading.entries[0].fix.accuracy.horizontal = accuracy
            let fixes = Reading(reading.written(as: FITFormat.self)).fixes
            #expect(fixes.map(\.accuracy.horizontal) == [written], "\(accuracy)")
        }
    }

    // MARK: Other programs' files

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
        var crc: UInt16 = 0
        for byte in bytes {
            crc ^= UInt16(byte)
            for _ in 0..<8 {
                let isOdd = crc & 1 == 1
                crc >>= 1
                if isOdd { crc ^= 0xA001 }
            }
        }
        return crc
    }

    private static func numbers(_ value: UInt32, _ isBig: Bool) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBig ? bytes.reversed() : bytes
    }

    /// Returns a file with a header of 12 bytes.
    private static func file(_ messages: [[UInt8]], size: Int? = nil) -> [UInt8] {
        let data = messages.flatMap { $0 }
        let length = numbers(UInt32(size ?? data.count), false)
        let bytes = [12, 0x10, 100, 0] + length + Array(".FIT".utf8) + data
        let checksum = Self.checksum(bytes[...])
        return bytes + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
    }

    /// The definition of a record with position, altitude and, unless its header has it, the time.
    private static func definition(
        _ isBig: Bool, hasTime: Bool = true, local: UInt8 = 0, developer: [UInt8] = []
    ) -> [UInt8] {
        let time: [UInt8] = hasTime ? [253, 4, 0x86] : []
        let number: [UInt8] = isBig ? [0, 20] : [20, 0]
        return [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBig ? 1 : 0] + number
            + [hasTime ? 4 : 3] + time + [0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84] + developer
    }

    /// A record at 45° north, 90° west and 100 m, or without a position.
    private static func record(_ seconds: UInt32?, _ isBig: Bool, isKnown: Bool = true) -> [UInt8] {
        let time = seconds.map { numbers(Self.time + $0, isBig) } ?? []
        let position =
            isKnown
            ? numbers(0x2000_0000, isBig) + numbers(0xC000_0000, isBig)
            : numbers(0x7FFF_FFFF, isBig) + numbers(0x7FFF_FFFF, isBig)
        return [0] + time + position + (isBig ? [0x0B, 0xB8] : [0xB8, 0x0B])
    }

    private func expect(_ reading: Reading, seconds: [Int64]) {
        #expect(reading.error == nil)
        #expect(
            reading.fixes.map { ($0.time?.unixNanoseconds ?? 0) / 1_000_000_000 - Self.noon }
                == seconds)
        let position = Coordinate(latitude: 45, longitude: -90)
        #expect(reading.fixes.allSatisfy { $0.coordinate == position && $0.altitude == 100 })
    }

    @Test(arguments: [false, true])
    func `both orders of bytes are read, and a record without a position is skipped`(_ isBig: Bool)
    {
        let file = Self.file([
            Self.definition(isBig), Self.record(0, isBig), Self.record(1, isBig, isKnown: false),
            Self.record(2, isBig),
        ])
        expect(Reading(file), seconds: [0, 2])
        #expect(Reading(file).entries.map(\.segment) == [1, 1])
    }

    @Test func `a compressed time counts on from the last one`() {
        // Noon ends with the bits 00000.
        #expect(Self.time & 0x1F == 0)
        var compressed = Self.record(nil, false)
        let messages = [3, 31, 2, 2, 1].map { (bits: UInt8) in
            compressed[0] = 0x80 | 1 << 5 | bits
            return compressed
        }
        let file = Self.file(
            [Self.definition(false), Self.record(0, false)]
                + [Self.definition(false, hasTime: false, local: 1)] + messages)
        expect(Reading(file), seconds: [0, 3, 31, 34, 34, 65])
    }

    @Test func `unknown messages and fields of developers are skipped`() {
        let unknown: [UInt8] = [0x41, 0, 0, 0xFF, 0xAB, 1, 7, 3, 0x99, 1, 1, 2, 3]
        let records = [Self.record(0, false), Self.record(1, false)].map { $0 + [9, 8, 7, 6, 5] }
        let file = Self.file(
            [unknown, Self.definition(false, developer: [2, 0, 2, 0, 1, 3, 0])] + records)
        expect(Reading(file), seconds: [0, 1])
    }

    @Test func `files that follow each other are read`() {
        let (one, two) = (Self.definition(false), Self.definition(true))
        let bytes =
            Self.file([one, Self.record(0, false)]) + Self.file([two, Self.record(9, true)])
        for piece in [1, 5, 4096] { expect(Reading(bytes, piece: piece), seconds: [0, 9]) }
        #expect(Reading(bytes).entries.map(\.segment) == [1, 2])
    }

    @Test func `a stop of the timer ends the segment, and another event does not`() {
        let event: [UInt8] = [0x41, 0, 0, 21, 0, 2, 0, 1, 0, 1, 1, 0]
        let file = Self.file([
            Self.definition(false), event, Self.record(0, false), [1, 9, 4], Self.record(1, false),
            [1, 0, 4], Self.record(2, false), [1, 0, 0], Self.record(3, false),
        ])
        expect(Reading(file), seconds: [0, 1, 2, 3])
        #expect(Reading(file).entries.map(\.segment) == [1, 1, 2, 3])
    }

    @Test func `a time since the start of a device is not a date`() {
        var record = Self.record(0, false)
        record.replaceSubrange(1..<5, with: Self.numbers(0x0FFF_FFFF, false))
        let fix = Reading(Self.file([Self.definition(false), record])).fixes.first
        #expect(fix?.coordinate != nil)
        #expect(fix?.time == nil)
    }

    // A device may write such a record after it has crashed.
    @Test func `a record without a timestamp has no time`() {
        let reading = Reading(
            Self.file([
                Self.definition(false), Self.record(0, false),
                Self.definition(false, hasTime: false), Self.record(nil, false),
                Self.definition(false), Self.record(5, false),
            ]))
        #expect(reading.error == nil)
        #expect(reading.fixes.map { $0.time?.time.second } == [0, nil, 5])
    }

    @Test func `a record with an impossible position is left out and reported`() throws {
        func impossible(_ seconds: UInt32) -> [UInt8] {
            var record = Self.record(seconds, false)
            record.replaceSubrange(5..<9, with: Self.numbers(0x4000_0001, false))
            return record
        }
        func warning(_ file: [UInt8]) throws -> String? {
            var reader = FITInput(file: "file")
            try reader.push(file[...]) { _ in }
            try reader.finish { _ in }
            return reader.leftOut.warning
        }
        let messages = [Self.definition(false), Self.record(0, false), impossible(1)]
        let one = Self.file(messages + [Self.record(2, false)])
        expect(Reading(one), seconds: [0, 2])
        #expect(Reading(one).entries.map(\.segment) == [1, 1])
        let offset = 12 + messages.dropLast().reduce(0) { $0 + $1.count }
        #expect(
            try warning(one)
                == "has 1 point with an impossible position (byte \(offset)), which is left out")
        let two = Self.file(messages + [impossible(2), Self.record(3, false)])
        expect(Reading(two), seconds: [0, 3])
        #expect(
            try warning(two) == "has 2 points with an impossible position "
                + "(the first in byte \(offset)), which are left out")
        #expect(try warning(Self.file([Self.definition(false), Self.record(0, false)])) == nil)
    }

    @Test func `damage is reported after the fixes before it`() {
        let messages = [Self.definition(false), Self.record(0, false), Self.record(1, false)]
        let whole = Self.file(messages)
        func check(_ bytes: [UInt8], _ count: Int, _ reason: String) {
            let reading = Reading(bytes)
            #expect(reading.fixes.count == count, "\(reason)")
            let text = reading.error?.description ?? "no error"
            #expect(text.contains(reason), "\(text)")
        }
        check(whole.dropLast(), 2, "the file is cut off after \(whole.count - 1) bytes")
        check(whole.dropLast(4), 1, "the file is cut off after")
        check(whole.dropLast() + [whole[whole.count - 1] ^ 1], 2, "the checksum is wrong")
        check(whole + [0, 0], 2, "this is not FIT (at byte \(whole.count))")
        check(Self.file(messages, size: 0).dropLast(2), 2, "its recording was interrupted")
        check(Self.file(messages + [[5, 1, 2]]), 2, "a message has no definition")
        check(Self.file(messages + [[0x42, 0, 7, 0, 0, 0]]), 2, "a definition is malformed")
        check(Self.file(messages, size: 40), 1, "a message is longer than the rest of the file")
        var header = reading([(48, 16)]).written(as: FITFormat.self)
        header[4] ^= 1
        check(header, 0, "the checksum of the header is wrong (at byte 0)")
    }
}
