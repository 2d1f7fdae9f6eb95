// SPDX-License-Identifier: MIT

/// The keyword of a fault, with its value and a description.
package struct FaultKeyword: Sendable {
    /// The name, such as `bad-checksums`.
    package let name: String
    /// The form of the value, such as `P%`; empty if there is none.
    package let value: String
    /// A short description of the effect.
    package let meaning: String
    /// The default probability.
    let probability: Double
    let form: Form

    /// How the value is parsed.
    enum Form: Sendable {
        case plain(Fault.Kind)
        case share(Fault.Kind)
        case rate
        case count
        case time(ClosedRange<Double>, @Sendable (Double) -> Fault.Kind)
        case offset
        case name
    }

    /// All faults. `--help`, the messages and the tests are derived from this list.
    package static let all: [FaultKeyword] = [
        share("bit-errors", .bitErrors, 0.001, "invert that share of the bits"),
        share("drop-bytes", .droppedBytes, 0.01, "lose that share of the bytes"),
        share("repeat-bytes", .repeatedBytes, 0.01, "send that share of the bytes twice"),
        share("cut-sentences", .cutSentences, 0.1, "cut that share of the sentences short"),
        share("glue-sentences", .gluedSentences, 0.1, "lose the line ends of that share"),
        share("bad-checksums", .badChecksums, 0.1, "wrong checksums for that share"),
        FaultKeyword("wrong-baud", "RATE", "send at that rate, not at the line's", .rate),
        share("ubx", .binaryFrames(.ubx), 0.1, "u-blox frames after that share of sentences"),
        share("rtcm3", .binaryFrames(.rtcm3), 0.1, "RTCM 3 frames after that share"),
        share("cut-ubx", .cutBinaryFrames(.ubx), 0.1, "the same, cut off"),
        share("cut-rtcm3", .cutBinaryFrames(.rtcm3), 0.1, "the same, cut off"),
        plain("silence", .silence, "send nothing; the data is lost"),
        plain("stall", .stall, "send nothing, then everything at once"),
        FaultKeyword("burst", "N", "send N epochs at once", .count),
        FaultKeyword(
            "late", "TIME", "send epochs up to that much late", .time(0...1e9) { .late($0) }),
        FaultKeyword("unplug", "[as NAME]", "unplug; plugged in again, perhaps renamed", .name),
        plain("week-rollover", .weekRollover, "dates 1024 weeks too early"),
        plain("leap-second", .leapSecond, "23:59:60 at the next midnight"),
        FaultKeyword(
            "clock-off", "TIME", "wrong by that time", .time(-1e9...1e9) { .clockOff($0) }),
        plain("jam", .jamming, "track nothing, lose the fix"),
        plain("lose-fix", .lostFix, "lose the fix though there are signals"),
        plain("urban", .urban, "drive between houses: larger errors and accuracies"),
        FaultKeyword("spoof", "METRESn|s|e|w", "that far off, with unchanged accuracies", .offset),
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

    private static func plain(_ name: String, _ kind: Fault.Kind, _ meaning: String) -> FaultKeyword
    {
        FaultKeyword(name, "", meaning, .plain(kind))
    }

    private static func share(
        _ name: String, _ kind: Fault.Kind, _ usual: Double, _ meaning: String
    ) -> FaultKeyword {
        FaultKeyword(name, "P%", meaning, .share(kind), usual)
    }
}
