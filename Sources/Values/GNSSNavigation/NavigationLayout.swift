// SPDX-License-Identifier: MIT

/// A number in a navigation message, under the name that most interface documents give it.
package enum NavigationParameter: Int, CaseIterable, Sendable {
    // The satellite's clock. GLONASS calls `af0` τ, with the other sign, and `af1` γ.
    case toc, af0, af1, af2, tgd1, tgd2
    // The orbit, as an ellipse with corrections.
    case toe, rootA, e, i0, omega0, omega, m0, deltaN, iDot, omegaDot
    case cuc, cus, crc, crs, cic, cis
    // The orbit of a GLONASS satellite: position, velocity and acceleration.
    case x, y, z, dx, dy, dz, ddx, ddy, ddz
    // The message. BeiDou calls `iode` AODE and `iodc` AODC; Galileo calls `iode` IODnav.
    case week, tow, iode, iodc, aodo, accuracy, health
    case codeOnL2, l2P, fit
    case hsE1, dvsE1, hsE5a, dvsE5a, hsE5b, dvsE5b
    case channel, tb, tk, nt, n4, na, p, p1, p2, p3, p4, bn, ln, m, ft, en, deltaTau
    // The ionosphere, and the differences between times.
    case alpha0, alpha1, alpha2, alpha3, beta0, beta1, beta2, beta3
    case a0, a1, tot, wnt, deltaLS, wnLSF, dn, deltaLSF, tauC, tauGPS
    // The almanac, and corrections of other satellites.
    case toa, wna, deltaI, availability
}

/// The place of a number in a message, and how to read it.
struct NavigationField: Sendable {
    /// Adjacent bits in a page of a message. A number may be divided into several such parts.
    typealias Part = (page: Int, start: Int, width: Int)

    enum Sign { case unsigned, twosComplement, signAndMagnitude }

    let parameter: NavigationParameter
    let sign: Sign
    /// The unit of the number: semicircles, seconds and metres are 1; for GLONASS, kilometres.
    let unit: Double
    let isAngle: Bool
    let parts: [Part]

    /// The same unit with angles in radians.
    var scale: Double { isAngle ? unit * 3.1415926535898 : unit }

    var width: Int { parts.reduce(0) { $0 + $1.width } }

    /// Returns the number for bits that were read as an unsigned number.
    func number(_ bits: Int) -> Int {
        let top = 1 << (width - 1)
        guard sign != .unsigned, bits & top != 0 else { return bits }
        return sign == .twosComplement ? bits - 2 * top : top - bits
    }

    /// Reads the number from a page; bits of other pages are not considered.
    func number(in page: BitString) -> Int {
        number(parts.reduce(0) { $0 << $1.width | page.number($1.start, $1.width) })
    }

    /// Returns the field with the same meaning at another place.
    private func moved(to parts: [Part]) -> NavigationField {
        NavigationField(
            parameter: parameter, sign: sign, unit: unit, isAngle: isAngle, parts: parts)
    }

    private typealias Name = NavigationParameter

    private static func u(_ name: Name, _ parts: Part..., scale: Double = 1) -> Self {
        Self(parameter: name, sign: .unsigned, unit: scale, isAngle: false, parts: parts)
    }

    private static func s(_ name: Name, _ parts: Part..., scale: Double = 1) -> Self {
        Self(parameter: name, sign: .twosComplement, unit: scale, isAngle: false, parts: parts)
    }

    /// An angle or its rate of change, sent in semicircles.
    private static func a(_ name: Name, _ parts: Part..., scale: Double) -> Self {
        Self(parameter: name, sign: .twosComplement, unit: scale, isAngle: true, parts: parts)
    }

    /// GLONASS numbers the 85 bits of a string from the last one.
    private static func glonass(
        _ name: Name, _ string: Int, _ high: Int, _ low: Int, _ sign: Sign = .signAndMagnitude,
        scale: Double = 1
    ) -> Self {
        let part = (page: string, start: 85 - high, width: high - low + 1)
        return Self(parameter: name, sign: sign, unit: scale, isAngle: false, parts: [part])
    }

    static let lnav: [NavigationField] = [
        u(.tow, (1, 24, 17), scale: 6), u(.week, (1, 48, 10)), u(.codeOnL2, (1, 58, 2)),
        u(.accuracy, (1, 60, 4)), u(.health, (1, 64, 6)), u(.iodc, (1, 70, 2), (1, 168, 8)),
        u(.l2P, (1, 72, 1)), s(.tgd1, (1, 160, 8), scale: 0x1p-31),
        u(.toc, (1, 176, 16), scale: 16), s(.af2, (1, 192, 8), scale: 0x1p-55),
        s(.af1, (1, 200, 16), scale: 0x1p-43), s(.af0, (1, 216, 22), scale: 0x1p-31),
        u(.iode, (2, 48, 8)), s(.crs, (2, 56, 16), scale: 0x1p-5),
        a(.deltaN, (2, 72, 16), scale: 0x1p-43), a(.m0, (2, 88, 32), scale: 0x1p-31),
        s(.cuc, (2, 120, 16), scale: 0x1p-29), u(.e, (2, 136, 32), scale: 0x1p-33),
        s(.cus, (2, 168, 16), scale: 0x1p-29), u(.rootA, (2, 184, 32), scale: 0x1p-19),
        u(.toe, (2, 216, 16), scale: 16), u(.fit, (2, 232, 1)),
        s(.cic, (3, 48, 16), scale: 0x1p-29), a(.omega0, (3, 64, 32), scale: 0x1p-31),
        s(.cis, (3, 96, 16), scale: 0x1p-29), a(.i0, (3, 112, 32), scale: 0x1p-31),
        s(.crc, (3, 144, 16), scale: 0x1p-5), a(.omega, (3, 160, 32), scale: 0x1p-31),
        a(.omegaDot, (3, 192, 24), scale: 0x1p-43), a(.iDot, (3, 224, 14), scale: 0x1p-43),
    ]

    static let inav: [NavigationField] = [
        u(.iode, (1, 6, 10)), u(.toe, (1, 16, 14), scale: 60), a(.m0, (1, 30, 32), scale: 0x1p-31),
        u(.e, (1, 62, 32), scale: 0x1p-33), u(.rootA, (1, 94, 32), scale: 0x1p-19),
        a(.omega0, (2, 16, 32), scale: 0x1p-31), a(.i0, (2, 48, 32), scale: 0x1p-31),
        a(.omega, (2, 80, 32), scale: 0x1p-31), a(.iDot, (2, 112, 14), scale: 0x1p-43),
        a(.omegaDot, (3, 16, 24), scale: 0x1p-43), a(.deltaN, (3, 40, 16), scale: 0x1p-43),
        s(.cuc, (3, 56, 16), scale: 0x1p-29), s(.cus, (3, 72, 16), scale: 0x1p-29),
        s(.crc, (3, 88, 16), scale: 0x1p-5), s(.crs, (3, 104, 16), scale: 0x1p-5),
        u(.accuracy, (3, 120, 8)),
        s(.cic, (4, 22, 16), scale: 0x1p-29), s(.cis, (4, 38, 16), scale: 0x1p-29),
        u(.toc, (4, 54, 14), scale: 60), s(.af0, (4, 68, 31), scale: 0x1p-34),
        s(.af1, (4, 99, 21), scale: 0x1p-46), s(.af2, (4, 120, 6), scale: 0x1p-59),
        s(.tgd1, (5, 47, 10), scale: 0x1p-32), s(.tgd2, (5, 57, 10), scale: 0x1p-32),
        u(.hsE5b, (5, 67, 2)), u(.hsE1, (5, 69, 2)), u(.dvsE5b, (5, 71, 1)), u(.dvsE1, (5, 72, 1)),
        u(.week, (5, 73, 12)), u(.tow, (5, 85, 20)),
    ]

    static let fnav: [NavigationField] =
        moved(
            inav,
            [
                .iode: [(1, 12, 10)], .toc: [(1, 22, 14)], .af0: [(1, 36, 31)],
                .af1: [(1, 67, 21)], .af2: [(1, 88, 6)], .accuracy: [(1, 94, 8)],
                .tgd1: [(1, 143, 10)], .week: [(1, 155, 12)], .tow: [(1, 167, 20)],
                .m0: [(2, 16, 32)], .omegaDot: [(2, 48, 24)], .e: [(2, 72, 32)],
                .rootA: [(2, 104, 32)], .omega0: [(2, 136, 32)], .iDot: [(2, 168, 14)],
                .i0: [(3, 16, 32)], .omega: [(3, 48, 32)], .deltaN: [(3, 80, 16)],
                .cuc: [(3, 96, 16)], .cus: [(3, 112, 16)], .crc: [(3, 128, 16)],
                .crs: [(3, 144, 16)], .toe: [(3, 160, 14)],
                .cic: [(4, 16, 16)], .cis: [(4, 32, 16)],
            ]) + [u(.hsE5a, (1, 153, 2)), u(.dvsE5a, (1, 187, 1))]

    static let fdma: [NavigationField] = [
        glonass(.p1, 1, 78, 77, .unsigned), glonass(.tk, 1, 76, 65, .unsigned),
        glonass(.bn, 2, 80, 78, .unsigned), glonass(.p2, 2, 77, 77, .unsigned),
        glonass(.tb, 2, 76, 70, .unsigned, scale: 900),
        glonass(.p3, 3, 80, 80, .unsigned), glonass(.af1, 3, 79, 69, scale: 0x1p-40),
        glonass(.p, 3, 67, 66, .unsigned), glonass(.ln, 3, 65, 65, .unsigned),
        glonass(.af0, 4, 80, 59, scale: -0x1p-30), glonass(.deltaTau, 4, 58, 54, scale: 0x1p-30),
        glonass(.en, 4, 53, 49, .unsigned), glonass(.p4, 4, 34, 34, .unsigned),
        glonass(.ft, 4, 33, 30, .unsigned), glonass(.nt, 4, 26, 16, .unsigned),
        glonass(.m, 4, 10, 9, .unsigned),
        glonass(.dx, 1, 64, 41, scale: 0x1p-20), glonass(.dy, 2, 64, 41, scale: 0x1p-20),
        glonass(.dz, 3, 64, 41, scale: 0x1p-20), glonass(.ddx, 1, 40, 36, scale: 0x1p-30),
        glonass(.ddy, 2, 40, 36, scale: 0x1p-30), glonass(.ddz, 3, 40, 36, scale: 0x1p-30),
        glonass(.x, 1, 35, 9, scale: 0x1p-11), glonass(.y, 2, 35, 9, scale: 0x1p-11),
        glonass(.z, 3, 35, 9, scale: 0x1p-11),
    ]

    static let d1: [NavigationField] = [
        u(.tow, (1, 18, 8), (1, 30, 12)), u(.health, (1, 42, 1)), u(.iodc, (1, 43, 5)),
        u(.accuracy, (1, 48, 4)), u(.week, (1, 60, 13)),
        u(.toc, (1, 73, 9), (1, 90, 8), scale: 8), s(.tgd1, (1, 98, 10), scale: 1e-10),
        s(.tgd2, (1, 108, 4), (1, 120, 6), scale: 1e-10), s(.af2, (1, 214, 11), scale: 0x1p-66),
        s(.af0, (1, 225, 7), (1, 240, 17), scale: 0x1p-33),
        s(.af1, (1, 257, 5), (1, 270, 17), scale: 0x1p-50), u(.iode, (1, 287, 5)),
        a(.deltaN, (2, 42, 10), (2, 60, 6), scale: 0x1p-43),
        s(.cuc, (2, 66, 16), (2, 90, 2), scale: 0x1p-31),
        a(.m0, (2, 92, 20), (2, 120, 12), scale: 0x1p-31),
        u(.e, (2, 132, 10), (2, 150, 22), scale: 0x1p-33), s(.cus, (2, 180, 18), scale: 0x1p-31),
        s(.crc, (2, 198, 4), (2, 210, 14), scale: 0x1p-6),
        s(.crs, (2, 224, 8), (2, 240, 10), scale: 0x1p-6),
        u(.rootA, (2, 250, 12), (2, 270, 20), scale: 0x1p-19),
        u(.toe, (2, 290, 2), (3, 42, 10), (3, 60, 5), scale: 8),
        a(.i0, (3, 65, 17), (3, 90, 15), scale: 0x1p-31),
        s(.cic, (3, 105, 7), (3, 120, 11), scale: 0x1p-31),
        a(.omegaDot, (3, 131, 11), (3, 150, 13), scale: 0x1p-43),
        s(.cis, (3, 163, 9), (3, 180, 9), scale: 0x1p-31),
        a(.iDot, (3, 189, 13), (3, 210, 1), scale: 0x1p-43),
        a(.omega0, (3, 211, 21), (3, 240, 11), scale: 0x1p-31),
        a(.omega, (3, 251, 11), (3, 270, 21), scale: 0x1p-31),
    ]

    static let d2: [NavigationField] = moved(
        d1,
        [
            .tow: [(1, 18, 8), (1, 30, 12)], .health: [(1, 46, 1)], .iodc: [(1, 47, 5)],
            .accuracy: [(1, 60, 4)], .week: [(1, 64, 13)], .toc: [(1, 77, 5), (1, 90, 12)],
            .tgd1: [(1, 102, 10)], .tgd2: [(1, 120, 10)], .af0: [(3, 100, 12), (3, 120, 12)],
            .af1: [(3, 132, 4), (4, 46, 6), (4, 60, 12)], .af2: [(4, 72, 10), (4, 90, 1)],
            .iode: [(4, 91, 5)], .deltaN: [(4, 96, 16)], .cuc: [(4, 120, 14), (5, 46, 4)],
            .m0: [(5, 50, 2), (5, 60, 22), (5, 90, 8)], .cus: [(5, 98, 14), (5, 120, 4)],
            .e: [(5, 124, 10), (6, 46, 6), (6, 60, 16)],
            .rootA: [(6, 76, 6), (6, 90, 22), (6, 120, 4)],
            .cic: [(6, 124, 10), (7, 46, 6), (7, 60, 2)], .cis: [(7, 62, 18)],
            .toe: [(7, 80, 2), (7, 90, 15)],
            .i0: [(7, 105, 7), (7, 120, 14), (8, 46, 6), (8, 60, 5)],
            .crc: [(8, 65, 17), (8, 90, 1)], .crs: [(8, 91, 18)],
            .omegaDot: [(8, 109, 3), (8, 120, 16), (9, 46, 5)],
            .omega0: [(9, 51, 1), (9, 60, 22), (9, 90, 9)],
            .omega: [(9, 99, 13), (9, 120, 14), (10, 46, 5)], .iDot: [(10, 51, 1), (10, 60, 13)],
        ])

    /// The fields of `fields` that another message also has, at its places.
    private static func moved(
        _ fields: [NavigationField], _ places: [NavigationParameter: [Part]]
    ) -> [NavigationField] {
        fields.compactMap { field in places[field.parameter].map { field.moved(to: $0) } }
    }

    // The ionosphere and the differences between times.

    static let lnavParameters: [NavigationField] =
        klobuchar(
            [56, 64, 72, 80, 88, 96, 104, 112].map { [(LNAVSubframe.parameters, $0, 8)] })
        + utc(
            LNAVSubframe.parameters, a0: (144, 32), a1: (120, 24),
            leap: [192, 200, 208, 216], day: 8)
        + [
            u(.tot, (LNAVSubframe.parameters, 176, 8), scale: 4096),
            u(.wnt, (LNAVSubframe.parameters, 184, 8)),
        ]

    /// The fields of LNAV that neither an ephemeris nor system parameters need.
    static let lnavOthers: [NavigationField] = [
        u(.aodo, (2, 233, 5), scale: 900), u(.iode, (3, 216, 8)),
        u(.toa, (51, 56, 8), scale: 4096), u(.wna, (51, 64, 8)), u(.availability, (52, 56, 2)),
        u(.e, (LNAVSubframe.almanac, 56, 16), scale: 0x1p-21),
        u(.toa, (LNAVSubframe.almanac, 72, 8), scale: 4096),
        a(.deltaI, (LNAVSubframe.almanac, 80, 16), scale: 0x1p-19),
        a(.omegaDot, (LNAVSubframe.almanac, 96, 16), scale: 0x1p-38),
        u(.health, (LNAVSubframe.almanac, 112, 8)),
        u(.rootA, (LNAVSubframe.almanac, 120, 24), scale: 0x1p-11),
        a(.omega0, (LNAVSubframe.almanac, 144, 24), scale: 0x1p-23),
        a(.omega, (LNAVSubframe.almanac, 168, 24), scale: 0x1p-23),
        a(.m0, (LNAVSubframe.almanac, 192, 24), scale: 0x1p-23),
        s(
            .af0, (LNAVSubframe.almanac, 216, 8), (LNAVSubframe.almanac, 235, 3),
            scale: 0x1p-20),
        s(.af1, (LNAVSubframe.almanac, 224, 11), scale: 0x1p-38),
    ]

    static let inavIonosphere: [NavigationField] = [
        u(.alpha0, (5, 6, 11), scale: 0x1p-2), s(.alpha1, (5, 17, 11), scale: 0x1p-8),
        s(.alpha2, (5, 28, 14), scale: 0x1p-15),
    ]

    static let inavUTC: [NavigationField] =
        utc(6, a0: (6, 32), a1: (38, 24), leap: [62, 86, 94, 97], day: 3)
        + [u(.tot, (6, 70, 8), scale: 3600), u(.wnt, (6, 78, 8))]

    static let inavGPS: [NavigationField] = [
        s(.a0, (10, 86, 16), scale: 0x1p-35), s(.a1, (10, 102, 12), scale: 0x1p-51),
        u(.tot, (10, 114, 8), scale: 3600), u(.wnt, (10, 122, 6)),
    ]

    static let fdmaTime: [NavigationField] = [
        glonass(.na, 5, 80, 70, .unsigned), glonass(.tauC, 5, 69, 38, scale: 0x1p-31),
        glonass(.n4, 5, 36, 32, .unsigned), glonass(.tauGPS, 5, 31, 10, scale: 0x1p-30),
    ]

    static let d1Ionosphere: [NavigationField] = klobuchar([
        [(1, 126, 8)], [(1, 134, 8)], [(1, 150, 8)], [(1, 158, 8)], [(1, 166, 6), (1, 180, 2)],
        [(1, 182, 8)], [(1, 190, 8)], [(1, 198, 4), (1, 210, 4)],
    ])

    static let d1UTC: [NavigationField] = [
        s(.deltaLS, (10, 50, 2), (10, 60, 6)), s(.deltaLSF, (10, 66, 8)), u(.wnLSF, (10, 74, 8)),
        s(.a0, (10, 90, 22), (10, 120, 10), scale: 0x1p-30),
        s(.a1, (10, 130, 12), (10, 150, 12), scale: 0x1p-50), u(.dn, (10, 162, 8)),
    ]

    /// The coefficients of Klobuchar's model, in the order α0 to α3, β0 to β3.
    private static func klobuchar(_ places: [[Part]]) -> [NavigationField] {
        let names: [NavigationParameter] = [
            .alpha0, .alpha1, .alpha2, .alpha3, .beta0, .beta1, .beta2, .beta3,
        ]
        let scales = [0x1p-30, 0x1p-27, 0x1p-24, 0x1p-24, 0x1p11, 0x1p14, 0x1p16, 0x1p16]
        return zip(zip(names, scales), places).map {
            NavigationField(
                parameter: $0.0, sign: .twosComplement, unit: $0.1, isAngle: false, parts: $1)
        }
    }

    /// The difference to UTC, and the leap seconds: the present one, and the week, the day and the
    /// value of the next or last change.
    private static func utc(
        _ page: Int, a0: (Int, Int), a1: (Int, Int), leap: [Int], day: Int
    ) -> [NavigationField] {
        [
            s(.a0, (page, a0.0, a0.1), scale: 0x1p-30), s(.a1, (page, a1.0, a1.1), scale: 0x1p-50),
            s(.deltaLS, (page, leap[0], 8)), u(.wnLSF, (page, leap[1], 8)),
            u(.dn, (page, leap[2], day)), s(.deltaLSF, (page, leap[3], 8)),
        ]
    }
}

extension NavigationMessage {
    /// The fields of an ephemeris.
    var fields: [NavigationField] {
        switch self {
        case .lnav: NavigationField.lnav
        case .inav: NavigationField.inav
        case .fnav: NavigationField.fnav
        case .fdma: NavigationField.fdma
        case .d1: NavigationField.d1
        case .d2: NavigationField.d2
        }
    }

    /// The numbers that differ between two ephemerides of a satellite.
    var issue: [NavigationParameter] {
        switch self {
        case .lnav: [.iodc, .toe, .toc]
        case .inav, .fnav: [.iode, .toe]
        case .fdma: [.nt, .tb]
        case .d1, .d2: [.toe, .iode, .iodc]
        }
    }

    /// The number of weeks after which the number of the week is 0 again, and GPS's week when it
    /// first was 0; `nil` for GLONASS, which has no weeks.
    var weeks: (period: Int, first: Int)? {
        switch self {
        case .lnav: (1024, 0)
        case .inav, .fnav: (4096, 1024)
        case .d1, .d2: (8192, 1356)
        case .fdma: nil
        }
    }
}

/// The numbers that were read from a message, as they were sent.
package struct NavigationNumbers: Hashable, Sendable {
    private var numbers = [Int](repeating: 0, count: NavigationParameter.allCases.count)

    package subscript(parameter: NavigationParameter) -> Int {
        get { numbers[parameter.rawValue] }
        set { numbers[parameter.rawValue] = newValue }
    }

    init() {}

    /// Reads fields. Returns `nil` if a page is missing.
    init?(_ fields: [NavigationField], from pages: [Int: BitString]) {
        for field in fields {
            var bits = 0
            for part in field.parts {
                guard let page = pages[part.page] else { return nil }
                bits = bits << part.width | page.number(part.start, part.width)
            }
            self[field.parameter] = field.number(bits)
        }
    }
}
