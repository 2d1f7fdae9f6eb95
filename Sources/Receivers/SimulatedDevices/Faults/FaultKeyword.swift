// SPDX-License-Identifier: MIT

/// The keyword of a fault in a script, the form of its value, and a description.
package struct FaultKeyword: Sendable {
    /// The keyword, such as `bad-checksums`.
    package let name: String
    /// The form of the value, such as `P%`; empty if there is none.
    package let value: String
    /// A short description of the effect.
    package let meaning: String
    /// The probability if the script gives none, 0 to 1.
    let probability: Double
    let form: Form

    /// The form of a fault's value in a script. It determines the parser and the fault that is
    /// created.
    enum Form: Sendable {
        case plain(Fault.Kind)
        case fraction(Fault.Kind)
        case rate
        case count
        case time(ClosedRange<Double>, @Sendable (Double) -> Fault.Kind)
        case decibels
        /// A number and a direction, such as `500n`, with the name of the unit and an example. The
        /// function creates the fault from the north and east components.
        case vector(_ unit: String, _ example: String, @Sendable (Double, Double) -> Fault.Kind)
        case name
    }

    /// All keywords. The parser, `--help`, error messages and tests use this list.
    package static let all: [FaultKeyword] = [
        fraction("bit-errors", .bitErrors, 0.001, "invert this percentage of the bits"),
        fraction("drop-bytes", .droppedBytes, 0.01, "lose this percentage of the bytes"),
        fraction("repeat-bytes", .repeatedBytes, 0.01, "send this percentage of the bytes twice"),
        fraction("cut-sentences", .cutSentences, 0.1, "cut this percentage of the sentences short"),
        fraction(
            "glue-sentences", .gluedSentences, 0.1,
            "omit the line ends of this percentage of the sentences"),
        fraction(
            "bad-checksums", .badChecksums, 0.1,
            "send wrong checksums for this percentage of the sentences"),
        FaultKeyword("wrong-baud", "RATE", "send at this baud rate, not at the line's", .rate),
        fraction(
            "ubx", .binaryFrames(.ubx), 0.1, "add UBX frames after this percentage of the sentences"
        ),
        fraction(
            "rtcm3", .binaryFrames(.rtcm3), 0.1,
            "add RTCM 3 frames after this percentage of the sentences"),
        fraction(
            "cut-ubx", .cutBinaryFrames(.ubx), 0.1,
            "add UBX frames that are cut off, after this percentage of the sentences"),
        fraction(
            "cut-rtcm3", .cutBinaryFrames(.rtcm3), 0.1,
            "add RTCM 3 frames that are cut off, after this percentage of the sentences"),
        plain("silence", .silence, "send nothing; the data is lost"),
        plain("stall", .stall, "send nothing, then everything at once"),
        FaultKeyword("burst", "N", "send N epochs at once", .count),
        FaultKeyword(
            "late", "TIME", "send epochs late, by up to this time", .time(0...1e9) { .late($0) }),
        FaultKeyword(
            "unplug", "[as NAME]", "unplug, and plug in again, under NAME if it is given", .name),
        plain(
            "power-off", .powerOff(keepsBattery: true), "cut the power, but not the backup battery"),
        plain("power-loss", .powerOff(keepsBattery: false), "cut the power and the backup battery"),
        FaultKeyword(
            "late-answers", "TIME", "answer commands late, by up to this time",
            .time(0...1e9) { .lateAnswers($0) }),
        fraction(
            "lost-answers", .lostAnswers, 0.5, "lose this percentage of the answers to commands"),
        fraction("full-buffer", .fullBuffer, 0.5, "lose this percentage of the commands"),
        plain("week-rollover", .weekRollover, "send dates that are 1024 weeks too early"),
        plain("leap-second", .leapSecond, "insert 23:59:60 at the next midnight"),
        FaultKeyword(
            "clock-off", "TIME", "send UTC times that are wrong by this much",
            .time(-1e9...1e9) { .clockOff($0) }),
        plain("jam", .jamming, "track no satellites, and lose the fix"),
        plain("lose-fix", .lostFix, "lose the fix despite good signals"),
        plain(
            "urban", .urban,
            "drive between buildings: larger errors, and larger reported accuracies"),
        offset("spoof", "report a position this far off, with unchanged accuracies") {
            .spoofing(north: $0, east: $1)
        },
        FaultKeyword(
            "passing-jammer", "NUMBERdB", "a jammer drives past: C/N0 falls by up to this many dB",
            .decibels),
        offset(
            "equal-power", "false signals as strong as the real ones, for a position this far off"
        ) {
            .equalPower(north: $0, east: $1)
        },
        drag("drag-off", "false signals pull the position away at this speed") {
            .dragOff(north: $0, east: $1, isCareful: false)
        },
        drag("careful-drag", "like drag-off, with realistic signal strengths") {
            .dragOff(north: $0, east: $1, isCareful: true)
        },
        FaultKeyword(
            "time-walk", "TIME", "false signals whose time drifts by this much per second",
            .time(-10...10) { .timeWalk($0) }),
        offset("meacon", "signals that an antenna this far away receives and a transmitter repeats")
        {
            .meaconing(north: $0, east: $1)
        },
    ]

    private init(
        _ name: String, _ value: String, _ meaning: String, _ form: Form, _ probability: Double = 1
    ) {
        self.name = name
        self.value = value
        self.meaning = meaning
        self.form = form
        self.probability = probability
    }

    private static func offset(
        _ name: String, _ meaning: String,
        _ kind: @escaping @Sendable (_ north: Double, _ east: Double) -> Fault.Kind
    ) -> FaultKeyword {
        FaultKeyword(name, "METRESn|s|e|w", meaning, .vector("metres", "500n", kind))
    }

    private static func drag(
        _ name: String, _ meaning: String,
        _ kind: @escaping @Sendable (_ north: Double, _ east: Double) -> Fault.Kind
    ) -> FaultKeyword {
        FaultKeyword(name, "M/Sn|s|e|w", meaning, .vector("m/s", "1.5n", kind))
    }

    private static func plain(_ name: String, _ kind: Fault.Kind, _ meaning: String) -> FaultKeyword
    {
        FaultKeyword(name, "", meaning, .plain(kind))
    }

    private static func fraction(
        _ name: String, _ kind: Fault.Kind, _ usual: Double, _ meaning: String
    ) -> FaultKeyword {
        FaultKeyword(name, "P%", meaning, .fraction(kind), usual)
    }
}
