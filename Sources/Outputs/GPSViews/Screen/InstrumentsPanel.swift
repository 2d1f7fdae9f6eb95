// SPDX-License-Identifier: MIT
import GNSS

/// The receiver's own assessment of its signals and errors, and the result of the integrity
/// monitor.
struct ReceiverPanel: Panel {
    let title = "Receiver"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? { scene.model.fix?.vote == nil ? 11 : 12 }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (units, glyphs) = (scene.settings.units, scene.settings.glyphs)
        // Interference and similar values belong to the current epoch, even without a fix, because
        // they may explain why there is none.
        let (now, fix) = (scene.model.fix, scene.fix)
        var rows = Rows(scene, isPast: scene.isEpochPast)
        rows.add("Integrity", now?.integrity.map { $0.summary }, now?.integrity.map(Self.style))
        if let vote = now?.vote { rows.add("Vote", Self.text(vote), vote.style) }
        rows.add("Jamming", now?.jamming.map(Self.text), now?.jamming.map(Self.style))
        rows.add("Spoofing", now?.spoofing.map(Self.text), now?.spoofing.map(Self.style))
        rows.add("Narrowband", now?.interferenceLevel.map { "\($0) of 255" })
        rows.add("Corrected", fix?.correctionSource.map { "by \(Self.text($0))" })
        let deviation = fix?.standardDeviation
        rows.add(
            "Deviation",
            Self.list(
                [
                    ("N", deviation?.latitude), ("E", deviation?.longitude),
                    ("U", deviation?.altitude),
                ], units.accuracy))
        rows.add(
            "Protection",
            fix?.protectionLevel.map {
                "\(units.accuracy(Double($0.horizontal))), height \(units.accuracy(Double($0.vertical)))"
            })
        let accuracy = fix?.accuracy
        rows.add("Speed", accuracy?.speed.map { "\(glyphs.plusMinus)\(units.speed($0))" })
        rows.add(
            "Course",
            accuracy?.course.map {
                "\(glyphs.plusMinus)\(String($0, decimals: 1))\(glyphs.degree)"
            })
        rows.add(
            "Time", accuracy?.time.map { "\(glyphs.plusMinus)\(String($0 * 1e9, decimals: 0)) ns" })
        rows.draw(on: &canvas)
    }

    private static func list(
        _ values: [(String, Double?)], _ text: (Double) -> String
    ) -> String? {
        let known = values.compactMap { name, value in value.map { "\(name) \(text($0))" } }
        return known.isEmpty ? nil : known.joined(separator: "  ")
    }

    private static func text(_ vote: Vote) -> String {
        let winner = vote.winner.map { ": \($0)" } ?? ""
        let witnesses =
            vote.witnesses.isEmpty ? "" : " with \(vote.witnesses.joined(separator: ", "))"
        let others =
            vote.dissent.map { "; not \($0)" } ?? ""
        return vote.state.rawValue + winner + witnesses + others
    }

    private static func style(_ integrity: Integrity) -> Style {
        switch integrity.state {
        case .ok: Style(.good)
        case .unknown, .warning: Style(.fair)
        case .alarm: Style(.poor)
        }
    }

    private static func text(_ state: JammingState) -> String {
        switch state {
        case .none: "none detected"
        case .warning: "interference"
        case .critical: "interference, no fix"
        }
    }

    private static func style(_ state: JammingState) -> Style {
        Style(state == .none ? .good : state == .warning ? .fair : .poor)
    }

    private static func text(_ state: SpoofingState) -> String {
        switch state {
        case .none: "none detected"
        case .indicated: "indicated"
        case .affirmed: "affirmed"
        }
    }

    private static func style(_ state: SpoofingState) -> Style {
        Style(state == .none ? .good : .poor)
    }

    private static func text(_ source: CorrectionSource) -> String {
        switch source {
        case .sbas: "SBAS"
        case .rtcm: "RTCM"
        case .spartn: "SPARTN"
        case .slas: "QZSS SLAS"
        case .clas: "QZSS CLAS"
        case .beiDou: "BeiDou"
        case .has: "Galileo HAS"
        }
    }
}

extension Vote {
    /// The style of the result: yellow if a receiver disagrees.
    var style: Style {
        switch state {
        case _ where !disagreeing.isEmpty: Style(.fair)
        case .agreed: Style(.good)
        case .disputed, .single, .noPosition: Style()
        }
    }
}
