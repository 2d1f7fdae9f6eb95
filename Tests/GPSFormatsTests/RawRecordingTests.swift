// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats
import GPSReceivers
import GPSTestTraits
import NMEA
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct RawRecordingTests {
    private let noon: Int64 = 1_774_094_400_000_000_000

    private func time(_ milliseconds: Int) throws -> UTCTime {
        try #require(UTCTime(unixNanoseconds: noon + Int64(milliseconds) * 1_000_000))
    }

    private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

    @Test func `a recording has a header, and the time of each sentence`() throws {
        var recording = RawRecording()
        recording.begin(OutputSource(name: "/dev/ttyUSB0", origin: .live))
        recording.push(Array("$GPGGA,1\r\n$GPR".utf8), at: try time(123))
        recording.push(Array("MC,1\r\n$GPGGA,2\r\n".utf8), at: try time(1001))
        let lines = text(recording.take()).split(separator: "\r\n").map(String.init)
        #expect(
            lines == [
                "# gpsbridge recording 1", "# source: /dev/ttyUSB0", "# origin: live",
                "# 2026-03-21T12:00:00.123000Z", "$GPGGA,1", "$GPRMC,1",
                "# 2026-03-21T12:00:01.001000Z", "$GPGGA,2",
            ])
    }

    @Test func `the result of a vote precedes the sentences that it applies to`() throws {
        var recording = RawRecording()
        recording.begin(OutputSource(name: "vote", origin: .live))
        recording.found(Vote(state: .agreed, winner: "bow", witnesses: ["aft"]))
        recording.push(Array("$GPGGA,1\r\n$GPR".utf8), at: try time(0))
        recording.found(Vote(state: .disputed, winner: "aft", disagreeing: ["bow\nx"]))
        recording.push(Array("MC,1\r\n$GPGGA,2\r\n".utf8), at: try time(1000))
        let lines = text(recording.take()).split(separator: "\r\n").map(String.init)
        #expect(
            lines.dropFirst(3) == [
                "# vote: winner bow, witnesses aft",
                "# 2026-03-21T12:00:00.000000Z", "$GPGGA,1", "$GPRMC,1",
                "# vote: disputed, winner aft, disagreeing bow x",
                "# 2026-03-21T12:00:01.000000Z", "$GPGGA,2",
            ])
    }

    @Test func `without added lines the bytes are the receiver's for every chunking`()
        throws
    {
        var bytes = Track.straight(20).bytes
        // A frame of another protocol that contains a line end and a start character.
        bytes += [0xB5, 0x62, 0x0A, 0x01, 0x24] + Track.straight(3).bytes
        for piece in [1, 5, 64, 4000] {
            var recording = RawRecording()
            recording.begin(OutputSource(name: "a", origin: .live))
            for start in stride(from: 0, to: bytes.count, by: piece) {
                let end = min(start + piece, bytes.count)
                recording.push(Array(bytes[start..<end]), at: try time(start))
            }
            recording.flush()
            let lines = recording.take().split(separator: 0x0A, omittingEmptySubsequences: false)
            let kept = lines.filter { !$0.starts(with: Array("# ".utf8)) }
            #expect(Array(kept.joined(separator: [0x0A])) == bytes, "in pieces of \(piece)")
        }
    }

    @Test func `no line is inserted into an RTCM 3 frame, and the frames after it have times`()
        throws
    {
        // The payload contains a line end and the first byte of a sentence.
        let correction: [UInt8] = [0xD3, 0, 4, 0x43, 0x50, 0x0A, 0x24, 1, 2, 3]
        let frame = UBXFrame.bytes(AckACK.id, payload: [0x0A, 0x24])
        var recording = RawRecording()
        recording.push(Array(correction.prefix(6)), at: try time(0))
        recording.push(Array(correction.dropFirst(6)), at: try time(1000))
        recording.push(frame, at: try time(2000))
        recording.push(correction + frame, at: try time(3000))
        let times = [0, 2, 3].map { Array("# 2026-03-21T12:00:0\($0).000000Z\r\n".utf8) }
        let end: [UInt8] = [0x0D, 0x0A]
        var expected = times[0] + correction
        expected += end + times[1] + frame
        expected += end + times[2] + correction + frame
        #expect(recording.take() == expected)
    }

    /// Returns a sentence with a correct checksum, without a line end.
    private func sentence(_ body: String, start: String = "$") -> String {
        let sum = body.utf8.reduce(0, ^)
        return "\(start)\(body)*\(sum < 16 ? "0" : "")\(String(sum, radix: 16, uppercase: true))"
    }

    @Test func `sentences without line ends are written at once, each with its time`() throws {
        let sentences = [
            sentence("GPGGA,1"), sentence("AIVDM,1,1,,A,0,0", start: "!"), sentence("GPRMC,1"),
        ]
        var recording = RawRecording()
        var expected = ""
        for (index, sentence) in sentences.enumerated() {
            recording.push(Array(sentence.utf8), at: try time(index * 1000))
            #expect(!recording.isHolding)
            expected += (index > 0 ? "\r\n" : "") + "# 2026-03-21T12:00:0\(index).000000Z\r\n"
            expected += sentence
        }
        #expect(text(recording.take()) == expected)
    }

    @Test(arguments: ["", "\r", "\n", "\r\n", ",rssi=7\r\n", "*41 a\r\n"])
    func `no byte is inserted between a sentence and the rest of its line`(_ end: String) throws {
        let line = sentence("GPGGA,1") + end
        for count in 0...line.utf8.count {
            var recording = RawRecording()
            recording.push(Array(line.utf8.prefix(count)), at: try time(0))
            recording.push(Array(line.utf8.dropFirst(count)), at: try time(1000))
            recording.flush()
            let second = count == 0 ? 1 : 0
            #expect(
                text(recording.take()) == "# 2026-03-21T12:00:0\(second).000000Z\r\n" + line,
                "after \(count) bytes")
        }
    }

    @Test(arguments: ["", "# 2026-03-21T12:00:00.000000Z\r\n$GPGGA,0\r\n"])
    func `a recording that is continued lacks at most its last, incomplete message`(
        _ start: String
    ) throws {
        let head = Array("# gpsbridge recording 1\r\n# source: a\r\n\(start)".utf8)
        let whole = Array(sentence("GPGGA,1").utf8)
        let tag = Array("\\s:a*00\\".utf8)
        let binary: [UInt8] = [0xA0, 0xA2, 0x0D, 0x24, 0x21, 0xB0, 0xB3]
        let kept: [[UInt8]] = [
            [], whole, whole + whole, whole + [0x0D], tag + whole, Array("GPGGA,1\r".utf8), binary,
            Array(repeatElement(binary, count: 2000).joined()),
            [UInt8](repeating: 0x41, count: 5000),
        ]
        for kept in kept {
            let file = head + kept
            #expect(RawRecording.resume(head: file, end: file) == file.count)
        }
        let incomplete: [[UInt8]] = [
            Array(whole.dropLast()), Array("$GP".utf8), tag, tag + Array("!AIV".utf8),
            Array("# 2026-03".utf8), [0xB5], [0xB5, 0x62, 1, 7, 92, 0, 0x0D], [0xD3, 0, 9, 0x0D],
        ]
        for kept in [[], whole, whole + whole] as [[UInt8]] {
            for rest in incomplete {
                let file = head + kept + rest
                let count = head.count + kept.count
                #expect(RawRecording.resume(head: file, end: file) == count, "\(rest)")
            }
        }
    }

    @Test func `a header after an incomplete line begins a line`() {
        for (last, end) in [(0x0A, ""), (0x0D, "\n"), (0x39, "\r\n")] as [(UInt8, String)] {
            let source = OutputSource(name: "a", origin: .live)
            var first = RawRecording(after: last)
            first.begin(source)
            var next = RawRecording()
            next.beginFile(source, after: last)
            let bytes = first.take()
            #expect(text(bytes).utf8.starts(with: "\(end)# gpsbridge".utf8))
            #expect(next.take() == bytes)
        }
    }

    @Test func `a sentence in a comment or in a frame does not end a message`() throws {
        let inner = Array(sentence("GPGGA,1").utf8)
        for start in [Array("# before: ".utf8), [0xB5, 0x62, 0x02, 0x13, 0x40, 0x00]] {
            var recording = RawRecording()
            recording.push(start + inner, at: nil)
            recording.found(.simulated)
            recording.push(inner, at: nil)
            recording.flush()
            #expect(recording.take() == start + inner + inner)
        }
    }

    @Test func `a copy of a recording has no other times than those of the recording`() throws {
        var recording = RawRecording()
        recording.begin(OutputSource(name: "a.nmea", origin: .replay))
        recording.push(Array("# 2026-03-20T12:00:00.000000Z\r\n$GPGGA,1\r\n$GP".utf8), at: nil)
        recording.found(.simulated)
        recording.push(Array("RMC,1\r\n$GPGGA,2\r\n".utf8), at: nil)
        let lines = text(recording.take()).split(separator: "\r\n").map(String.init)
        #expect(
            lines.dropFirst(3) == [
                "# 2026-03-20T12:00:00.000000Z", "$GPGGA,1", "$GPRMC,1", "# origin: simulated",
                "$GPGGA,2",
            ])
    }

    @Test(arguments: [1, 3, 7, 1000])
    func `the lines that state an origin are found in chunks of any size`(_ size: Int) {
        let text =
            "# gpsbridge recording 1\r\n# source: # origin: simulated\r\n"
            + "$GPGGA,# origin: simulated\r\n# origin: live\n# 2026-03-20T12:00:00.000000Z\r\n"
            + "# \(String(repeating: "a", count: 90))# origin: live\r\n# origin: simulated\r\n"
            + "# origin: no\r\n# origin: simulated"
        var decoder = NMEADecoder()
        var found = StatedOrigins()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            decoder.push(recording: Array(rest.prefix(size)).span, to: &found)
            rest = rest.dropFirst(size)
        }
        decoder.finish(to: &found)
        #expect(found.origins == [.replay, .replay, .simulated])
        #expect(found.beginCount == 1)
    }

    @Test func `a recorded vote is in the columns of the fixes after it`() throws {
        var agreed = Vote(state: .agreed, winner: "bow", witnesses: ["aft", "mast"])
        agreed.disagreeing = ["port"]
        let disputed = Vote(state: .disputed, winner: "aft", disagreeing: ["bow"])
        let single = Vote(state: .single, winner: "bow")
        var text = "# gpsbridge recording 1\r\n"
        for (index, vote) in [agreed, disputed, single].enumerated() {
            text += vote.recordingLine
            for second in 0..<2 {
                let body =
                    "GNRMC,12000\(index * 2 + second).00,A,4812.0,N,01621.6,E,0.5,,210326,,,A"
                let sum = body.utf8.reduce(0) { $0 ^ $1 }
                text +=
                    "$\(body)*" + String(hexadecimal: UInt64(sum), width: 2).uppercased() + "\r\n"
            }
        }
        var metadata = OutputMetadata()
        metadata.columns = .vote
        var conversion = Conversion(to: CSVFormat.self, metadata: metadata)
        conversion.begin(OutputSource(name: "a", origin: .replay))
        conversion.push(recording: Array(text.utf8).span)
        conversion.end()
        var bytes: [UInt8] = []
        conversion.drain { $0.withUnsafeBufferPointer { bytes += $0 } }
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").dropFirst()
        let columns = rows.map { row in
            row.split(separator: ",", omittingEmptySubsequences: false)[1...4].joined(
                separator: ",")
        }
        #expect(
            columns == ["agreed,,2,1", "agreed,,2,1"] + ["disputed,,0,1", "disputed,,0,1"]
                + ["single,,0,0", "single,,0,0"])
    }

    @Test(arguments: ["# vote: no position", "# vote: winner a, witnesses b, c, disagreeing d"])
    func `the line of a vote is read as it is written`(_ line: String) throws {
        let vote = try #require(Vote(recordingLine: Array(line.utf8)[...]))
        #expect(vote.recordingLine == line + "\r\n")
        #expect(Vote(recordingLine: Array("# vote: ".utf8)[...]) == nil)
    }

    @Test func `an incomplete line is written after a timeout`() throws {
        var recording = RawRecording()
        recording.push(Array("$GPGGA,1".utf8), at: try time(0))
        #expect(recording.isHolding)
        #expect(recording.take() == [])
        recording.flush()
        #expect(text(recording.take()).hasSuffix("$GPGGA,1"))
        #expect(!recording.isHolding)
        recording.push([UInt8](repeating: 0xFF, count: 5000), at: try time(1))
        #expect(recording.take().count == 5000)
    }

    @Test func `a lost receiver ends its line`() throws {
        var recording = RawRecording()
        recording.push(Array("$GPG".utf8), at: try time(0))
        recording.addGap()
        recording.push(Array("$GPRMC\r\n".utf8), at: try time(1000))
        #expect(
            text(recording.take()).hasSuffix(
                "$GPG\r\n# lost\r\n# 2026-03-21T12:00:01.000000Z\r\n$GPRMC\r\n"))
    }

    @Test func `a sentence in a comment of a recording is not read`() {
        let comment =
            "# before: $GPRMC,110742,A,6013.0599,N,02453.5374,E,000.0,000.0,010199,,,A*75\r\n"
        let track = Track.straight(5)
        let bytes = Array(comment.utf8) + track.bytes
        var conversion = Conversion(to: GPXFormat.self)
        conversion.begin(OutputSource(name: "a.nmea", origin: .replay))
        conversion.push(recording: bytes.span)
        conversion.end()
        var written: [UInt8] = []
        conversion.drain { span in for i in span.indices { written.append(span[i]) } }
        #expect(text(written + conversion.closing) == track.converted(to: GPXFormat.self))
    }

    @Test func `a recording is decoded to the recorded fixes`() throws {
        let track = Track.straight(20)
        var recording = RawRecording()
        recording.begin(OutputSource(name: "a", origin: .live))
        for start in stride(from: 0, to: track.bytes.count, by: 50) {
            let end = min(start + 50, track.bytes.count)
            recording.push(Array(track.bytes[start..<end]), at: try time(start))
        }
        var conversion = Conversion(to: GPXFormat.self)
        conversion.begin(OutputSource(name: "a.nmea", origin: .replay))
        conversion.push(recording.take().span)
        conversion.end()
        var bytes: [UInt8] = []
        conversion.drain { span in for i in span.indices { bytes.append(span[i]) } }
        #expect(text(bytes + conversion.closing) == track.converted(to: GPXFormat.self))
    }
}

/// Collects the origins that a recording states.
private struct StatedOrigins: RecordingListener {
    private(set) var origins: [DataOrigin?] = []
    /// The number of recordings that begin.
    private(set) var beginCount = 0
    var statedOrigin: DataOrigin? { didSet { origins.append(statedOrigin) } }
    var statedVote: Vote? { didSet { beginCount += 1 } }
}
