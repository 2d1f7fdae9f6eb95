// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import NMEA
import UBX

/// Writes gpsd's object for a subframe of GPS's navigation message (`RXM-SFRBX`): `SUBFRAME`, with
/// scaled numbers, for gpssubframe.
enum SubframeReports {
    private typealias Member = (name: String, parameter: NavigationParameter)

    private static let clock: [Member] = [
        ("WN", .week), ("IODC", .iodc), ("L2", .codeOnL2), ("ura", .accuracy), ("hlth", .health),
        ("L2P", .l2P), ("Tgd", .tgd1), ("toc", .toc), ("af2", .af2), ("af1", .af1), ("af0", .af0),
    ]
    private static let orbit: [Member] = [
        ("IODE", .iode), ("Crs", .crs), ("deltan", .deltaN), ("M0", .m0), ("Cuc", .cuc),
        ("e", .e), ("Cus", .cus), ("sqrtA", .rootA), ("toe", .toe), ("FIT", .fit),
        ("AODO", .aodo),
    ]
    private static let plane: [Member] = [
        ("IODE", .iode), ("IDOT", .iDot), ("Cic", .cic), ("Omega0", .omega0), ("Cis", .cis),
        ("i0", .i0), ("Crc", .crc), ("omega", .omega), ("Omegad", .omegaDot),
    ]
    private static let almanac: [Member] = [
        ("Health", .health), ("e", .e), ("toa", .toa), ("deltai", .deltaI),
        ("Omegad", .omegaDot), ("sqrtA", .rootA), ("Omega0", .omega0), ("omega", .omega),
        ("M0", .m0), ("af0", .af0), ("af1", .af1),
    ]
    private static let ionosphere: [Member] = [
        ("a0", .alpha0), ("a1", .alpha1), ("a2", .alpha2), ("a3", .alpha3), ("b0", .beta0),
        ("b1", .beta1), ("b2", .beta2), ("b3", .beta3), ("A1", .a1), ("A0", .a0), ("tot", .tot),
        ("WNt", .wnt), ("ls", .deltaLS), ("WNlsf", .wnLSF), ("DN", .dn), ("lsf", .deltaLSF),
    ]

    /// Returns a `SUBFRAME`; `nil` for other messages and satellites, damaged ones, and reserved
    /// pages.
    static func line(_ frame: borrowing UBXFrame, _ device: String) -> [UInt8]? {
        guard frame.id == RxmSFRBX.id, let message = RxmSFRBX(frame),
            let subframe = LNAVSubframe(message), subframe.satellite.constellation == .gps
        else { return nil }
        var text = TextBuffer()
        text.append(#"{"class":"SUBFRAME","device":"#)
        text.append(json: device)
        text.append(#","gnssId":0,"tSV":"#, Int(subframe.satellite.svid))
        text.append(#","frame":"#, subframe.number)
        text.append(#","TOW17":"#, subframe.end)
        text.append(#","scaled":true"#)
        if let contents = subframe.contents { text.append(#","dataid":"#, contents) }
        if let (name, members) = object(subframe) {
            text.append(name)
            var separator: StaticString = "{"
            for (name, value) in members {
                text.append(separator)
                separator = ","
                text.append(json: name)
                text.append(":")
                text.append(text: Int(exactly: value)?.description ?? value.description)
            }
            text.append("}")
        } else if subframe.number == 4, let message = subframe.text {
            text.append(#","system_message":"#)
            text.append(json: message)
        } else {
            return nil
        }
        text.append("}\r\n")
        return text.array
    }

    /// The object in a `SUBFRAME` and its members; `nil` for text and reserved pages.
    private static func object(
        _ subframe: LNAVSubframe
    ) -> (name: StaticString, members: [(String, Double)])? {
        func values(_ members: [Member]) -> [(String, Double)] {
            members.compactMap { member in
                subframe.value(member.parameter).map { (member.name, $0) }
            }
        }
        func values(
            _ list: LNAVSubframe.List, _ name: String, from first: Int = 1
        ) -> [(String, Double)] {
            subframe.numbers(list).enumerated().map { ("\(name)\($0 + first)", Double($1)) }
        }
        switch (subframe.number, subframe.contents) {
        case (1, _): return (#","EPHEM1":"#, values(clock))
        case (2, _): return (#","EPHEM2":"#, values(orbit))
        case (3, _): return (#","EPHEM3":"#, values(plane))
        case (_, .some(let id)) where 1...32 ~= id:
            return (#","ALMANAC":"#, [("ID", Double(id))] + values(almanac))
        case (4, 52):
            let corrections = subframe.corrections.map { ("ERD\($0)", Double($1 * 3) / 10) }
            return (#","NMCT":"#, values([("ai", .availability)]) + corrections)
        case (4, 56): return (#","IONO":"#, values(ionosphere))
        case (4, 63):
            return (
                #","HEALTH":"#, values(.configurations, "SV") + values(.healths, "SVH", from: 25)
            )
        case (5, 51):
            return (
                #","HEALTH2":"#, values([("toa", .toa), ("WNa", .wna)]) + values(.healths, "SVH")
            )
        default: return nil
        }
    }
}
