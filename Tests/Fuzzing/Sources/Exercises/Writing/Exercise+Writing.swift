// SPDX-License-Identifier: MIT
import NMEA

extension Exercise {
    /// A value is the same after it is written and read again, and every written sentence can be
    /// read.
    package static let writing = Exercise(name: "writing") { input throws(Broken) in
        var source = ByteSource(input)
        switch source.number(below: 4) {
        case 0: try WrittenFields(&source).check()
        case 1: try checkInvented(&source)
        default: try checkRead(&source)
        }
    }

    /// Reads a sentence of a kind that is known, with any fields.
    private static func checkRead(_ source: inout ByteSource) throws(Broken) {
        let reader = source.pick(RoundTrip.all)
        let talker = source.pick(["GP", "GN", "PQ"])
        let fields = source.rest.prefix(300).prefix {
            0x20...0x7E ~= $0 && $0 != UInt8(ascii: "$") && $0 != UInt8(ascii: "!")
        }
        guard fields.split(separator: UInt8(ascii: ",")).allSatisfy(isHeld) else { return }
        let body = reader.address(talker) + "," + String(decoding: fields, as: UTF8.self)
        try reader.check(String(decoding: sealed(body), as: UTF8.self), talker)
    }

    /// Whether a field has no more digits than the writer promises to keep: fifteen, nine of them
    /// behind the point.
    private static func isHeld(_ field: ArraySlice<UInt8>) -> Bool {
        let behind = field.drop { $0 != UInt8(ascii: ".") }.dropFirst()
        let digits = field.count { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        return digits <= 15 && behind.count <= 9
    }

    /// Writes sentences with values that no receiver sends.
    private static func checkInvented(_ source: inout ByteSource) throws(Broken) {
        let values = AnyValues(&source)
        try RoundTrip.check(written: values.rmc)
        try RoundTrip.check(written: values.gga)
        try RoundTrip.check(written: values.xdr)
        try RoundTrip.check(written: values.txt)
    }
}
