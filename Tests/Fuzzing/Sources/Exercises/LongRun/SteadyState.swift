// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// A decoder that has learned its receiver's cycle, to measure the cost of another minute.
package struct SteadyState {
    private var decoder = NMEADecoder()
    private var counter = Counter()
    private let chunk: Int

    /// The number of fixes delivered.
    package var fixes: Int { counter.fixes }

    private struct Counter: DecoderListener {
        var fixes = 0
        mutating func didReceive(fix: Fix, satellites view: SatelliteView) { fixes += 1 }
    }

    /// Decodes two minutes of the protocol in pieces of `chunk` bytes, so that all buffers have grown.
    package init(_ line: LineProtocol = .nmea, chunk: Int) {
        self.chunk = chunk
        push(line.minute(10))
        push(line.minute(11))
        counter.fixes = 0
    }

    /// What the receiver sends.
    package enum LineProtocol: String, CaseIterable, Sendable {
        case nmea = "NMEA"
        case ubx = "UBX"

        /// Returns a minute after ten o'clock.
        package func minute(_ minute: Int) -> [UInt8] {
            self == .nmea ? SteadyState.minute(minute) : SteadyState.ubxMinute(minute)
        }
    }

    /// Decodes the next bytes in chunks.
    package mutating func push(_ bytes: [UInt8]) {
        let span = bytes.span
        var start = 0
        while start < span.count {
            let end = chunk < span.count - start ? start + chunk : span.count
            decoder.push(span.extracting(start..<end), to: &counter)
            start = end
        }
    }

    /// A minute of a receiver of two constellations, which lists its satellites once a second.
    package static func minute(_ minute: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for second in 10..<60 {
            let time = "10\(minute)\(second).00"
            let place = "4812.50000,N,01622.42000,E"
            for body in [
                "GPRMC,\(time),A,\(place),10.0,90.0,210326,,,A", "GPVTG,90.0,T,,M,10.0,N,18.5,K,A",
                "GPGGA,\(time),\(place),1,08,1.0,171.4,M,43.1,M,,",
                "GPGSA,A,3,05,07,13,14,,,,,,,,,1.9,1.0,1.6",
                "GPGSV,2,1,05,05,62,286,44,07,41,103,40,13,55,214,43,14,12,052,31",
                "GPGSV,2,2,05,15,\(second),286,44", "GLGSV,1,1,02,65,62,286,44,66,41,103,",
                "GPGST,\(time),1.0,,,,2.0,3.0,4.0", "GPGLL,\(place),\(time),A,A",
                "GPZDA,\(time),21,03,2026,00,00",
            ] {
                bytes += sealed(body)
            }
        }
        return bytes
    }
}
