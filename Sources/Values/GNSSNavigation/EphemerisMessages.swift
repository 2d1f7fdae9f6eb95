// SPDX-License-Identifier: MIT
package import GNSS
import UBX

/// Ephemerides in messages of RTCM 3.
extension Ephemeris {
    /// An element of a message, in the order of transmission.
    private enum Element {
        /// A number with the same width as in the satellite's own message.
        case field(NavigationParameter)
        /// A number with another width.
        case bits(NavigationParameter, Int)
        case skip(Int)
    }

    /// Reads the payload of message 1019, 1020, 1042, 1044, 1045 or 1046. `reference` is a time near
    /// that of reception. Returns `nil` if the message is another one, too short or impossible.
    package init?(rtcm payload: [UInt8], near reference: GPSTime?) {
        let bits = BitString(payload)
        guard
            let (constellation, message, width, elements) = Self.rtcm(bits.number(0, 12)),
            let id = SatelliteID(constellation, bits.number(12, width))
        else { return nil }
        var numbers = NavigationNumbers()
        var position = 12 + width
        for element in elements {
            switch element {
            case .skip(let count): position += count
            case .bits(let parameter, let width):
                numbers[parameter] = bits.number(position, width)
                position += width
            case .field(let parameter):
                guard let field = message.fields.first(where: { $0.parameter == parameter }) else {
                    return nil
                }
                numbers[parameter] = field.number(bits.number(position, field.width))
                position += field.width
            }
        }
        guard position <= bits.count else { return nil }
        var time = reference.map { $0.week * Self.week + Int($0.nanoseconds / 1_000_000_000) }
        if message == .fdma {
            numbers[.channel] -= 7
            numbers[.bn] <<= 2
            if numbers[.n4] > 0 { time = (5839 + (numbers[.n4] - 1) * 1461 + 730) * 86_400 }
        }
        self.init(id, message, numbers, near: time, hasTime: message == .fdma)
    }

    private typealias Layout = (Constellation, NavigationMessage, svid: Int, [Element])

    private static func rtcm(_ type: Int) -> Layout? {
        func fields(_ parameters: NavigationParameter...) -> [Element] {
            parameters.map(Element.field)
        }
        let clock = fields(.af2, .af1, .af0)
        let orbit = fields(
            .crs, .deltaN, .m0, .cuc, .e, .cus, .rootA, .toe, .cic, .omega0, .cis, .i0, .crc,
            .omega, .omegaDot)
        let galileo =
            fields(.week, .iode, .accuracy, .iDot, .toc) + clock + orbit + fields(.tgd1)
        return switch type {
        case 1019:
            (
                .gps, .lnav, 6,
                fields(.week, .accuracy, .codeOnL2, .iDot, .iode, .toc) + clock + fields(.iodc)
                    + orbit + fields(.tgd1, .health, .l2P, .fit)
            )
        case 1020:
            (
                .glonass, .fdma, 6,
                [.bits(.channel, 5), .skip(2)] + fields(.p1, .tk) + [.bits(.bn, 1)]
                    + fields(.p2, .tb, .dx, .x, .ddx, .dy, .y, .ddy, .dz, .z, .ddz, .p3, .af1, .p)
                    + fields(.ln, .af0, .deltaTau, .en, .p4, .ft, .nt, .m)
                    + [.skip(1 + 11 + 32), .bits(.n4, 5), .skip(22 + 1 + 7)]
            )
        case 1042:
            (
                .beiDou, .d1, 6,
                fields(.week, .accuracy, .iDot, .iode, .toc) + clock + fields(.iodc) + orbit
                    + fields(.tgd1, .tgd2, .health)
            )
        case 1044:
            (
                .qzss, .lnav, 4,
                fields(.toc) + clock + fields(.iode) + orbit
                    + fields(.iDot, .codeOnL2, .week, .accuracy, .health, .tgd1, .iodc, .fit)
            )
        case 1045: (.galileo, .fnav, 6, galileo + fields(.hsE5a, .dvsE5a) + [.skip(7)])
        case 1046:
            (
                .galileo, .inav, 6,
                galileo + fields(.tgd2, .hsE5b, .dvsE5b, .hsE1, .dvsE1) + [.skip(2)]
            )
        default: nil
        }
    }
}

/// Ephemerides for u-blox's receivers: `MGA-GPS-EPH`, `MGA-GAL-EPH`, `MGA-BDS-EPH`, `MGA-GLO-EPH`
/// and `MGA-QZSS-EPH`.
extension Ephemeris {
    /// The frame of the message that assists a receiver; `nil` if there is none for this ephemeris.
    ///
    /// The message has no week, so the sender must check the age. That of GLONASS has no health:
    /// do not send an unhealthy satellite.
    package var assistance: [UInt8]? {
        guard let (number, fields, size) = mga else { return nil }
        return numbers.assistance(number, type: 1, svid: satellite.svid, fields, size: size)
    }

    private var mga: (UInt8, [MGAField], size: Int)? {
        switch message {
        case .lnav: (satellite.constellation == .gps ? 0x00 : 0x05, Self.mgaGPS, 68)
        case .inav: (0x02, Self.mgaGalileo, 76)
        case .d1, .d2: (0x03, Self.mgaBeiDou, 88)
        case .fdma: (0x06, Self.mgaGLONASS, 48)
        case .fnav: nil
        }
    }

    private static let mgaGPS: [MGAField] = [
        (4, 1, .fit), (5, 1, .accuracy), (6, 1, .health), (7, 1, .tgd1), (8, 2, .iodc),
        (10, 2, .toc), (13, 1, .af2), (14, 2, .af1), (16, 4, .af0), (20, 2, .crs), (22, 2, .deltaN),
        (24, 4, .m0), (28, 2, .cuc), (30, 2, .cus), (32, 4, .e), (36, 4, .rootA), (40, 2, .toe),
        (42, 2, .cic), (44, 4, .omega0), (48, 2, .cis), (50, 2, .crc), (52, 4, .i0),
        (56, 4, .omega), (60, 4, .omegaDot), (64, 2, .iDot),
    ]

    private static let mgaGalileo: [MGAField] = [
        (4, 2, .iode), (6, 2, .deltaN), (8, 4, .m0), (12, 4, .e), (16, 4, .rootA), (20, 4, .omega0),
        (24, 4, .i0), (28, 4, .omega), (32, 4, .omegaDot), (36, 2, .iDot), (38, 2, .cuc),
        (40, 2, .cus), (42, 2, .crc), (44, 2, .crs), (46, 2, .cic), (48, 2, .cis), (50, 2, .toe),
        (52, 4, .af0), (56, 4, .af1), (60, 1, .af2), (61, 1, .accuracy), (62, 2, .toc),
        (64, 2, .tgd2), (68, 1, .hsE1), (69, 1, .dvsE1), (70, 1, .hsE5b), (71, 1, .dvsE5b),
    ]

    private static let mgaBeiDou: [MGAField] = [
        (4, 1, .health), (5, 1, .iodc), (6, 2, .af2), (8, 4, .af1), (12, 4, .af0), (16, 4, .toc),
        (20, 2, .tgd1), (22, 1, .accuracy), (23, 1, .iode), (24, 4, .toe), (28, 4, .rootA),
        (32, 4, .e), (36, 4, .omega), (40, 2, .deltaN), (42, 2, .iDot), (44, 4, .m0),
        (48, 4, .omega0), (52, 4, .omegaDot), (56, 4, .i0), (60, 4, .cuc), (64, 4, .cus),
        (68, 4, .crc), (72, 4, .crs), (76, 4, .cic), (80, 4, .cis),
    ]

    private static let mgaGLONASS: [MGAField] = [
        (4, 1, .ft), (6, 1, .m), (7, 1, .channel), (8, 4, .x), (12, 4, .y), (16, 4, .z),
        (20, 4, .dx), (24, 4, .dy), (28, 4, .dz), (32, 1, .ddx), (33, 1, .ddy), (34, 1, .ddz),
        (35, 1, .tb), (36, 2, .af1), (38, 1, .en), (39, 1, .deltaTau), (40, 4, .af0),
    ]
}

private typealias MGAField = (offset: Int, width: Int, NavigationParameter)

extension NavigationNumbers {
    /// Returns the frame of an assistance message: its number, its type and version 0, then the
    /// numbers as the satellite sent them, in two's complement.
    fileprivate func assistance(
        _ number: UInt8, type: UInt8, svid: UInt8 = 0, _ fields: [MGAField], size: Int
    ) -> [UInt8] {
        var payload = [UInt8](repeating: 0, count: size)
        (payload[0], payload[2]) = (type, svid)
        for (offset, width, parameter) in fields {
            let bytes = self[parameter].littleEndianBytes
            for index in 0..<width { payload[offset + index] = bytes[index] }
        }
        return UBXFrame.bytes(UBXMessageID(0x13, number), payload: payload)
    }
}

/// System parameters for u-blox's receivers: `MGA-GPS-UTC`, `MGA-GPS-IONO` and those of Galileo and
/// BeiDou.
extension SystemParameters {
    /// The frame of the message that assists a receiver; `nil` if there is none for these parameters.
    var assistance: [UInt8]? {
        // The messages with GPS's parameters have no place for another system.
        guard satellite.constellation != .qzss else { return nil }
        return switch (message, kind) {
        case (.lnav, .utc): numbers.assistance(0x00, type: 5, Self.mgaUTC, size: 20)
        case (.inav, .utc): numbers.assistance(0x02, type: 5, Self.mgaUTC, size: 20)
        case (.d1, .utc): beiDouUTC
        case (.lnav, .ionosphere): numbers.assistance(0x00, type: 6, Self.mgaIonosphere, size: 16)
        case (.d1, .ionosphere): numbers.assistance(0x03, type: 6, Self.mgaIonosphere, size: 16)
        default: nil
        }
    }

    /// BeiDou's message has the week of reception, in eight bits, in place of a reference time.
    private var beiDouUTC: [UInt8] {
        var numbers = numbers
        numbers[.tot] = 0
        numbers[.wnt] = (time / Ephemeris.week - 1356) & 255
        return numbers.assistance(0x03, type: 5, Self.mgaUTC, size: 20)
    }

    private static let mgaUTC: [MGAField] = [
        (4, 4, .a0), (8, 4, .a1), (12, 1, .deltaLS), (13, 1, .tot), (14, 1, .wnt), (15, 1, .wnLSF),
        (16, 1, .dn), (17, 1, .deltaLSF),
    ]

    private static let mgaIonosphere: [MGAField] = [
        (4, 1, .alpha0), (5, 1, .alpha1), (6, 1, .alpha2), (7, 1, .alpha3), (8, 1, .beta0),
        (9, 1, .beta1), (10, 1, .beta2), (11, 1, .beta3),
    ]
}
