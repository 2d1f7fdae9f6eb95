// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// Values of every kind, valid or not.
struct AnyValues {
    var number: Double
    var otherNumber: Double
    var integer: Int
    var letter: UInt8
    var text: String
    var coordinate: Coordinate
    var time: TimeOfDay?
    var date: CalendarDate?

    init(_ source: inout ByteSource) {
        number = Self.number(&source)
        otherNumber = Self.number(&source)
        integer = Int(truncatingIfNeeded: source.word()) >> source.number(below: 64)
        letter = source.byte()
        coordinate = Coordinate(
            latitude: Self.degrees(&source, 90), longitude: Self.degrees(&source, 180))
        time = TimeOfDay(
            hour: source.number(below: 24), minute: source.number(below: 60),
            second: source.number(below: 61), nanosecond: Int(source.word() % 1_000_000_000))
        date = CalendarDate(
            year: 1 + Int(source.word() % 9999), month: 1 + source.number(below: 12),
            day: 1 + source.number(below: 31))
        let scalars = source.rest.prefix(100).map { byte in
            // Some characters are outside Latin-1.
            Unicode.Scalar(byte < 0xF0 ? UInt32(byte) : 0x3B1 + UInt32(byte)) ?? "?"
        }
        text = String(String.UnicodeScalarView(scalars))
    }

    /// Any bits, or a number with a few decimals.
    static func number(_ source: inout ByteSource) -> Double {
        let isDecimal = source.byte() & 1 == 1
        let word = source.word()
        guard isDecimal else { return Double(bitPattern: word) }
        return Double(Int64(bitPattern: word) >> Int64(source.number(below: 64))) / 1000
    }

    private static func degrees(_ source: inout ByteSource, _ limit: Double) -> Double {
        let isPlace = source.byte() > 8
        let word = source.word()
        guard isPlace else { return Double(bitPattern: word) }
        return Double(Int64(bitPattern: word)) / 0x1p63 * limit
    }

    // MARK: Sentences

    var rmc: RMC {
        var rmc = RMC()
        rmc.time = time
        rmc.status = letter
        rmc.coordinate = coordinate
        rmc.speedKnots = number
        rmc.course = otherNumber
        rmc.date = date
        rmc.magneticVariation = number
        rmc.navigationStatus = letter
        return rmc
    }

    var gga: GGA {
        var gga = GGA()
        gga.time = time
        gga.coordinate = coordinate
        gga.satellites = integer
        gga.hdop = otherNumber
        gga.altitude = number
        gga.geoidSeparation = otherNumber
        gga.correctionAge = number
        gga.station = integer
        return gga
    }

    var xdr: XDR {
        var xdr = XDR()
        xdr.transducers = [
            XDR.Transducer(kind: letter, value: number, unit: letter, name: text),
            XDR.Transducer(kind: letter, value: otherNumber, unit: nil, name: text),
        ]
        return xdr
    }

    var txt: TXT {
        var txt = TXT()
        txt.total = integer
        txt.part = integer
        txt.text = text
        return txt
    }
}
