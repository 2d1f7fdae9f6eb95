// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestTraits
import Testing

@Suite(.timeLimit(.generous))
struct OriginDetectorTests {
    private func origins(
        _ source: any DeviceSource, _ fixes: [(isSimulated: Bool, lateness: Double?)]
    ) -> [DataOrigin] {
        var detector = OriginDetector(source)
        return [detector.origin]
            + fixes.map {
                detector.received(isSimulated: $0.isSimulated, lateness: $0.lateness)
                return detector.origin
            }
    }

    @Test func `a pipe is live while its times match the clock`() {
        let fixes: [(Bool, Double?)] = [
            (false, nil), (false, 0.2), (false, nil), (false, -9.9), (false, 10.1), (true, nil),
            (false, 3e8), (false, -3e8), (false, 1),
        ]
        #expect(
            origins(PipeSource("/run/pipe"), fixes) == [
                .unknown, .unknown, .live, .live, .live, .replay, .simulated, .replay, .replay,
                .live,
            ])
    }

    @Test func `a pipe that is known to be live needs no clock`() {
        var source = PipeSource("/run/pipe")
        source.isLive = true
        #expect(origins(source, [(false, 3e8), (true, nil)]) == [.live, .live, .simulated])
        #expect(OriginDetector(source).mayCorrectDates)
        #expect(!OriginDetector(PipeSource("/run/pipe")).mayCorrectDates)
    }

    @Test func `the network is live by its first fix, unless that is simulated`() {
        let source = GPSDSource(host: "localhost")
        #expect(origins(source, [(false, nil)]) == [.unknown, .live])
        #expect(origins(source, [(true, nil), (false, 5)]) == [.unknown, .simulated, .live])
        #expect(!OriginDetector(source).needsClock)
        for source in [TCPSource(host: "a", port: 1), UDPSource(host: nil, port: 1)]
            as [any DeviceSource]
        {
            #expect(source.origin == .unknown)
        }
    }

    @Test func `a tty is live, a pseudo terminal is unknown, a file is a recording`() throws {
        #expect(SerialSource("/dev/ttyUSB0").origin == .live)
        let terminal = try PseudoTerminal()
        #expect(SerialSource(terminal.path).origin == .unknown)
        #expect(
            origins(FileSource("a.nmea"), [(false, 0), (true, 0)]) == [.replay, .replay, .replay])
    }
}
