// SPDX-License-Identifier: MIT
import GNSS

/// The quality and accuracy of the fix.
struct FixPanel: Panel {
    let title = "Fix"
    let minimumRows = 5

    func usefulRows(_ scene: Scene) -> Int? {
        6 + (Self.hasCorrections(scene) ? 1 : 0) + (Self.headings(scene) == nil ? 0 : 1)
            + (scene.model.fix?.vote == nil ? 0 : 1)
    }

    func note(_ scene: Scene) -> String { "u: \(scene.settings.units.name)" }

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let (glyphs, units, fix) = (scene.settings.glyphs, scene.settings.units, scene.fix)
        var rows = Rows(scene)
        let words = scene.model.fix.map(FixQualityText.text)
        // Shown after the quality if the age of corrections has no row of its own.
        let age =
            canvas.height > 5 ? nil : fix?.correctionAge.map { " \(String($0, decimals: 0)) s" }
        rows.add(
            "Quality", words.map { $0 + (age ?? "") },
            FixQualityText.style(scene.model.fix, isPast: scene.isPast))
        rows.add("Held for", scene.model.heldFor(at: scene.now).map { Elapsed.text($0) })
        let accuracy = fix?.accuracy
        let horizontal = accuracy?.horizontal.map { glyphs.plusMinus + units.accuracy($0) }
        let vertical = accuracy?.vertical.map {
            ", height \(glyphs.plusMinus)" + units.accuracy($0)
        }
        let headings = Self.headings(scene)
        // A device that sends only its attitude has no accuracy, so this row shows its headings.
        let isAttitudeOnly = scene.model.fix?.isAttitudeOnly ?? false
        if isAttitudeOnly {
            rows.add("Heading", headings)
        } else {
            rows.add("Accuracy", horizontal.map { $0 + (vertical ?? "") })
        }
        // DOP and satellites belong to the current epoch, even without a fix, not to the last
        // position.
        rows.add("DOP", Self.dilution(scene.model.fix?.dilution))
        let inView = scene.model.satellites.count
        let used = scene.model.fix?.satellitesUsed
        rows.add(
            "Satellites",
            used.map { "\($0) used" + (inView > 0 ? ", \(inView) in view" : "") }
                ?? (inView > 0 ? "\(inView) in view" : nil))
        var rest = canvas.height - 5
        if rest > 0, let vote = scene.model.fix?.vote {
            rows.add("Vote", vote.summary, vote.style)
            rest -= 1
        }
        if rest > 0, !isAttitudeOnly, let headings {
            rows.add("Heading", headings)
            rest -= 1
        }
        if rest > 0, let age = fix?.correctionAge {
            let station = fix?.correctionStation.map { ", station \($0)" } ?? ""
            rows.add("Corrected", "\(String(age, decimals: 1)) s ago\(station)")
            rest -= 1
        }
        if rest > 0 { rows.add("Estimated", accuracy?.source.map(Self.source)) }
        rows.draw(on: &canvas)
    }

    private static func hasCorrections(_ scene: Scene) -> Bool { scene.fix?.correctionAge != nil }

    /// Returns the true and magnetic heading, pitch and roll; `nil` if none is known.
    private static func headings(_ scene: Scene) -> String? {
        guard let attitude = scene.model.fix?.attitude else { return nil }
        let degree = scene.settings.glyphs.degree
        return list([
            ("", attitude.heading?.direction(decimals: 1), degree + "T"),
            ("", attitude.magneticHeading?.direction(decimals: 1), degree + "M"),
            ("pitch ", attitude.pitch, degree), ("roll ", attitude.roll, degree),
        ])
    }

    private static func dilution(_ dilution: DilutionOfPrecision?) -> String? {
        list([
            ("H ", dilution?.hdop, ""), ("V ", dilution?.vdop, ""), ("P ", dilution?.pdop, ""),
        ])
    }

    /// Returns the known values with their names and unit symbols; `nil` if none is known.
    private static func list(_ parts: [(name: String, value: Double?, sign: String)]) -> String? {
        let known = parts.compactMap { name, value, sign in
            value.map { name + String($0, decimals: 1) + sign }
        }
        return known.isEmpty ? nil : known.joined(separator: "  ")
    }

    private static func source(_ source: Accuracy.Source) -> String {
        switch source {
        case .standardDeviations: "by the receiver (GST)"
        case .expectedErrors: "by the receiver (GBS)"
        case .receiver: "by the receiver"
        case .dilution: "from the DOPs"
        }
    }
}

extension FixQualityText {
    /// Returns the style of a fix: red if there is none or it is outdated, yellow if it is 2D or
    /// its accuracy is worse than 15 m, otherwise green.
    static func style(_ fix: Fix?, isPast: Bool) -> Style {
        guard let fix, fix.mode > .noFix else { return Style(.poor).bold }
        if isPast { return Style(.poor) }
        let metres = fix.accuracy.horizontal ?? 10
        return Style(fix.mode == .twoD || metres > 15 ? .fair : .good).bold
    }
}
