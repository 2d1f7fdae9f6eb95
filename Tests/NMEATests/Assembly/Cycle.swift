// SPDX-License-Identifier: MIT
import GNSS
import NMEA

/// The sentences of a receiver for one time, for tests of the assembly.
struct Cycle {
    var clock = "101520.00"
    var date = "210326"

    init(_ clock: String, date: String = "210326") {
        self.clock = clock
        self.date = date
    }

    func rmc(
        _ status: String = "A", mode: String = "A", speed: String = "10.0", course: String = "90.0"
    ) -> String {
        line(
            "GPRMC,\(clock),\(status),4812.50000,N,01622.42000,E,\(speed),\(course),\(date),,,"
                + mode)
    }

    func gga(_ talker: String = "GP", quality: Int = 1, satellites: String = "08") -> String {
        line(
            "\(talker)GGA,\(clock),4812.50000,N,01622.42000,E,\(quality),\(satellites),1.0,"
                + "171.4,M,43.1,M,,")
    }

    func gll(_ status: String = "A") -> String {
        line("GPGLL,4812.50000,N,01622.42000,E,\(clock),\(status),A")
    }

    func zda() -> String { line("GPZDA,\(clock),21,03,2026,00,00") }

    func gsa(_ dimensions: Int = 3, _ satellites: String = "05,07,13,14,,,,,,,,") -> String {
        line("GPGSA,A,\(dimensions),\(satellites),1.9,1.0,1.6")
    }

    func gsv(_ number: Int = 5) -> String { line("GPGSV,1,1,01,\(number),62,286,44") }

    func vtg() -> String { line("GPVTG,90.0,T,,M,10.0,N,18.5,K,A") }

    /// The times of a run of epochs: `count` from 10:15:`second` on.
    static func run(_ count: Int, from second: Int = 20) -> [Cycle] {
        (second..<second + count).map { Cycle("1015\($0).00") }
    }
}

/// A decoder that records its fixes, each with the number of the sentence that completed it.
struct Bench {
    private var decoder = NMEADecoder()
    private(set) var fixes: [Fix] = []
    private(set) var sentences = 0
    /// For each fix, the number of the sentence that completed it, from 1.
    private(set) var moments: [Int] = []

    init(_ decoder: NMEADecoder = NMEADecoder()) {
        self.decoder = decoder
    }

    var statistics: Statistics { decoder.statistics }

    /// Sends whole sentences.
    mutating func send(_ text: String...) {
        for line in text.joined().split(separator: "\r\n") {
            sentences += 1
            take { $0.push("\(line)\r\n".bytes.span, $1) }
        }
    }

    mutating func silence() { take { $0.silence($1) } }
    mutating func restart() { take { $0.restart($1) } }
    mutating func finish() { take { $0.finish($1) } }

    var silenceTolerance: Duration? { decoder.silenceTolerance }

    private mutating func take(_ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void) {
        var new: [Fix] = []
        step(&decoder) { if case .fix(let fix, _) = $0 { new.append(fix) } }
        fixes += new
        moments += new.map { _ in sentences }
    }
}
