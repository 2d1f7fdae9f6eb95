// SPDX-License-Identifier: MIT
import GNSS
import UBX

/// Identifies, decodes and counts the sentences that the framer finds.
struct DecoderCore: Sendable {
    var table: SentenceTable
    var assembler = FixAssembler()
    var statistics = Statistics()
    /// Whether sentences are passed to the listener. `false` avoids calls to an empty method, which
    /// would take measurable time.
    var deliversSentences = true

    @inline(__always)
    mutating func receive(_ raw: RawSentence, _ listener: inout some DecoderListener) {
        decode(raw, &listener)
        flush(&listener)
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
        case .frame(.ubx, let bytes):
            statistics.ubxFrames += 1
            statistics.binaryBytes += bytes.count
            let frame = UBXFrame(recognised: bytes)
            if EpochMessages.receive(frame, into: &assembler) { statistics.ubxDecoded += 1 }
            flush(&listener)
            if assembler.showPendingList() { flush(&listener) }
            listener.didReceive(frame: frame)
        case .frame(.rtcm3, let bytes):
            statistics.rtcmFrames += 1
            statistics.binaryBytes += bytes.count
        case .tagBlock(let block?):
            statistics.tagBlocks += 1
            listener.didReceive(tagBlock: block)
        case .tagBlock(nil):
            statistics.tagBlockBad += 1
        }
    }

    @inline(__always)
    private mutating func decode(_ raw: RawSentence, _ listener: inout some DecoderListener) {
        guard let formatter = raw.fastFormatter, let known = table[formatter]
        else { return decodeOnSlowPath(raw, &listener) }
        var fields = raw.fields
        decode(raw, &fields, as: known, &listener)
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
            var fields = raw.fields
            decode(raw, &fields, as: known, &listener)
        case .proprietary, .other:
            if let type = table.proprietary(raw.body), var fields = raw.fields(of: type.formatter) {
                decode(raw, &fields, as: SentenceTable.Slot(type), &listener)
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
        _ raw: RawSentence, _ fields: inout FieldReader, as known: SentenceTable.Slot,
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
