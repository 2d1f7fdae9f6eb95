// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import UBX

/// All events of a decoder for a stream, for comparisons.
struct Transcript: Equatable {
    enum Event: Equatable {
        case sentence(String)
        case rejected(Rejection)
        case tagBlock(TagBlock)
        case fix(Fix)
        case satellites(SatelliteView)
        case ubx(UBXMessageID, [UInt8])
    }

    var events: [Event] = []
    /// The view of each fix.
    var views: [SatelliteView] = []
    var statistics = Statistics()

    /// Decodes the pieces in order, then the end of the input.
    init(_ pieces: [ArraySlice<UInt8>], _ decoder: NMEADecoder = NMEADecoder()) {
        var decoder = decoder
        for piece in pieces { decoder.push(Array(piece).span) { note($0) } }
        decoder.finish { note($0) }
        statistics = decoder.statistics
    }

    private mutating func note(_ event: DecoderEvent) {
        switch event {
        case .sentence(let raw):
            events.append(.sentence(String(decoding: raw.bytes, as: UTF8.self)))
        case .rejected(let rejection):
            events.append(.rejected(rejection))
        case .tagBlock(let block):
            events.append(.tagBlock(block))
        case .fix(let fix, let view):
            events.append(.fix(fix))
            views.append(view)
        case .satellites(let view):
            events.append(.satellites(view))
        case .ubx(let frame):
            let payload = frame.payload
            events.append(.ubx(frame.id, payload.indices.map { payload[$0] }))
        }
    }

    // MARK: Results

    var fixes: [Fix] {
        events.compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
    }

    var sentences: [String] {
        events.compactMap { if case .sentence(let text) = $0 { text } else { nil } }
    }

    var rejections: [Rejection] {
        events.compactMap { if case .rejected(let rejection) = $0 { rejection } else { nil } }
    }

    var tagBlocks: [TagBlock] {
        events.compactMap { if case .tagBlock(let block) = $0 { block } else { nil } }
    }

    /// The last reported view.
    var view: SatelliteView? {
        events.compactMap { if case .satellites(let view) = $0 { view } else { nil } }.last
    }

    /// The satellites of the last reported view: `G05 R24`.
    var inView: String {
        (view?.satellites ?? []).map(\.id.description).joined(separator: " ")
    }

    /// The only fix; an empty one if there is not exactly one.
    var fix: Fix { fixes.count == 1 ? fixes[0] : Fix() }
}
