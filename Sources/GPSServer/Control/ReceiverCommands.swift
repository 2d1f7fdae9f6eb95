// SPDX-License-Identifier: MIT
package import GPSReceivers
import NMEA
import UBX

/// A maker of receivers, with its commands for another baud rate or cycle.
package enum ReceiverMaker: CaseIterable, Sendable {
    case ublox, mediaTek, airoha, zhongke, sirf

    /// The maker whose receivers send a proprietary sentence; `nil` if it is unknown.
    package init?(sentence: some Collection<UInt8>) {
        let prefixes: [(String, ReceiverMaker)] = [
            ("$PUBX", .ublox), ("$PMTK", .mediaTek), ("$PAIR", .airoha), ("$PQTM", .airoha),
            ("$PCAS", .zhongke), ("$PSRF", .sirf),
        ]
        guard let found = prefixes.first(where: { sentence.starts(with: $0.0.utf8) }) else {
            return nil
        }
        self = found.1
    }

    /// Returns the command that makes a receiver send NMEA at a rate; `nil` if its maker has none. The
    /// receiver forgets it at its next start.
    package func command(for baudRate: BaudRate) -> [UInt8]? {
        switch self {
        // The default protocols for input and output.
        case .ublox: Self.sentence("PUBX,41,1,0007,0003,\(baudRate),0")
        case .mediaTek: Self.sentence("PMTK251,\(baudRate)")
        case .airoha: Self.sentence("PAIR864,0,0,\(baudRate)")
        case .zhongke:
            [4800, 9600, 19200, 38400, 57600, 115_200].firstIndex(of: baudRate.rawValue)
                .map { Self.sentence("PCAS01,\($0)") }
        // Protocol 0 would be its binary one.
        case .sirf: Self.sentence("PSRF100,1,\(baudRate),8,1,0")
        }
    }

    /// Returns the command that sets a receiver's period in milliseconds; `nil` if its maker has none.
    package func command(forPeriod period: Int) -> [UInt8]? {
        switch self {
        case .ublox: Self.rateMessage(UInt16(clamping: period))
        case .mediaTek: period < 100 ? nil : Self.sentence("PMTK220,\(period)")
        case .airoha: 100...1000 ~= period ? Self.sentence("PAIR050,\(period)") : nil
        case .zhongke:
            [100, 200, 250, 500, 1000].contains(period) ? Self.sentence("PCAS02,\(period)") : nil
        case .sirf: nil
        }
    }

    /// A sentence with its checksum and line end.
    private static func sentence(_ body: String) -> [UInt8] {
        var writer = SentenceWriter()
        writer.write(body: body)
        return writer.bytes
    }

    /// UBX-CFG-RATE: a fix for each measurement, aligned to GPS time.
    private static func rateMessage(_ period: UInt16) -> [UInt8] {
        let payload = [UInt8(truncatingIfNeeded: period), UInt8(period >> 8), 1, 0, 1, 0]
        return UBXFrame.bytes(UBXMessageID(0x06, 0x08), payload: payload)
    }
}
