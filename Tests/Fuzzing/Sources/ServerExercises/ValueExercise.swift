// SPDX-License-Identifier: MIT
import GNSS
import GPSFiles
import GPSFormats
import GPSIntegrity
import GPSServer
import NMEA

/// Fixes with any date and any numbers, or from a file with any content, in every output with any
/// options. Nothing traps, and no text contains a number that is not finite.
package enum ValueExercise {
    /// The name, with which the names of its files begin: `values-…`.
    package static let name = "values"

    /// Runs the exercise. Throws if a guarantee is broken.
    package static func run(_ input: [UInt8]) throws(BrokenReply) {
        var values = Values(input)
        let selection = values.selection()
        let split = values.split()
        let fixes =
            values.byte() % 2 == 0
            ? (0..<1 + values.byte() % 8).map { _ in values.fix() } : Self.fixes(in: values.rest)
        for format in OutputFormats.all {
            var conversion = Conversion(to: format, selecting: selection, dividing: split)
            conversion.begin(OutputSource(name: "a", origin: .live))
            for fix in fixes { conversion.add(fix, values.view) }
            conversion.endSegment()
            for fix in fixes.reversed() { conversion.add(fix) }
            conversion.end()
            var output: [UInt8] = []
            conversion.drain { bytes in for index in bytes.indices { output.append(bytes[index]) } }
            for file in conversion.takeEndedFiles() { output += file.rest }
            guard !["fit", "ubx"].contains(format.name) else { continue }
            try checkNumbers(in: output, format.name)
        }
        try reports(of: fixes, &values)
        states(after: fixes, &values)
    }

    /// Writes the reports of a server.
    private static func reports(of fixes: [Fix], _ values: inout Values) throws(BrokenReply) {
        var gpsd = GPSDReports(device: "/dev/a")
        var signalK = SignalKDeltas(receiver: "a", origin: .live, vessel: "urn:mrn:signalk:uuid:a")
        var text = FixLines()
        var bus = NMEA2000Writer()
        var now = MonotonicInstant.now
        var sequence: UInt8 = 0
        for fix in fixes {
            var timing = ReportTiming(firstByte: values.number(), reported: values.number())
            timing.byteCount = values.integer()
            gpsd.report(fix, timing)
            gpsd.report(values.view)
            gpsd.reportDeviations(of: fix)
            let delta = signalK.delta(of: fix, time: values.time(), now: now)
            try checkNumbers(in: delta ?? [], "signalk")
            let line = text.line(for: fix, inView: values.integer(), origin: .live)
            try expect(!line.isEmpty, "no line of text")
            now = now + .seconds(Double(values.byte()))
            for origin in [DataOrigin.live, .simulated] {
                let messages = bus.messages(
                    of: fix, values.view, origin: origin, clockTime: values.time(), at: now)
                for message in messages {
                    sequence &+= 1
                    try expect(
                        !message.frames(from: 1, sequence: sequence & 7).isEmpty, "no frame")
                }
            }
        }
        let bytes = gpsd.bytes
        try checkNumbers(in: bytes.indices.map { bytes[$0] }, "gpsd")
    }

    /// Passes the fixes to everything that keeps a state.
    private static func states(after fixes: [Fix], _ values: inout Values) {
        var monitor = IntegrityMonitor()
        var filter = ClockFilter()
        var odometer = Odometer(gap: values.number())
        var rest = RestDetector()
        var history = FixHistory(limit: values.integer())
        var navigation = Navigator.Settings()
        navigation.circle = AnchorCircle(
            radius: values.number(),
            anchor: Coordinate(latitude: values.number(), longitude: values.number()))
        navigation.route = (0..<2).map { number in
            RoutePoint(
                Coordinate(latitude: values.number(), longitude: values.number()),
                name: "\(number)")
        }
        var navigator = Navigator(navigation)
        var seconds = 0.0
        for fix in fixes {
            monitor.receive(fix, arrival: .now, time: values.time())
            monitor.receive(values.view)
            if let time = filter.time(of: fix, arrival: Int64(values.integer())) {
                let sample = ClockSample(trueTime: time, systemTime: Int64(values.integer()))
                _ = (sample.chronyDatagram, sample.report(device: "/dev/a"))
            }
            // Also times that the filter does not pass on.
            let sample = ClockSample(
                trueTime: Int64(values.integer()), systemTime: Int64(values.integer()))
            _ = (sample.chronyDatagram, sample.report(device: "/dev/a"))
            odometer.add(fix)
            _ = rest.isStationary(after: fix)
            history.add(
                fix, cn0: values.number(), now: 1_774_000_000_000_000_000 + Int64(values.byte()))
            seconds += Double(values.byte())
            _ = navigator.receive(fix, at: seconds, time: values.time())
            if let time = fix.time {
                _ = GPSTime(time, leapSeconds: values.integer())
                _ = GPSTime(week: values.integer(), nanoseconds: Int64(values.integer()))
                    .utc(leapSeconds: values.integer())
                let today = values.date() ?? time.date
                _ = WeekRollover(built: time.date, today: today).missingDays(of: time.date)
                _ = WeekRollover(built: today, today: time.date).missingDays(of: today)
                _ = time.date.adding(days: values.integer())
            }
        }
        _ = history.thinned(receiverCount: 1)
        _ = (odometer.distance, odometer.restTime, odometer.averageSpeed)
    }

    /// Returns the fixes of bytes that are read as a file: in the format that they have or, if it is
    /// not recognised, as sentences.
    private static func fixes(in bytes: [UInt8]) -> [Fix] {
        var fixes: [Fix] = []
        var detector = InputDetector(file: "a", keepsWaypoints: true)
        guard case .reader(var reader) = detector.push(bytes[...], isLast: true) else {
            var decoder = NMEADecoder()
            var listener = Listener()
            decoder.push(bytes.span, to: &listener)
            decoder.finish(to: &listener)
            return Array(listener.fixes.prefix(20))
        }
        func receive(_ event: InputEvent) {
            if case .fix(let fix, _) = event, fixes.count < 20 { fixes.append(fix) }
        }
        do throws(InputError) {
            try reader.push(bytes[...], receive)
            try reader.finish(receive)
        } catch {
            reader.finishDamaged(receive)
        }
        return fixes
    }

    private static func checkNumbers(in text: [UInt8], _ name: String) throws(BrokenReply) {
        let lower = String(decoding: text, as: UTF8.self).lowercased()
        for word in [":nan", ":inf", ":-inf", ",nan,", ",inf,", ",-inf,", ">nan<", ">inf<"] {
            try expect(!lower.contains(word), "\(name) contains \(word)")
        }
    }
}

private struct Listener: DecoderListener {
    var fixes: [Fix] = []

    mutating func didReceive(fix: Fix, satellites view: SatelliteView) { fixes.append(fix) }
}

/// Values that the bytes of an input select: mostly limits of types and calendars.
private struct Values {
    private var bytes: ArraySlice<UInt8>

    init(_ input: [UInt8]) { bytes = input[...] }

    /// The bytes that have not been used.
    var rest: [UInt8] { Array(bytes) }

    let view = SatelliteView()

    mutating func byte() -> Int { Int(bytes.popFirst() ?? 0) }

    private mutating func word() -> UInt64 {
        (0..<8).reduce(0) { word, _ in word << 8 | UInt64(byte()) }
    }

    mutating func integer() -> Int {
        switch byte() % 12 {
        case 0: 0
        case 1: 1
        case 2: -1
        case 3: .max
        case 4: .min
        case 5: Int(Int32.max) + byte() % 3
        case 6: Int(Int32.min) - byte() % 3
        case 7: byte() << 8 | byte()
        case 8: 1 << (byte() % 63)
        case 9: -1 << (byte() % 63)
        default: Int(truncatingIfNeeded: word())
        }
    }

    mutating func number() -> Double {
        switch byte() % 12 {
        case 0: 0
        case 1: .nan
        case 2: .infinity
        case 3: -.infinity
        case 4: .greatestFiniteMagnitude
        case 5: .leastNonzeroMagnitude
        case 6: Double(integer())
        case 7: Double(byte()) * 360 / 255
        case 8: -Double(byte()) * 180 / 255
        case 9: Double(byte()) / 10
        default: Double(bitPattern: word())
        }
    }

    mutating func date() -> CalendarDate? {
        let days = [
            -719_162, -106_752, -106_751, -1, 0, 3656, 3657, 20_777, 106_751, 106_752, 110_410,
            110_411, 117_000, 2_932_896,
        ]
        let selector = byte()
        let day = selector < 128 ? days[selector % days.count] : byte() << 14 | byte() << 7 | byte()
        return CalendarDate(daysSince1970: day)
    }

    mutating func time() -> UTCTime? {
        guard byte() % 8 != 0, let date = date() else { return nil }
        let clock = [0, 1, 43_200_000_000_000, 86_399_999_999_999, 86_400_000_000_000]
        return UTCTime(date: date, time: TimeOfDay(wrapping: Int64(clock[byte() % clock.count])))
    }

    mutating func fix() -> Fix {
        var fix = Fix()
        fix.mode = .threeD
        fix.quality = .autonomous
        fix.coordinate = Coordinate(latitude: 48, longitude: 16)
        fix.time = time()
        fix.timeOfDay = fix.time?.time
        for _ in 0..<byte() % 8 {
            let property = FixProperty.all[byte() % FixProperty.all.count]
            property.set(&fix, number())
        }
        fix.satellitesUsed = byte() % 4 == 0 ? integer() : 8
        fix.satellitesInView = byte() % 4 == 0 ? integer() : nil
        return fix
    }

    mutating func selection() -> FixSelection {
        var selection = FixSelection()
        guard byte() % 2 == 1 else { return selection }
        selection.start = time()
        selection.end = time()
        selection.interval = byte() % 2 == 0 ? number() : nil
        selection.distance = byte() % 2 == 0 ? number() : nil
        selection.tolerance = byte() % 2 == 0 ? number() : nil
        selection.gap = number()
        selection.minimumSatellites = byte() % 2 == 0 ? integer() : nil
        return selection
    }

    mutating func split() -> TrackSplit? {
        switch byte() % 6 {
        case 0: .gap(number())
        case 1: .day
        case 2: .distance(number())
        default: nil
        }
    }
}
