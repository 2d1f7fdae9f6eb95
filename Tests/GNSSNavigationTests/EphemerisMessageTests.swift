// SPDX-License-Identifier: MIT
import GNSS
import GNSSNavigation
import GPSTestTraits
import Testing
import UBX

@Suite(
    .timeLimit(.generous),
    .enabled(if: !NavigationRecordings.names.isEmpty, "recordings with known answers are not here"))
struct EphemerisMessageTests {
    @Test(arguments: NavigationRecordings.names)
    func `an ephemeris is the same in a message of RTCM 3`(_ name: String) throws {
        var count = 0
        for case .ephemeris(let ephemeris) in try NavigationRecordings.results(of: name) {
            guard let (type, width, fields) = Self.layout(ephemeris) else { continue }
            var bits = BitString()
            bits.append(UInt32(type), width: 12)
            bits.append(UInt32(ephemeris.satellite.svid), width: width)
            for field in fields.split(separator: " ") {
                let parts = field.split(separator: ":")
                let parameter = NavigationParameter.allCases.first { "\($0)" == parts[0] }
                let width = try #require(Int(parts[1]))
                var number = parameter.map { ephemeris.numbers[$0] } ?? 0
                if parameter == .channel { number += 7 }
                if parameter == .bn { number >>= 2 }
                if parts.count > 2, number < 0 { number = 1 << (width - 1) - number }
                bits.append(UInt32(truncatingIfNeeded: number), width: width)
            }
            var payload: [UInt8] = []
            for start in stride(from: 0, to: bits.count, by: 8) {
                payload.append(UInt8(bits.number(start, 8)))
            }
            // The receiver got the message up to an hour before the reference time.
            let time = GPSTime(
                week: ephemeris.toe / 604_800,
                nanoseconds: Int64(max(0, ephemeris.toe % 604_800 - 3600)) * 1_000_000_000)
            let read = try #require(Ephemeris(rtcm: payload, near: time))
            #expect(read.satellite == ephemeris.satellite && read.toe == ephemeris.toe)
            #expect(read.toc == ephemeris.toc && read.issue == ephemeris.issue)
            for column in NavigationParameter.allCases where read.numbers[column] != 0 {
                let isPart = column == .bn || column == .week || column == .n4
                #expect(
                    read.numbers[column] == ephemeris.numbers[column] || isPart,
                    "\(ephemeris.satellite) \(column)")
            }
            #expect(Ephemeris(rtcm: payload.dropLast(), near: time) == nil)
            count += 1
        }
        #expect(count > 0)
    }

    /// The type of a message, the width of the satellite's number, and the numbers with their
    /// widths; those with a third part have a sign and a magnitude.
    private static func layout(_ ephemeris: Ephemeris) -> (Int, Int, String)? {
        let orbit =
            "crs:16 deltaN:16 m0:32 cuc:16 e:32 cus:16 rootA:32 toe:16 cic:16 omega0:32 cis:16 i0:32 "
            + "crc:16 omega:32 omegaDot:24 "
        let gal =
            "week:12 iode:10 accuracy:8 iDot:14 toc:14 af2:6 af1:21 af0:31 "
            + orbit.replacing("toe:16", with: "toe:14") + "tgd1:10 "
        switch (ephemeris.message, ephemeris.satellite.constellation) {
        case (.lnav, .gps):
            return (
                1019, 6,
                "week:10 accuracy:4 codeOnL2:2 iDot:14 iode:8 toc:16 af2:8 af1:16 af0:22 iodc:10 "
                    + orbit + "tgd1:8 health:6 l2P:1 fit:1"
            )
        case (.lnav, _):
            return (
                1044, 4,
                "toc:16 af2:8 af1:16 af0:22 iode:8 " + orbit
                    + "iDot:14 codeOnL2:2 week:10 accuracy:4 health:6 tgd1:8 iodc:10 fit:1"
            )
        case (.inav, _): return (1046, 6, gal + "tgd2:10 hsE5b:2 dvsE5b:1 hsE1:2 dvsE1:1 spare:2")
        case (.fnav, _): return (1045, 6, gal + "hsE5a:2 dvsE5a:1 spare:7")
        case (.d1, _):
            let wide = ["crs", "cuc", "cus", "cic", "cis", "crc"].reduce(orbit) {
                $0.replacing("\($1):16", with: "\($1):18")
            }
            return (
                1042, 6,
                "week:13 accuracy:4 iDot:14 iode:5 toc:17 af2:11 af1:22 af0:24 iodc:5 "
                    + wide.replacing("toe:16", with: "toe:17") + "tgd1:10 tgd2:10 health:1"
            )
        case (.fdma, _):
            return (
                1020, 6,
                "channel:5 cn:1 valid:1 p1:2 tk:12 bn:1 p2:1 tb:7 dx:24:g x:27:g ddx:5:g dy:24:g "
                    + "y:27:g ddy:5:g dz:24:g z:27:g ddz:5:g p3:1 af1:11:g p:2 ln:1 af0:22:g "
                    + "deltaTau:5:g en:5 p4:1 ft:4 nt:11 m:2 more:1 na:11 tauC:32 n4:5 tauGPS:22 "
                    + "ln:1 spare:7"
            )
        case (.d2, _): return nil
        }
    }
}

@Suite(
    .timeLimit(.generous),
    .enabled(if: !NavigationRecordings.names.isEmpty, "recordings with known answers are not here"))
struct AssistanceDataTests {
    /// The ephemerides and parameters of a recording, and the time of the last ephemeris's sending.
    private func data(
        of name: String
    ) throws -> (ephemerides: [Ephemeris], data: AssistanceData, now: Int) {
        let results = try NavigationRecordings.results(of: name)
        var (ephemerides, data): ([Ephemeris], AssistanceData) = ([], AssistanceData())
        for case .ephemeris(let ephemeris) in results { ephemerides.append(ephemeris) }
        let now = try #require(ephemerides.compactMap(\.sent).max())
        for ephemeris in ephemerides { data.add(ephemeris, at: now) }
        for case .parameters(let parameters) in results { data.add(parameters) }
        return (ephemerides, data, now)
    }

    @Test(arguments: NavigationRecordings.names)
    func `two ephemerides of a satellite agree where it is between them`(_ name: String) throws {
        var last: [SatelliteID: Ephemeris] = [:]
        for ephemeris in try data(of: name).ephemerides {
            let time = Double(ephemeris.toe)
            let radius = ephemeris.position(at: time).length / 1000
            #expect(23_500...46_000 ~= radius, "\(ephemeris.satellite): \(radius) km")
            defer { last[ephemeris.satellite] = ephemeris }
            guard let before = last[ephemeris.satellite], before.message == ephemeris.message,
                before.isHealthy, ephemeris.isHealthy
            else { continue }
            let middle = (Double(before.toe) + time) / 2
            let error = (before.position(at: middle) - ephemeris.position(at: middle)).length
            #expect(error < 30, "\(ephemeris.satellite) \(ephemeris.message): \(error) m")
        }
    }

    @Test(arguments: NavigationRecordings.names)
    func `stored data gives the same messages as before`(_ name: String) throws {
        let (_, data, now) = try data(of: name)
        let frames = data.frames(at: now, for: nil, nil)
        #expect(!frames.ephemerides.isEmpty)
        let read = AssistanceData(rinex: data.rinex(at: now), at: now).frames(
            at: now, for: nil, nil)
        #expect(Set(read.ephemerides) == Set(frames.ephemerides))
        // A header has no leap seconds of BeiDou (class 13, id 03, type 5), which differ.
        let known = frames.parameters.filter { !($0[3] == 3 && $0[6] == 5) }
        #expect(Set(read.parameters) == Set(known))
    }

    @Test(arguments: NavigationRecordings.names)
    func `an old ephemeris and one of the future are never used`(_ name: String) throws {
        let (ephemerides, data, now) = try data(of: name)
        for shift in [-7 * 86_400, -86_400, 7 * 3600, 86_400, 7 * 86_400] {
            #expect(data.frames(at: now + shift, for: nil, nil).ephemerides.isEmpty)
            var other = AssistanceData()
            for ephemeris in ephemerides { other.add(ephemeris, at: now + shift) }
            #expect(other.isEmpty)
        }
    }

    @Test func `satellites below the horizon, and of other constellations, are left out`() throws {
        // The simulated receiver was at 30° N 95° E.
        let (_, data, now) = try data(of: "f9p-l1l5-simulator")
        func count(_ latitude: Double, _ longitude: Double, _ systems: Set<Constellation>?) -> Int {
            let place = Coordinate(latitude: latitude, longitude: longitude)
            return data.frames(at: now, for: (place, 10_000), systems).ephemerides.count
        }
        let all = data.frames(at: now, for: nil, nil).ephemerides.count
        #expect(count(30, 95, nil) == all)
        #expect(count(-30, -85, nil) < all / 4)
        let gps = count(30, 95, [.gps])
        #expect(gps > 5 && gps + count(30, 95, [.galileo]) == all)
        #expect(count(30, 95, [.glonass]) == 0)
    }
}
