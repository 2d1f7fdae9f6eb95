// SPDX-License-Identifier: MIT
import GNSS

/// Reads the fixes of IGC files: B records, with the extensions `LAD`, `LOD` and `TDS`.
///
/// The GNSS altitude is above the ellipsoid, as the format specifies, unless the header declares
/// the geoid (`HFALGALTGPS:GEO`) or that there is none (`HFALGALTGPS:NIL`), or it is 0 throughout.
/// The pressure altitude is not used. A `V` record (not 3D) may repeat the last position, so it ends the segment. In
/// files written by gpsbridge, it is a 2D fix. A malformed B record is skipped and counted, unless
/// the file is cut off in it.
package struct IGCInput: InputReader {
    private static let maximumLineLength = 1024
    /// The longest time between a `V` record and the next fix for which the time of the `V` record is
    /// assumed to be current, in nanoseconds.
    private static let longestLoss: Int64 = 3_600_000_000_000

    private let file: String
    private var number = 1
    private var line: [UInt8] = []
    private var clock = IGCClock()
    /// The clock advanced by the `V` records since the last fix, and the time of the last of them.
    private var unconfirmed: (clock: IGCClock, last: TimeOfDay)?
    private var extensions = IGCExtensions()
    private var isOurs = false
    /// Whether the file has a GNSS altitude other than 0. Recorders without one write 0 throughout.
    private var hasAltitude = false
    /// The surface that the header declares; `nil` if there is no GNSS altitude.
    private var surface: IGCSurface? = .ellipsoid
    private var isSimulated = false
    package private(set) var leftOut = LeftOut()

    package init(file: String) {
        self.file = file
    }

    package var formatName: String { "IGC" }

    package mutating func push(
        _ bytes: ArraySlice<UInt8>, _ receive: (InputEvent) -> Void
    ) throws(InputError) {
        for byte in bytes {
            guard byte == 0x0A else {
                // What is read is at the start of a record. Comments may be longer.
                if line.count < Self.maximumLineLength { line.append(byte) }
                continue
            }
            endLine(receive)
            number += 1
        }
    }

    package mutating func finish(_ receive: (InputEvent) -> Void) throws(InputError) {
        if line.first == UInt8(ascii: "B"),
            IGCRecord(line, extensions) == nil || line.count < extensions.end
        {
            throw InputError(file, line: number, "not a fix: \"\(text.prefix(40))\"")
        }
        endLine(receive)
    }

    private mutating func endLine(_ receive: (InputEvent) -> Void) {
        defer { line.removeAll(keepingCapacity: true) }
        while let last = line.last, last == 0x0D || last == 0x20 { line.removeLast() }
        switch line.first {
        case UInt8(ascii: "A"): isOurs = line.dropFirst(7).elementsEqual("gpsbridge".utf8)
        case UInt8(ascii: "H"): readHeader()
        case UInt8(ascii: "I"):
            guard let read = IGCExtensions(line) else {
                return leftOut.add(Self.extensionList, line: number, text)
            }
            extensions = read
        case UInt8(ascii: "L"): readComment()
        case UInt8(ascii: "B"):
            guard let record = IGCRecord(line, extensions) else {
                return leftOut.add(Self.record, line: number, text)
            }
            receive(event(record))
        default: break
        }
    }

    /// Returns whether a line is a B record.
    package static func isRecord(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "B") && IGCRecord(Array(line), IGCExtensions()) != nil
    }

    private static let extensionList = LeftOut.Reason("list", "of extensions in an unknown form")
    private static let record = LeftOut.Reason(
        "B record", "in an unknown form", isPosition: true)

    private var text: String { String(decoding: line, as: UTF8.self) }

    /// Reads an H record with the date (`HFDTE210326` or `HFDTEDATE:210326,01`, perhaps with
    /// separators) or the reference surface of altitudes.
    private mutating func readHeader() {
        let text = String(decoding: line.dropFirst(2), as: UTF8.self)
        if text.hasPrefix("DTE") {
            clock.set(IGCRecord.date(header: text))
            unconfirmed = nil
        } else if text.hasPrefix("ALG") {
            surface =
                text.hasSuffix("NIL") ? nil : text.hasSuffix("GEO") ? .geoid : .ellipsoid
        }
    }

    private mutating func readComment() {
        let text = String(decoding: line.dropFirst(4), as: UTF8.self)
        if text.hasPrefix("origin: ") { isSimulated = text == "origin: simulated" }
    }

    private mutating func event(_ record: IGCRecord) -> InputEvent {
        guard record.isValid || isOurs else {
            // Such a record may repeat an old time, which would change the date of the next fix.
            var clock = unconfirmed?.clock ?? self.clock
            _ = clock.advance(to: record.time)
            unconfirmed = (clock, record.time)
            return .segment
        }
        if let (clock, last) = unconfirmed,
            0...Self.longestLoss ~= record.time.nanoseconds(since: last)
        {
            self.clock = clock
        }
        unconfirmed = nil
        let date = clock.advance(to: record.time)
        var fix = Fix()
        fix.timeOfDay = record.time
        fix.time = date.map { UTCTime(date: $0, time: record.time) }
        fix.coordinate = record.coordinate
        if record.altitude != 0 || isOurs { hasAltitude = true }
        switch record.isValid && hasAltitude ? surface : nil {
        case .geoid: fix.altitude = record.altitude
        case .ellipsoid: fix.ellipsoidalAltitude = record.altitude
        case nil: break
        }
        fix.complete(mode: nil, quality: isSimulated ? .simulated : nil)
        return .fix(fix)
    }
}
