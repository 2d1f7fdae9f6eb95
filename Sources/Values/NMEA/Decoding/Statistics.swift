// SPDX-License-Identifier: MIT

/// The numbers of sentences, frames and other bytes in a stream. They help to find a bad cable or a
/// wrong setting of a serial line.
///
/// `glued`, `trailingJunk` and `fieldErrors` concern sentences that another counter also includes.
public struct Statistics: Hashable, Sendable {
    /// The number of sentences decoded.
    public internal(set) var accepted = 0
    /// The number of sentences with an unknown formatter, delivered undecoded.
    public internal(set) var raw = 0
    /// The number of proprietary sentences delivered undecoded.
    public internal(set) var proprietaryRaw = 0
    /// The number of queries, such as `EIGPQ`, from one talker to another.
    public internal(set) var query = 0
    /// The number of AIS and other encapsulated sentences, delivered undecoded.
    public internal(set) var encapsulated = 0
    /// The number of sentences followed by another sentence or a binary frame without a line end.
    public internal(set) var glued = 0
    /// The number of sentences followed by other bytes on the same line.
    public internal(set) var trailingJunk = 0
    /// The number of malformed fields in accepted sentences.
    public internal(set) var fieldErrors = 0
    /// The number of bytes outside sentences.
    public internal(set) var junkBytes = 0
    /// The number of UBX frames.
    public internal(set) var ubxFrames = 0
    /// The number of UBX frames that contribute to fixes or satellite views. They are also counted
    /// in `ubxFrames`.
    public internal(set) var ubxDecoded = 0
    /// The number of RTCM 3 frames skipped.
    public internal(set) var rtcmFrames = 0
    /// The number of bytes in binary frames.
    public internal(set) var binaryBytes = 0
    /// The number of TAG blocks.
    public internal(set) var tagBlocks = 0
    /// The number of TAG blocks discarded because of a wrong checksum.
    public internal(set) var tagBlockBad = 0

    private var rejections = InlineArray<11, Int>(repeating: 0)
    private var offsets = InlineArray<11, Int>(repeating: -1)

    /// Creates statistics with all counts 0.
    package init() {}

    /// The number of sentences rejected for the given reason.
    public subscript(reason: Rejection.Reason) -> Int { rejections[reason.index] }

    /// The stream offset in bytes of the last sentence rejected for the given reason; `nil` if
    /// there was none.
    public func lastOffset(of reason: Rejection.Reason) -> Int? {
        let offset = offsets[reason.index]
        return offset < 0 ? nil : offset
    }

    /// The number of rejected sentences.
    public var rejected: Int { Rejection.Reason.allCases.reduce(0) { $0 + self[$1] } }

    /// The number of sentences with a valid checksum and of decoded UBX frames.
    public var valid: Int { accepted + raw + proprietaryRaw + query + encapsulated + ubxDecoded }

    mutating func setIncompleteSets(_ count: Int) {
        rejections[Rejection.Reason.gsvIncomplete.index] = count
    }

    mutating func count(_ rejection: Rejection) {
        rejections[rejection.reason.index] += 1
        offsets[rejection.reason.index] = rejection.offset
    }

    /// All counters with their names, in a fixed order.
    public var counters: [(name: String, count: Int)] {
        [
            ("accepted", accepted), ("raw", raw), ("proprietaryRaw", proprietaryRaw),
            ("query", query), ("encapsulated", encapsulated), ("glued", glued),
            ("trailingJunk", trailingJunk), ("fieldErrors", fieldErrors),
        ] + Rejection.Reason.allCases.map { ($0.rawValue, self[$0]) } + [
            ("junkBytes", junkBytes), ("ubxFrames", ubxFrames), ("ubxDecoded", ubxDecoded),
            ("rtcmFrames", rtcmFrames),
            ("binaryBytes", binaryBytes), ("tagBlocks", tagBlocks), ("tagBlockBad", tagBlockBad),
        ]
    }

    /// Returns whether all counts and offsets are equal.
    public static func == (a: Self, b: Self) -> Bool {
        a.counters.elementsEqual(b.counters) { $0 == $1 }
            && Rejection.Reason.allCases.allSatisfy { a.lastOffset(of: $0) == b.lastOffset(of: $0) }
    }

    /// Hashes the counts.
    public func hash(into hasher: inout Hasher) {
        for counter in counters { hasher.combine(counter.count) }
    }
}

extension Rejection.Reason {
    fileprivate var index: Int {
        switch self {
        case .noChecksum: 0
        case .malformedChecksum: 1
        case .badChecksum: 2
        case .nonPrintable: 3
        case .truncated: 4
        case .overlong: 5
        case .emptyBody: 6
        case .badAddress: 7
        case .tooFewFields: 8
        case .unterminated: 9
        case .gsvIncomplete: 10
        }
    }
}
