// SPDX-License-Identifier: MIT
public import GNSS
public import UBX

/// Identifies, decodes and counts the sentences that the framer finds.
struct DecoderCore: Sendable {
    var table: SentenceTable
    var assembler = FixAssembler()
    var statistics = Statistics()
    /// Prepares for what the listener needs.
    @inline(__always)
    mutating func serve(_ listener: borrowing some DecoderListener) {
        deliversSentences = listener.wantsSentences
        assembler.satellites.isWanted = listener.wantsSatellites
    }

    /// Whether sentences are passed to the listener. `false` avoids calls to an empty method, which
    /// would take measurable time.
    var deliversSentences = true
    /// The stream offset at which the assembler joined the stream.
    var joinOffset = 0
    /// The stream offset of the last silence of the line.
    var silenceOffset = 0

    @inline(__always)
    mutating func receive(_ raw: RawSentence, _ listener: inout some DecoderListener) {
        guard !assembler.lacksBeginning else { return receiveInPart(raw, &listener) }
        decode(raw, &listener)
        flush(&listener)
    }

    /// Receives a sentence while the beginning of a cycle is not known. If the sentence shows it,
    /// that is reported first.
    @inline(never)
    private mutating func receiveInPart(
        _ raw: RawSentence, _ listener: inout some DecoderListener
    ) {
        let start = startOfCycle(beginningAt: raw.offset)
        // The beginning is reported before the sentence that shows it.
        let delivers = exchange(&deliversSentences, with: false)
        decode(raw, &listener)
        deliversSentences = delivers
        findBeginning(at: start, &listener)
        if delivers { listener.didReceive(sentence: raw) }
        flush(&listener)
    }

    /// Returns where a cycle begins if the sentence or frame at `offset` turns out to belong to
    /// another one than those before it. After a silence, that is the first byte since then.
    private func startOfCycle(beginningAt offset: Int) -> Int {
        assembler.isClosed ? silenceOffset : offset
    }

    /// Reports the beginning of the first cycle if it is known now. A cycle whose beginning was not
    /// read ended at `offset`.
    mutating func findBeginning(at offset: Int, _ listener: inout some DecoderListener) {
        guard !assembler.lacksBeginning else { return }
        listener.didFindBeginning(
            after: assembler.isWholeSinceJoin ? 0 : max(0, offset &- joinOffset))
    }

    @inline(never)
    mutating func receive(_ event: FramerEvent, _ listener: inout some DecoderListener) {
        switch event {
        case .sentence(let raw):
            receive(raw, &listener)
        case .rejected(let rejection):
            statistics.count(rejection)
            assembler.noteOtherBytes()
            listener.didReceive(rejection: rejection)
        case .junk(let count):
            assembler.noteOtherBytes()
            statistics.junkBytes += count
        case .frame(.ubx, let bytes, let offset):
            statistics.ubxFrames += 1
            statistics.binaryBytes += bytes.count
            let frame = UBXFrame(recognised: bytes)
            let isInPart = assembler.lacksBeginning
            let start = startOfCycle(beginningAt: offset)
            if EpochMessages.receive(frame, into: &assembler) { statistics.ubxDecoded += 1 }
            if isInPart { findBeginning(at: start, &listener) }
            flush(&listener)
            if assembler.showPendingList() { flush(&listener) }
            listener.didReceive(frame: frame)
        case .frame(.rtcm3, let bytes, _):
            statistics.rtcmFrames += 1
            statistics.binaryBytes += bytes.count
        case .frame(.log, let bytes, let offset):
            guard let log = ReceiverLog(bytes) else {
                assembler.noteOtherBytes()
                statistics.junkBytes += bytes.count
                return
            }
            statistics.accepted += 1
            let isInPart = assembler.lacksBeginning
            let start = startOfCycle(beginningAt: offset)
            assembler.receive(from: ReceiverLog.address, timing: .untimed) {
                log.contribute(to: &$0)
            }
            if isInPart { findBeginning(at: start, &listener) }
            flush(&listener)
        case .tagBlock(let block?):
            statistics.tagBlocks += 1
            listener.didReceive(tagBlock: block)
        case .tagBlock(nil):
            statistics.tagBlockBad += 1
        case .comment(let text):
            listener.didReceive(comment: text) { listener in
                guard assembler.isWaiting else { return }
                assembler.silence()
                flush(&listener)
            }
        }
    }

    @inline(__always)
    private mutating func decode(_ raw: RawSentence, _ listener: inout some DecoderListener) {
        guard let formatter = raw.fastFormatter, let known = table[formatter]
        else { return decodeOnSlowPath(raw, &listener) }
        let fields = raw.fields
        decode(raw, fields, as: known, &listener)
    }

    @inline(never)
    private mutating func decodeOnSlowPath(
        _ raw: RawSentence, _ listener: inout some DecoderListener
    ) {
        guard !raw.isEncapsulated else {
            statistics.encapsulated += 1
            return deliver(raw, &listener)
        }
        let kind = raw.address.kind
        switch kind {
        case .standard(let formatter):
            guard let known = table[formatter] else {
                statistics.raw += 1
                return deliver(raw, &listener)
            }
            let fields = raw.fields
            decode(raw, fields, as: known, &listener)
        case .proprietary, .other:
            if let type = table.proprietary(raw.body), let fields = raw.fields(of: type.formatter) {
                decode(raw, fields, as: SentenceTable.Slot(type), &listener)
            } else {
                if kind == .proprietary {
                    statistics.proprietaryRaw += 1
                } else {
                    statistics.raw += 1
                }
                deliver(raw, &listener)
            }
        case .query:
            statistics.query += 1
            deliver(raw, &listener)
        case .bad: reject(raw, .badAddress, &listener)
        }
    }

    @inline(__always)
    private mutating func decode(
        _ raw: RawSentence, _ fields: consuming FieldReader, as known: SentenceTable.Slot,
        _ listener: inout some DecoderListener
    ) {
        let type = known.type
        guard fields.count >= known.minimumFieldCount else {
            return reject(raw, .tooFewFields, &listener)
        }
        do {
            try type.receive(&fields, into: &assembler)
            statistics.accepted &+= 1
            statistics.fieldErrors &+= fields.malformedCount
            deliver(raw, &listener)
        } catch .rejected(let reason) {
            reject(raw, reason, &listener)
        } catch .otherSentence {
            // The sentence has the formatter of this type, but belongs to another one.
            if type.formatter.proprietary == nil {
                statistics.raw += 1
            } else {
                statistics.proprietaryRaw += 1
            }
            deliver(raw, &listener)
        } catch {
            reject(raw, .tooFewFields, &listener)
        }
    }

    @inline(__always)
    private mutating func deliver(_ raw: RawSentence, _ listener: inout some DecoderListener) {
        if raw.isGlued || raw.hasTrailingJunk { countOddities(raw) }
        if deliversSentences { listener.didReceive(sentence: raw) }
    }

    @inline(never)
    private mutating func countOddities(_ raw: RawSentence) {
        if raw.isGlued { statistics.glued += 1 }
        if raw.hasTrailingJunk { statistics.trailingJunk += 1 }
    }

    private mutating func reject(
        _ raw: RawSentence, _ reason: Rejection.Reason,
        _ listener: inout some DecoderListener
    ) {
        // The checksum is valid, so the sentence is delivered, for example to a recording.
        if deliversSentences { listener.didReceive(sentence: raw) }
        let rejection = Rejection(reason: reason, offset: raw.offset)
        statistics.count(rejection)
        listener.didReceive(rejection: rejection)
    }

    /// Delivers the complete fixes, and the satellite view if it is complete.
    @inline(__always)
    mutating func flush(_ listener: inout some DecoderListener) {
        if assembler.hasNext {
            assembler.takeFixes {
                listener.didReceive(fix: $0, satellites: $1)
            } view: {
                listener.didReceive(satellites: $0)
            }
        }
        if assembler.takeView() {
            listener.didReceive(satellites: assembler.satellites.view)
        }
    }
}

/// A result of decoding a stream.
public enum DecoderEvent: ~Escapable {
    /// A sentence with a valid checksum, whether or not it was decoded.
    case sentence(RawSentence)
    /// Bytes that start like a sentence but are not valid.
    case rejected(Rejection)
    /// A UBX frame, whether or not it was decoded. If the frame completes a fix or a satellite
    /// view, the event for the fix or view comes first.
    case ubx(UBXFrame)
    /// A TAG block. It belongs to the sentence that follows.
    case tagBlock(TagBlock)
    /// The fix of a complete epoch, with the last complete satellite view. The view is marked with
    /// the satellites that this fix uses.
    case fix(Fix, SatelliteView)
    /// A complete view of the satellites. The fix of its epoch was reported before it. The view
    /// contains the satellites used and the DOPs of that fix.
    case satellites(SatelliteView)
}

/// Receives the results of decoding a stream, with one method for each kind.
///
/// This interface is faster than `DecoderEvent`, because a fix, which is large, need not be copied
/// into an event. Every method has a default implementation that does nothing.
package protocol DecoderListener {
    /// Whether `didReceive(sentence:)` is called. It is read for every chunk of the stream.
    /// Default: `true`.
    var wantsSentences: Bool { get }

    /// Whether the satellites in view and their number are needed. If not, `satellitesInView` of fixes
    /// is `nil`, and views are empty. It is read for every chunk of the stream. Default: `true`.
    var wantsSatellites: Bool { get }

    /// Called for a sentence with a valid checksum, whether or not it was decoded.
    mutating func didReceive(sentence: RawSentence)

    /// Called for bytes that start like a sentence but are not valid.
    mutating func didReceive(rejection: Rejection)

    /// Called for a UBX frame, whether or not it was decoded. If the frame completes a fix or a
    /// satellite view, the method for the fix or view is called first.
    mutating func didReceive(frame: UBXFrame)

    /// Called for a TAG block. It belongs to the sentence that follows.
    mutating func didReceive(tagBlock: TagBlock)

    /// Called for a comment without its line end if `NMEADecoder.skipsComments` is set. `endEpoch`
    /// completes the current epoch and reports its results.
    mutating func didReceive(comment: Span<UInt8>, endEpoch: (inout Self) -> Void)

    /// Called for the fix of an epoch. The view is the last complete one, marked with the
    /// satellites that this fix uses.
    mutating func didReceive(fix: Fix, satellites view: SatelliteView)

    /// Called when the lists of the satellites in view and the fix of their epoch are complete.
    ///
    /// `didReceive(fix:satellites:)` has already been called for that fix. The view contains the
    /// satellites used and the DOPs of that fix.
    mutating func didReceive(satellites view: SatelliteView)

    /// Called once after `NMEADecoder.join`, when it is known where the first cycle begins: after
    /// this number of bytes since `join`, which belong to a cycle whose beginning was not read.
    mutating func didFindBeginning(after skipped: Int)
}

extension DecoderListener {
    /// By default, `true`: `didReceive(sentence:)` is called.
    package var wantsSentences: Bool { true }

    /// By default, `true`: the satellites in view are read.
    package var wantsSatellites: Bool { true }

    /// Does nothing.
    package mutating func didReceive(sentence: RawSentence) {}

    /// Does nothing.
    package mutating func didReceive(rejection: Rejection) {}

    /// Does nothing.
    package mutating func didReceive(frame: UBXFrame) {}

    /// Does nothing.
    package mutating func didReceive(tagBlock: TagBlock) {}

    /// Does nothing.
    package mutating func didReceive(comment: Span<UInt8>, endEpoch: (inout Self) -> Void) {}

    /// Does nothing.
    package mutating func didReceive(fix: Fix, satellites view: SatelliteView) {}

    /// Does nothing.
    package mutating func didReceive(satellites view: SatelliteView) {}

    /// Does nothing.
    package mutating func didFindBeginning(after skipped: Int) {}
}

/// Passes all results to a closure as events.
struct EventListener: DecoderListener {
    let handle: (DecoderEvent) -> Void

    func didReceive(sentence: RawSentence) { handle(.sentence(sentence)) }
    func didReceive(rejection: Rejection) { handle(.rejected(rejection)) }
    func didReceive(frame: UBXFrame) { handle(.ubx(frame)) }
    func didReceive(tagBlock: TagBlock) { handle(.tagBlock(tagBlock)) }
    func didReceive(fix: Fix, satellites view: SatelliteView) { handle(.fix(fix, view)) }
    func didReceive(satellites view: SatelliteView) { handle(.satellites(view)) }
}

/// A hash table of the sentence types by formatter, with open addressing. It is read once per
/// sentence. With a dictionary, decoding and assembling fixes takes 5.5 % more instructions.
struct SentenceTable: Sendable {
    struct Slot {
        var key: UInt32
        var minimumFieldCount: Int
        var type: any Sentence.Type

        init(_ type: any Sentence.Type) {
            key = type.formatter.key
            minimumFieldCount = type.minimumFieldCount
            self.type = type
        }
    }

    /// The table of `knownSentences`, created once for all decoders.
    static let known = SentenceTable(knownSentences)

    private var slots: [Slot?]
    private var count = 0
    /// The types of proprietary sentences. They are searched linearly, because they are few and
    /// rarely sent.
    private var proprietary: [any Sentence.Type] = []

    init(_ types: [any Sentence.Type]) {
        slots = Array(repeating: nil, count: 64)
        for type in types { insert(type) }
    }

    /// Adds a type. It replaces an earlier type with the same formatter.
    mutating func insert(_ type: any Sentence.Type) {
        guard type.formatter.proprietary == nil else {
            proprietary.removeAll { $0.formatter == type.formatter }
            return proprietary.append(type)
        }
        if (count + 1) * 4 > slots.count { grow() }
        let index = index(of: type.formatter.key)
        if slots[index] == nil { count += 1 }
        slots[index] = Slot(type)
    }

    @inline(__always)
    subscript(formatter: SentenceFormatter) -> Slot? {
        slots[index(of: formatter.key)]
    }

    /// Returns the type of a sentence; `nil` if it is unknown.
    func type(of sentence: RawSentence) -> (any Sentence.Type)? {
        switch sentence.address.kind {
        case _ where sentence.isEncapsulated: nil
        case .standard(let formatter): self[formatter]?.type
        case .proprietary, .other: proprietary(sentence.body)
        default: nil
        }
    }

    /// Returns the type with the longest formatter that a proprietary sentence's body begins with;
    /// `nil` if there is none.
    func proprietary(_ body: Span<UInt8>) -> (any Sentence.Type)? {
        var best: (type: any Sentence.Type, length: Int)?
        for type in proprietary {
            guard let length = type.formatter.proprietaryPrefix(of: body) else { continue }
            if length > best?.length ?? 0 { best = (type, length) }
        }
        return best?.type
    }

    /// Returns the index of the slot that contains a key, or of the empty slot where the key is to
    /// be stored.
    @inline(__always)
    private func index(of key: UInt32) -> Int {
        let mask = slots.count - 1
        // With this factor, no two built-in types collide.
        var index = Int((key &* 0x008A_05A7) >> 20) & mask
        while let slot = slots[index], slot.key != key { index = (index + 1) & mask }
        return index
    }

    private mutating func grow() {
        let old = slots
        slots = Array(repeating: nil, count: old.count * 2)
        for slot in old.compactMap(\.self) { slots[index(of: slot.key)] = slot }
    }
}

/// The numbers of sentences, frames and other bytes in a stream. They help to find a bad cable or a
/// wrong setting of a serial line.
///
/// `glued`, `trailingJunk` and `fieldErrors` concern sentences that another counter also includes.
public struct Statistics: Hashable, Sendable {
    /// The number of sentences decoded.
    package internal(set) var accepted = 0
    /// The number of sentences with an unknown formatter, delivered undecoded.
    package internal(set) var raw = 0
    /// The number of proprietary sentences delivered undecoded.
    package internal(set) var proprietaryRaw = 0
    /// The number of queries, such as `EIGPQ`, from one talker to another.
    package internal(set) var query = 0
    /// The number of AIS and other encapsulated sentences, delivered undecoded.
    package internal(set) var encapsulated = 0
    /// The number of sentences followed by another sentence or a binary frame without a line end.
    package internal(set) var glued = 0
    /// The number of sentences followed by other bytes on the same line.
    package internal(set) var trailingJunk = 0
    /// The number of malformed fields in accepted sentences.
    package internal(set) var fieldErrors = 0
    /// The number of bytes outside sentences.
    package internal(set) var junkBytes = 0
    package internal(set) var ubxFrames = 0
    /// The number of UBX frames that contribute to fixes or satellite views. They are also counted
    /// in `ubxFrames`.
    package internal(set) var ubxDecoded = 0
    /// The number of RTCM 3 frames skipped.
    package internal(set) var rtcmFrames = 0
    /// The number of bytes in binary frames.
    package internal(set) var binaryBytes = 0
    package internal(set) var tagBlocks = 0
    /// The number of TAG blocks discarded because of a wrong checksum.
    package internal(set) var tagBlockBad = 0

    private var rejections = InlineArray<11, Int>(repeating: 0)
    private var offsets = InlineArray<11, Int>(repeating: -1)

    /// Creates statistics with all counts 0.
    package init() {}

    /// The number of sentences rejected for the given reason.
    public subscript(reason: Rejection.Reason) -> Int { rejections[reason.index] }

    /// The stream offset in bytes of the last sentence rejected for the given reason; `nil` if
    /// there was none.
    package func lastOffset(of reason: Rejection.Reason) -> Int? {
        let offset = offsets[reason.index]
        return offset < 0 ? nil : offset
    }

    /// The number of rejected sentences.
    public var rejected: Int { Rejection.Reason.allCases.reduce(0) { $0 + self[$1] } }

    /// The number of sentences with a valid checksum and of decoded UBX frames.
    public var valid: Int { accepted + raw + proprietaryRaw + query + encapsulated + ubxDecoded }

    /// Replaces the number of rejected parts of lists: a list whose next part is missing is incomplete,
    /// too, although no sentence of it is rejected.
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
