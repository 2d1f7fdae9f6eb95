// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSTestTraits
import NMEA
import SimulatedDevices
import Testing
import UBX

/// A receiver that sends UBX, in recordings and in formats.
@Suite(.timeLimit(.generous))
struct UBXFormatTests {
    private static let start: Int64 = 1_774_094_400_000_000_000

    /// The epochs of a simulated receiver at 10 Hz.
    private func epochs(_ protocols: OutputProtocols, _ count: Int = 20) -> [[UInt8]] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox8
        configuration.protocols = protocols
        configuration.rate = 10
        var receiver = SimulatedReceiver(configuration)
        return (0..<count).map { _ in receiver.next().bytes }
    }

    private func converted(_ bytes: [UInt8], to format: any OutputFormat.Type) -> String {
        var conversion = Conversion(to: format)
        conversion.begin(OutputSource(name: "a.ubx", origin: .replay))
        conversion.push(bytes.span)
        conversion.end()
        var text: [UInt8] = []
        conversion.drain { span in span.indices.forEach { text.append(span[$0]) } }
        return String(decoding: text + conversion.closing, as: UTF8.self)
    }

    private func time(_ index: Int) throws -> UTCTime {
        try #require(UTCTime(unixNanoseconds: Self.start + Int64(index) * 100_000_000))
    }

    @Test func `a recording on a full disk ends after a whole message`() {
        let line = Array("$GNZDA,1*00\r\n".utf8)
        // The payloads contain the byte of a line end.
        let frame = UBXFrame.bytes(AckACK.id, payload: [0x0A, 0x0A])
        let correction: [UInt8] = [0xD3, 0, 2, 0x0A, 0x0A, 1, 2, 3]
        let messages: [[UInt8]] = [line, frame, correction, frame, line]
        let all = messages.flatMap(\.self)
        var ends = [0]
        for message in messages { ends.append((ends.last ?? 0) + message.count) }
        for count in 0...all.count {
            let end = ends.last { $0 <= count }
            #expect(RawRecording.wholeCount(of: all[..<count]) == end)
        }
    }

    @Test func `a recording has the time of each epoch, and every frame`() throws {
        for piece in [1, 7, 300, 5000] {
            var recording = RawRecording()
            recording.begin(OutputSource(name: "a", origin: .live))
            for (index, epoch) in epochs(.ubx).enumerated() {
                for start in stride(from: 0, to: epoch.count, by: piece) {
                    recording.push(
                        Array(epoch[start..<min(start + piece, epoch.count)]), at: try time(index))
                }
            }
            recording.flush()
            let bytes = recording.take()
            var decoder = NMEADecoder()
            var fixes: [Fix] = []
            decoder.push(bytes.span) { if case .fix(let fix, _) = $0 { fixes.append(fix) } }
            #expect(fixes.count == 20, "in pieces of \(piece)")
            let text = String(decoding: bytes, as: UTF8.self)
            #expect(text.contains("# 2026-03-21T12:00:01.900000Z\r\n"))
            if piece > 200 { #expect(text.matches(of: #/# 2026/#).count >= 20) }
        }
    }

    @Test func `a recording is continued after its last whole frame`() throws {
        var recording = RawRecording()
        recording.begin(OutputSource(name: "a", origin: .live))
        for (index, epoch) in epochs(.ubx, 5).enumerated() {
            recording.push(epoch, at: try time(index))
        }
        recording.flush()
        let whole = recording.take()
        let last = try #require(epochs(.ubx, 5).last)
        let end = NavEOE().frame.count + 68
        for cut in [0, 1, 20, end, last.count - 1] {
            let file = Array(whole.dropLast(cut))
            let kept = try #require(RawRecording.resume(head: file, end: file))
            let part = Array(file.prefix(kept))
            // A frame that was cut off leaves no bytes behind.
            var framer = Framer()
            framer.push(part.span) { _ in }
            var rest = 0
            framer.finish { if case .junk(let count) = $0 { rest += count } }
            #expect(rest == 0, "cut \(cut)")
            #expect(cut > 0 || kept == whole.count)
        }
    }

    @Test func `sentences are written for epochs in UBX alone`() {
        let bytes = epochs(.ubx, 5).flatMap(\.self)
        let lines = converted(bytes, to: NMEAFormat.self).split(separator: "\r\n")
        #expect(lines.count { $0.hasPrefix("$GNRMC") } == 5)
        #expect(lines.count { $0.hasPrefix("$GNGGA") } == 5)
        #expect(lines.contains { $0.hasPrefix("$GPGSV") })
    }

    @Test func `sentences are written for both fixes that one message completes`() {
        // Without NAV-EOE, the next solution ends an epoch, until the end of the cycle is known.
        let frames = (0..<8).map { second -> [UInt8] in
            var message = NavPVT()
            message.timeOfWeekMilliseconds = 561_618_000 + UInt32(second) * 1000
            (message.year, message.month, message.day) = (2026, 3, 21)
            (message.hour, message.second) = (12, UInt8(second))
            message.validity = NavPVT.Validity(rawValue: 0b0111)
            (message.fixType, message.flags) = (.threeD, NavPVT.Flags(rawValue: 1))
            (message.latitude, message.longitude) = (48.2082001, 16.3738001)
            return message.frame
        }
        let text = converted(frames.flatMap(\.self), to: NMEAFormat.self)
        let times = text.split(separator: "\r\n").filter { $0.hasPrefix("$GNRMC") }.compactMap {
            Double($0.split(separator: ",")[1])
        }
        #expect(times == (0..<8).map { 120_000 + Double($0) })
    }

    @Test(arguments: ["HEHDT,90.0,T*16", "GNVTG,90.0,T,,M,19.4,N,36.0,K,A*23"])
    func `sentences without a position do not replace those that are written`(_ body: String) {
        let other = Array("$\(body)\r\n".utf8)
        let text = converted(epochs(.ubx, 5).flatMap { other + $0 }, to: NMEAFormat.self)
        let lines = text.split(separator: "\r\n")
        #expect(lines.count { $0.hasPrefix("$GNRMC") } == 5)
        #expect(lines.count { $0.dropFirst() == body } == 5)
    }

    @Test func `lists of satellites that the receiver sends itself are not doubled`() {
        let list = Array("$GPGSV,1,1,02,05,60,120,40,07,30,200,38,1*6F\r\n".utf8)
        let text = converted(epochs(.ubx, 5).flatMap { list + $0 }, to: NMEAFormat.self)
        let lines = text.split(separator: "\r\n")
        #expect(lines.count { $0.hasPrefix("$GNRMC") } == 5)
        #expect(lines.count { $0.contains("GSV,") } == 5)
    }

    @Test func `sentences that the receiver sends itself are not doubled`() {
        let both = converted(epochs(.both, 5).flatMap(\.self), to: NMEAFormat.self)
        let own = converted(epochs(.nmea, 5).flatMap(\.self), to: NMEAFormat.self)
        #expect(both == own)
    }

    @Test func `each epoch has sentences once when a receiver begins and ends sending its own`() {
        let (messages, sentences) = (epochs(.ubx), epochs(.nmea))
        var bytes: [UInt8] = []
        for index in 0..<16 {
            bytes += messages[index]
            if index < 6 || 10..<12 ~= index { bytes += sentences[index] }
        }
        let lines = converted(bytes, to: NMEAFormat.self).split(separator: "\r\n")
        for type in ["$GNRMC", "$GNGGA"] {
            let times = lines.filter { $0.hasPrefix(type) }.compactMap {
                Double($0.split(separator: ",")[1])
            }
            #expect(times == (0..<16).map { 120_000 + Double($0) / 10 }, "\(type)")
        }
    }

    @Test func `JSON has what only UBX reports`() throws {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .f9p
        configuration.protocols = .ubx
        var receiver = SimulatedReceiver(configuration)
        let bytes = (0..<3).flatMap { _ in receiver.next().bytes }
        let report = try #require(
            converted(bytes, to: GPSDFormat.self).split(separator: "\n").last {
                $0.hasPrefix(#"{"class":"TPV""#)
            })
        for member in [
            #""jamming":"none""#, #""spoofing":"none""#, #""jam":"#, #""eps":"#, #""epd":"#,
            #""covarianceNN":"#, #""velocityCovarianceDD":"#,
        ] {
            #expect(report.contains(member), "\(member)")
        }
    }
}
