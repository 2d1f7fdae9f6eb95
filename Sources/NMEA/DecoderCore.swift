// SPDX-License-Identifier: MIT
import GNSS

/// What happens behind the framer: sentences are recognised, decoded and counted.
struct DecoderCore: Sendable {
    var table: SentenceTable
    var assembler = FixAssembler()
    var statistics = Statistics()

    mutating func take(
        _ event: FramerEvent, _ handle: (DecoderEvent) -> Void
    ) {
        switch event {
        case .sentence(let raw):
            decode(raw, handle)
            flush(handle)
        case .rejected(let rejection):
            statistics.count(rejection)
            handle(.rejected(rejection))
        case .junk(let count):
            statistics.junkBytes += count
        case .frame(let kind, let count):
            if kind == .ubx { statistics.ubxFrames += 1 } else { statistics.rtcmFrames += 1 }
            statistics.binaryBytes += count
        case .tagBlock(let block?):
            statistics.tagBlocks += 1
            handle(.tagBlock(block))
        case .tagBlock(nil):
            statistics.tagBlockBad += 1
        }
    }

    private mutating func decode(
        _ raw: RawSentence, _ handle: (DecoderEvent) -> Void
    ) {
        guard !raw.isEncapsulated else {
            statistics.encapsulated += 1
            return hand(raw, handle)
        }
        switch raw.address.kind {
        case .standard(let formatter):
            guard let type = table[formatter] else {
                statistics.raw += 1
                return hand(raw, handle)
            }
            var fields = raw.fields
            decode(raw, &fields, as: type, handle)
        case .proprietary:
            if let type = table.proprietary(raw.body), var fields = raw.fields(of: type.formatter) {
                decode(raw, &fields, as: type, handle)
            } else {
                statistics.proprietaryRaw += 1
                hand(raw, handle)
            }
        case .query:
            statistics.query += 1
            hand(raw, handle)
        case .other:
            statistics.raw += 1
            hand(raw, handle)
        case .bad: reject(raw, .badAddress, handle)
        }
    }

    private mutating func decode(
        _ raw: RawSentence, _ fields: inout FieldReader, as type: any Sentence.Type,
        _ handle: (DecoderEvent) -> Void
    ) {
        guard fields.count >= type.minimumFieldCount else {
            return reject(raw, .tooFewFields, handle)
        }
        do {
            try type.receive(&fields, into: &assembler)
            statistics.accepted += 1
            statistics.fieldErrors += fields.malformedCount
            hand(raw, handle)
        } catch .rejected(let reason) {
            reject(raw, reason, handle)
        } catch .otherSentence {
            // It only starts like one of its kind.
            if type.formatter.proprietary == nil {
                statistics.raw += 1
            } else {
                statistics.proprietaryRaw += 1
            }
            hand(raw, handle)
        } catch {
            reject(raw, .tooFewFields, handle)
        }
    }

    private mutating func hand(
        _ raw: RawSentence, _ handle: (DecoderEvent) -> Void
    ) {
        if raw.isGlued { statistics.glued += 1 }
        if raw.hasTrailingJunk { statistics.trailingJunk += 1 }
        handle(.sentence(raw))
    }

    private mutating func reject(
        _ raw: RawSentence, _ reason: Rejection.Reason,
        _ handle: (DecoderEvent) -> Void
    ) {
        let rejection = Rejection(reason: reason, offset: raw.offset)
        statistics.count(rejection)
        handle(.rejected(rejection))
    }

    /// Hands over the fixes and the view that have become ready.
    mutating func flush(_ handle: (DecoderEvent) -> Void) {
        while assembler.hasNext, let fix = assembler.next() {
            handle(.fix(fix, assembler.satellites.view))
        }
        if assembler.satellites.takeRenewal() { handle(.satellites(assembler.satellites.view)) }
    }
}
