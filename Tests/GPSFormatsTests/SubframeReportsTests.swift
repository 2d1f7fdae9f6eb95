// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import GPSFormats
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous)) struct SubframeReportsTests {
    private static func lines(_ messages: [RxmSFRBX?], subframes: Bool = true) -> [String] {
        var reports = RawReports()
        var lines: [String] = []
        for message in messages {
            guard let message else { continue }
            reports.push(message.frame, device: "/dev/a", subframes: subframes) {
                #expect($1)
                lines.append(String(decoding: $0, as: UTF8.self))
            }
        }
        return lines
    }

    /// A recorded subframe of satellite 26, from its words.
    private static func recorded(_ words: String) -> RxmSFRBX {
        var message = RxmSFRBX()
        message.svid = 26
        message.words = words.split(separator: " ").map {
            var word = RxmSFRBX.Word()
            word.bits = UInt32($0, radix: 16) ?? 0
            return word
        }
        return message
    }

    private static let health = recorded(
        "22C0FB13 280A0D23 1CC3FF2A BF000008 00000000 "
            + "00000000 00000000 00000000 00000000 00000000"
    )

    @Test func `an ephemeris has gpsd's names and units, with angles in semicircles`() throws {
        let sent = 2400 * 604_800
        let semicircle = 3.1415926535898
        let satellite = try #require(SatelliteID(.gps, 7))
        let ephemeris = try #require(
            Ephemeris(
                simulated: satellite, .lnav, sent: sent,
                [
                    .iodc: 261, .iode: 5, .accuracy: 1, .tgd1: -0x1p-29, .toc: 7200, .toe: 7200,
                    .af0: -0x1p-12, .af1: 0x1p-40, .rootA: 5153.5, .e: 0x1p-7,
                    .m0: -0.5 * semicircle, .omega0: 0.25 * semicircle, .i0: 0.3125 * semicircle,
                    .omegaDot: -0x1p-28 * semicircle, .crs: -38.90625, .cic: 0x1p-23,
                ]))
        let expected = [
            #"""
            1,"TOW17":6,"scaled":true,"EPHEM1":{"WN":352,"IODC":261,"L2":0,"ura":1,"hlth":0,\#
            "L2P":0,"Tgd":-1.862645149230957e-09,"toc":7200,"af2":0,"af1":9.094947017729282e-13,\#
            "af0":-0.000244140625}}
            """#,
            #"""
            2,"TOW17":12,"scaled":true,"EPHEM2":{"IODE":5,"Crs":-38.90625,"deltan":0,"M0":-0.5,\#
            "Cuc":0,"e":0.0078125,"Cus":0,"sqrtA":5153.5,"toe":7200,"FIT":0,"AODO":0}}
            """#,
            #"""
            3,"TOW17":18,"scaled":true,"EPHEM3":{"IODE":5,"IDOT":0,"Cic":1.1920928955078125e-07,\#
            "Omega0":0.25,"Cis":0,"i0":0.3125,"Crc":0,"omega":0,"Omegad":-3.725290298461914e-09}}
            """#,
        ]
        let head = #"{"class":"SUBFRAME","device":"/dev/a","gnssId":0,"tSV":7,"frame":"#
        let messages = (1...5).map { ephemeris.message(endingAt: sent + 6 * $0) }
        #expect(Self.lines(messages) == expected.map { head + $0 + "\r\n" })
    }

    @Test(
        arguments: [
            (
                "22C0FB13 28028DFB 134FEF91 83C4B2F5 BF588008 "
                    + "28433694 3FC7E6F6 8998EA15 BD1DBB3C 14400D1B",
                #"""
                5,"TOW17":491640,"scaled":true,"dataid":13,"ALMANAC":{"ID":13,"Health":0,\#
                "e":0.007781028747558594,"toa":61440,"deltai":0.009176254272460938,\#
                "Omegad":-2.4374458007514477e-09,"sqrtA":5153.6064453125,\#
                "Omega0":-0.006847977638244629,"omega":0.29991626739501953,\#
                "M0":-0.09012079238891602,\#
                "af0":0.0006227493286132812,"af1":3.637978807091713e-12}
                """#
            ),
            (
                "22C0FB13 28058CCB 1E04FFDF 3FC08FF7 3E407ED4 "
                    + "0000010B 00000000 0083FF34 04A241CF 048000F0",
                #"""
                4,"TOW17":491784,"scaled":true,"dataid":56,"IONO":{"a0":1.7695128917694092e-08,\#
                "a1":-7.450580596923828e-09,"a2":-5.960464477539063e-08,\#
                "a3":1.1920928955078125e-07,\#
                "b0":129024,"b1":-114688,"b2":65536,"b3":-327680,"A1":3.552713678800501e-15,\#
                "A0":1.862645149230957e-09,"tot":61440,"WNt":252,"ls":18,"WNlsf":137,"DN":7,\#
                "lsf":18}
                """#
            ),
            (
                "22C0FB13 2809EC4F 1FEE6F2F 2AEAEEC0 32A72A6D "
                    + "AB266663 32EEEF0A AAEAC01A 80FC0013 00000000",
                #"""
                4,"TOW17":491994,"scaled":true,"dataid":63,"HEALTH":{"SV1":11,"SV2":9,"SV3":11,\#
                "SV4":12,"SV5":10,"SV6":11,"SV7":10,"SV8":11,"SV9":11,"SV10":11,"SV11":12,\#
                "SV12":10,\#
                "SV13":9,"SV14":12,"SV15":10,"SV16":9,"SV17":10,"SV18":12,"SV19":9,"SV20":9,\#
                "SV21":9,\#
                "SV22":9,"SV23":12,"SV24":11,"SV25":11,"SV26":11,"SV27":11,"SV28":12,"SV29":10,\#
                "SV30":11,"SV31":10,"SV32":11,"SVH25":0,"SVH26":0,"SVH27":63,"SVH28":0,"SVH29":0,\#
                "SVH30":0,"SVH31":0,"SVH32":0}
                """#
            ),
            (
                "22C0FB13 280A0D23 1CC3FF2A BF000008 00000000 "
                    + "00000000 00000000 00000000 00000000 00000000",
                #"""
                5,"TOW17":492000,"scaled":true,"dataid":51,"HEALTH2":{"toa":61440,"WNa":252,\#
                "SVH1":63,\#
                "SVH2":0,"SVH3":0,"SVH4":0,"SVH5":0,"SVH6":0,"SVH7":0,"SVH8":0,"SVH9":0,"SVH10":0,\#
                "SVH11":0,"SVH12":0,"SVH13":0,"SVH14":0,"SVH15":0,"SVH16":0,"SVH17":0,"SVH18":0,\#
                "SVH19":0,"SVH20":0,"SVH21":0,"SVH22":0,"SVH23":0,"SVH24":0}
                """#
            ),
            (
                "22C0FB13 28026CC7 1D1AF0AB 284FBB19 B40E56EF "
                    + "03B65ECA 81D4EA8F 1E8572DA 9947167C 291B5A04",
                #"""
                4,"TOW17":491634,"scaled":true,"dataid":52,"NMCT":{"ai":1,"ERD1":-6.3,"ERD2":-4.8,\#
                "ERD3":-6.6,"ERD4":1.2,"ERD5":-0.6,"ERD6":-1.5,"ERD7":3.9,"ERD8":0,"ERD9":-2.1,\#
                "ERD10":6.6,"ERD11":-4.8,"ERD12":-1.5,"ERD13":7.5,"ERD14":9,"ERD15":-4.8,\#
                "ERD16":8.7,\#
                "ERD17":5.7,"ERD18":-6.6,"ERD19":-7.5,"ERD20":-7.2,"ERD21":6.3,"ERD22":-4.2,\#
                "ERD23":-3,"ERD24":6,"ERD25":8.4,"ERD27":6.6,"ERD28":7.8,"ERD29":5.1,"ERD30":-5.7,\#
                "ERD31":7.8}
                """#
            ),
            (
                "22C16E27 307E4C6B 1D2AAABC 2AAAAABC 2AAAAABC "
                    + "2AAAAABC 2AAAAABC 2AAAAABC 2AAAAABC 2AAAAABC",
                #"4,"TOW17":595884,"scaled":true,"dataid":52,"NMCT":{"ai":2}"#
            ),
            (
                "22C0FB13 2804EC2B 1DC9D0E9 8C50D31E 96945205 "
                    + "9312C813 13CD93CA 8AD2557C 10488CD4 11D040CF",
                #"""
                4,"TOW17":491754,"scaled":true,"dataid":55,\#
                "system_message":"'C1CLZQHLK O6O+IUA\"3GA"
                """#
            ),
        ])
    func `other pages are read as by gpsd`(words: String, expected: String) {
        let head = #"{"class":"SUBFRAME","device":"/dev/a","gnssId":0,"tSV":26,"frame":"#
        #expect(Self.lines([Self.recorded(words)]) == [head + expected + "}\r\n"])
    }

    @Test func `reserved pages, other messages and damaged ones are no subframes`() {
        let reserved = Self.recorded(
            "22C0FB13 28044CB7 1E5218A1 998F8432 B16F2A7A "
                + "BF690F76 B0E70683 04C64158 00A2E0B2 925B8970"
        )
        let health = Self.health
        var (damaged, short, qzss, other, unknown) = (health, health, health, health, health)
        damaged.words[9].bits = 0x40
        short.words.removeLast()
        qzss.gnssID = 5
        other.signalID = 4
        unknown.gnssID = 200
        #expect(Self.lines([reserved, damaged, short, qzss, other, unknown]).isEmpty)
        #expect(Self.lines([health]).count == 1)
    }

    @Test func `subframes are only decoded on request`() {
        #expect(Self.lines([Self.health], subframes: false).isEmpty)
    }
}
