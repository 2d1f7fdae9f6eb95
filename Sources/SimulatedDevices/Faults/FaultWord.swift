// SPDX-License-Identifier: MIT

/// A fault's name in the text form, what may follow it, and what it means.
public struct FaultWord: Sendable {
    /// As it is written: `bad-checksums`.
    public let name: String
    /// What follows it: `P%`; empty where nothing does.
    public let value: String
    /// What goes wrong, in a few words.
    public let meaning: String
    /// How likely it is unless that is said.
    let probability: Double
    let form: Form

    /// How the value reads.
    enum Form: Sendable {
        case plain(Fault.Kind)
        case share(Fault.Kind)
        case rate
        case count
        case time(ClosedRange<Double>, @Sendable (Double) -> Fault.Kind)
        case offset
        case name
    }

    /// Every fault there is. `--help`, the messages and the tests take them from here.
    public static let all: [FaultWord] = [
        share("bit-errors", .bitErrors, 0.001, "invert that share of the bits"),
        share("drop-bytes", .droppedBytes, 0.01, "lose that share of the bytes"),
        share("repeat-bytes", .repeatedBytes, 0.01, "send that share of the bytes twice"),
        share("cut-sentences", .cutSentences, 0.1, "cut that share of the sentences short"),
        share("glue-sentences", .gluedSentences, 0.1, "lose the line ends of that share"),
        share("bad-checksums", .badChecksums, 0.1, "spoil the checksums of that share"),
        FaultWord("wrong-baud", "RATE", "send at that rate, not at the line's", .rate),
        share("ubx", .binaryFrames(.ubx), 0.1, "u-blox frames after that share of sentences"),
        share("rtcm3", .binaryFrames(.rtcm3), 0.1, "RTCM 3 frames after that share"),
        share("cut-ubx", .cutBinaryFrames(.ubx), 0.1, "the same, cut off"),
        share("cut-rtcm3", .cutBinaryFrames(.rtcm3), 0.1, "the same, cut off"),
        plain("silence", .silence, "send nothing; it is lost"),
        plain("stall", .stall, "send nothing; it comes afterwards, all at once"),
        FaultWord("burst", "N", "send N epochs at once", .count),
        FaultWord(
            "late", "TIME", "send epochs up to that much late", .time(0...1e9) { .late($0) }),
        FaultWord("unplug", "[as NAME]", "pull it out; it comes back, perhaps renamed", .name),
        plain("week-rollover", .weekRollover, "tell dates 1024 weeks too early"),
        plain("leap-second", .leapSecond, "tell 23:59:60 at the next midnight"),
        FaultWord(
            "clock-off", "TIME", "be off by that time", .time(-1e9...1e9) { .clockOff($0) }),
        plain("jam", .jamming, "hear nothing, lose the fix"),
        plain("lose-fix", .lostFix, "lose the fix though there are signals"),
        plain("urban", .urban, "drive between houses: worse fixes that say so"),
        FaultWord("spoof", "METRESn|s|e|w", "be that far off, with nothing to show it", .offset),
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

    private static func plain(_ name: String, _ kind: Fault.Kind, _ meaning: String) -> FaultWord {
        FaultWord(name, "", meaning, .plain(kind))
    }

    private static func share(
        _ name: String, _ kind: Fault.Kind, _ usual: Double, _ meaning: String
    ) -> FaultWord {
        FaultWord(name, "P%", meaning, .share(kind), usual)
    }
}
