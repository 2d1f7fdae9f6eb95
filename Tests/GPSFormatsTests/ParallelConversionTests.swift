// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSFormats
import GPSReceivers
import GPSTestTraits
import NMEA
import Testing

/// The conversion of pieces in parallel gives the same output as one conversion.
@Suite(.timeLimit(.generous))
struct ParallelConversionTests {
    private static let folder = URL(filePath: PackageFile.folder + "/Tests/Fixtures/Receivers")

    static let recordings: [String] = {
        let all = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return all.filter { $0.hasSuffix(".nmea") }.sorted()
    }()

    private static let formats: [any OutputFormat.Type] = [
        GPSDFormat.self, GPXFormat.self, CSVFormat.self, NMEAFormat.self, GeoJSONSeqFormat.self,
        IGCFormat.self,
    ]

    @Test func `formats that can be written in pieces are known`() {
        for format in Self.formats { #expect(ParallelConversion.supports(format), "\(format)") }
        #expect(!ParallelConversion.supports(KMLFormat.self))
        #expect(!ParallelConversion.supports(TCXFormat.self))
    }

    @Test(arguments: recordings)
    func `a recording gives the same bytes for pieces of any size`(_ name: String) async throws {
        let bytes = try Self.bytes(of: name)
        for format in Self.formats {
            let expected = Self.whole([bytes], format)
            for _ in 0..<2 {
                let size = Int.random(in: 200...6000)
                let warmUp = Int.random(in: 0...8000)
                let output = try await Self.parallel([bytes], format, size: size, warmUp: warmUp)
                #expect(output.bytes == expected, "\(format.name), \(size), \(warmUp)")
            }
        }
    }

    private struct Witness: DecoderListener {}

    @Test(arguments: recordings)
    func `a format has the same bytes if its satellites are read for another reader`(
        _ name: String
    ) throws {
        let bytes = try Self.bytes(of: name)
        for format in OutputFormats.all {
            func output(_ listener: Witness?, readsAllFields: Bool) -> [UInt8] {
                var conversion = Conversion(
                    to: format, with: listener, readsAllFields: readsAllFields)
                conversion.begin(OutputSource(name: name, origin: .replay))
                conversion.push(recording: bytes.span)
                conversion.end()
                var output: [UInt8] = []
                conversion.drain { span in for i in span.indices { output.append(span[i]) } }
                return output
            }
            let alone = output(nil, readsAllFields: false)
            #expect(!alone.isEmpty)
            #expect(output(Witness(), readsAllFields: false) == alone, "\(format.traits.name)")
            #expect(output(nil, readsAllFields: true) == alone, "\(format.traits.name)")
        }
    }

    @Test func `several recordings give the same bytes, in order`() async throws {
        let all = try Self.recordings.map { try Self.bytes(of: $0) }
        for format in Self.formats {
            let output = try await Self.parallel(all, format, size: 20_000, warmUp: 4000)
            #expect(output.bytes == Self.whole(all, format), "\(format.name)")
        }
    }

    @Test func `nearly all of a steady recording is converted in parallel`() async throws {
        let bytes = Self.drive()
        for format in Self.formats {
            let output = try await Self.parallel([bytes], format, size: 8000, warmUp: 4000)
            #expect(output.bytes == Self.whole([bytes], format), "\(format.name)")
            #expect(output.missCount <= 1, "\(format.name)")
            #expect(output.aheadCount > bytes.count * 9 / 10, "\(format.name), of \(bytes.count)")
        }
    }

    @Test func `nearly all of many short recordings is converted in parallel`() async throws {
        let epochs = Self.drive().split(separator: Array("$GNRMC".utf8))
        let all = (0..<12).map { number in
            Array(
                epochs[(7 * number)..<(7 * number + 20)].map { Array("$GNRMC".utf8) + $0 }.joined())
        }
        for size in [4000, 16_000] {
            let output = try await Self.parallel(all, GPSDFormat.self, size: size, warmUp: 3000)
            #expect(output.bytes == Self.whole(all, GPSDFormat.self))
            #expect(output.missCount <= 1, "in pieces of \(size)")
            #expect(output.aheadCount > all.joined().count * 3 / 4, "in pieces of \(size)")
        }
    }

    @Test func `pieces of noise and of mixed receivers give the same bytes`() async throws {
        var bytes: [UInt8] = []
        let all = try Self.recordings.map { try Self.bytes(of: $0) }
        for _ in 0..<40 {
            let part = all[Int.random(in: 0..<all.count)]
            let start = Int.random(in: 0..<part.count)
            bytes += part[start..<min(part.count, start + Int.random(in: 0...3000))]
            bytes += (0..<Int.random(in: 0...20)).map { _ in UInt8.random(in: 0...255) }
        }
        for format in Self.formats {
            let output = try await Self.parallel([bytes], format, size: 3000, warmUp: 1500)
            #expect(output.bytes == Self.whole([bytes], format), "\(format.name)")
        }
    }

    @Test func `a recording that was continued has the same origins for pieces of any size`()
        async throws
    {
        var bytes: [UInt8] = []
        for (index, line) in Self.drive().split(separator: 0x0A).enumerated() {
            if index.isMultiple(of: 500) {
                let origin = index.isMultiple(of: 1000) ? "simulated" : "live"
                bytes += Array("# gpsbridge recording 1\r\n# origin: \(origin)\r\n".utf8)
            }
            bytes += line + [0x0A]
        }
        for format in Self.formats {
            let expected = Self.whole([bytes], format)
            for size in [700, 8000] {
                let output = try await Self.parallel([bytes], format, size: size, warmUp: 4000)
                #expect(output.bytes == expected, "\(format.name), \(size)")
            }
        }
        let table = String(decoding: Self.whole([bytes], CSVFormat.self), as: UTF8.self)
        #expect(table.contains(",simulated,") && table.contains(",replay,"))
    }

    @Test func `satellite lists at the end of a recording do not carry over to the next`()
        throws
    {
        func output(_ lists: Int, to format: any OutputFormat.Type) throws -> [UInt8] {
            var conversion = Conversion(to: format)
            conversion.begin(Self.source(0))
            let id = try #require(SatelliteID(.gps, 5))
            let view = SatelliteView(signals: [SatelliteSignal(id: id, signal: 1, cn0: 42)])
            for _ in 0..<lists { conversion.add(view) }
            conversion.end()
            conversion.begin(Self.source(1))
            conversion.drain { _ in }
            var fix = Fix()
            fix.dilution.hdop = 1
            (fix.mode, fix.coordinate) = (.twoD, Coordinate(latitude: 48, longitude: 16))
            conversion.add(fix)
            conversion.end()
            var bytes: [UInt8] = []
            conversion.drain { bytes += $0.withUnsafeBytes { Array($0) } }
            return bytes
        }
        for format in Self.formats {
            #expect(try output(1, to: format) == output(0, to: format), "\(format.name)")
        }
    }

    @Test func `with only wrong predictions one core converts nearly everything`() async throws {
        let bytes = Self.drive()
        // Without input from before a piece, every prediction is wrong.
        let output = try await Self.parallel([bytes], GPSDFormat.self, size: 1024, warmUp: 0)
        #expect(output.bytes == Self.whole([bytes], GPSDFormat.self))
        #expect(2...6 ~= output.missCount, "of \(bytes.count / 1024)")
        #expect(output.aheadCount <= 1024)
    }

    @Test func `pieces that cannot be read are left to the caller`() async throws {
        let bytes = Self.drive()
        let output = try await Self.parallel(
            [bytes], GPSDFormat.self, size: 8000, warmUp: 4000, readable: 60_000)
        #expect(output.bytes == Self.whole([bytes], GPSDFormat.self))
        #expect(output.aheadCount > 40_000 && output.aheadCount <= 60_000)
    }

    // MARK: Helpers

    private static func bytes(of name: String) throws -> [UInt8] {
        let bytes = [UInt8](try Data(contentsOf: folder.appending(path: name)))
        // Long enough for several pieces; the time jumps back where it is repeated.
        return Array(repeatElement(bytes, count: 3).joined())
    }

    /// A few minutes of a receiver that sends satellite lists.
    private static func drive() -> [UInt8] {
        var writer = SentenceWriter()
        for second in 0..<400 {
            var rmc = RMC()
            rmc.time = TimeOfDay(hour: 12, minute: second / 60, second: second % 60)
            rmc.date = CalendarDate(year: 2026, month: 3, day: 21)
            rmc.status = UInt8(ascii: "A")
            rmc.coordinate = Coordinate(latitude: 48 + Double(second) / 1e4, longitude: 16)
            rmc.mode = .autonomous
            writer.write(rmc, talker: .gnss)
            var gga = GGA()
            gga.time = rmc.time
            gga.coordinate = rmc.coordinate
            gga.quality = .autonomous
            gga.satellites = 9
            gga.hdop = 1
            gga.altitude = 171
            writer.write(gga, talker: .gnss)
            writer.write(view(second))
        }
        return writer.bytes
    }

    private static func view(_ second: Int) -> SatelliteView {
        var signals: [SatelliteSignal] = []
        for number in 1...9 {
            guard let id = SatelliteID(.gps, number) else { continue }
            let cn0 = 30 + (second + number) % 12
            signals.append(SatelliteSignal(id: id, cn0: Double(cn0)))
        }
        return SatelliteView(signals: signals)
    }

    private static func whole(
        _ recordings: [[UInt8]], _ format: any OutputFormat.Type
    ) -> [UInt8] {
        var conversion = Conversion(to: format)
        var output: [UInt8] = []
        for (index, bytes) in recordings.enumerated() {
            conversion.begin(source(index))
            conversion.push(recording: bytes.span)
            conversion.drain { $0.withUnsafeBytes { output += $0 } }
            conversion.end()
            conversion.drain { $0.withUnsafeBytes { output += $0 } }
        }
        return output + conversion.closing
    }

    private static func source(_ index: Int) -> OutputSource {
        OutputSource(name: "recording \(index)", origin: .replay)
    }

    /// Converts in parallel; also returns the number of wrong predictions and of bytes converted ahead.
    private static func parallel(
        _ recordings: [[UInt8]], _ format: any OutputFormat.Type, size: Int, warmUp: Int,
        readable: Int = .max
    ) async throws -> (bytes: [UInt8], missCount: Int, aheadCount: Int) {
        var parallel = ParallelConversion(jobs: 3, pieceSize: size, warmUp: warmUp) {
            position, count in
            guard recordings.indices.contains(position.recording) else { return nil }
            let bytes = recordings[position.recording]
            let count = min(count, bytes.count - position.offset)
            return count <= 0
                ? nil
                : ConversionPiece(
                    of: source(position.recording), at: position, count: count,
                    isLast: position.offset + count == bytes.count,
                    read: reader(of: bytes, readable))
        }
        var conversion = Conversion(to: format)
        var (output, aheadCount): ([UInt8], Int) = ([], 0)
        for (index, bytes) in recordings.enumerated() {
            conversion.begin(source(index))
            var offset = 0
            while offset < bytes.count {
                conversion.drain { $0.withUnsafeBytes { output += $0 } }
                let position = ConversionPiece.Position(index, offset)
                if let piece = try await parallel.piece(at: position, after: conversion) {
                    output += piece.bytes
                    conversion.continue(behind: piece)
                    offset += piece.count
                    aheadCount += piece.count
                } else {
                    let end = min(bytes.count, offset + size / 8)
                    conversion.push(recording: bytes.span.extracting(offset..<end))
                    offset = end
                }
            }
            conversion.end()
            conversion.drain { $0.withUnsafeBytes { output += $0 } }
        }
        return (output + conversion.closing, parallel.missCount, aheadCount)
    }

    private static func reader(of bytes: [UInt8], _ readable: Int) -> ConversionPiece.Reader {
        { offset, buffer in
            guard offset < readable else { throw DeviceError(.ioFailed, device: "disk") }
            let part = bytes.prefix(readable).dropFirst(offset).prefix(buffer.count)
            buffer.copyBytes(from: part)
            return part.count
        }
    }
}
