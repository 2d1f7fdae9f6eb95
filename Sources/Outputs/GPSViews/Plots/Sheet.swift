// SPDX-License-Identifier: MIT
import GNSS

/// The heading of the sheet: the sources, the time span, the number of fixes, and a warning if the
/// data is not live.
struct SheetHeading {
    let title: String
    let lines: [String]
    /// The warning that the data is simulated, recorded or of unknown origin; `nil` for live data.
    let banner: (text: String, color: Color)?

    private static let maximumLength = 96

    init(_ plot: Plot) {
        title = Self.shortened(Self.name(plot.names))
        let banner = Self.banner(plot.counts)
        let isHidden = plot.settings.isOfRecordings && banner?.text == Self.replayed
        lines = [
            Self.span(plot.counts),
            Self.counts(plot.counts) + (isHidden ? " · from a recording" : ""),
        ]
        self.banner = isHidden ? nil : banner
    }

    private static func name(_ names: [String]) -> String {
        let names = names.map { $0 == "-" ? "standard input" : $0 }
        return switch names.count {
        case 0: "no source"
        case 1...3: names.joined(separator: ", ")
        default: names.prefix(2).joined(separator: ", ") + " and \(names.count - 2) more"
        }
    }

    /// Returns a string, with its middle replaced by an ellipsis if it is too long for the sheet.
    static func shortened(_ text: String) -> String {
        guard text.count > maximumLength else { return text }
        return text.prefix(maximumLength / 2 - 1) + "…" + text.suffix(maximumLength / 2)
    }

    // MARK: Time and counts

    private static func span(_ counts: FixCounts) -> String {
        guard let span = counts.span else { return "no fix with a position" }
        let seconds = span.last.seconds(since: span.first) ?? 0
        switch span.first.scale {
        case .order: return "no time was reported"
        case .timeOfDay:
            let (first, last) = (clock(span.first.nanoseconds), clock(span.last.nanoseconds))
            return "\(first) to \(last) UTC, day unknown (\(Elapsed.text(seconds)))"
        case .date:
            let first = UTCTime(unixNanoseconds: span.first.nanoseconds)
            let last = UTCTime(unixNanoseconds: span.last.nanoseconds)
            guard let first, let last else { return "" }
            let start = "\(first.description.prefix(10)) \(clock(span.first.nanoseconds))"
            let isSameDay = first.date == last.date
            let day = isSameDay ? "" : "\(last.description.prefix(10)) "
            guard seconds > 0 else { return "\(start) UTC" }
            return
                "\(start) to \(day)\(clock(span.last.nanoseconds)) UTC (\(Elapsed.text(seconds)))"
        }
    }

    private static func clock(_ nanoseconds: Int64) -> String {
        TimeOfDay(secondsOfDay: Int(nanoseconds / 1_000_000_000)).clock
    }

    private static func counts(_ counts: FixCounts) -> String {
        let fixes = counts.fixes == 1 ? "1 fix" : "\(GroupedNumber.text(counts.fixes)) fixes"
        guard counts.positions > 0 else { return "\(fixes), none with a position" }
        let kinds = counts.qualities.compactMap { quality, count in
            FixQualityText.kind(quality).map { "\($0) \(percent(count, counts.positions))" }
        }
        let all = counts.positions == counts.fixes
        let positions =
            all ? "all with a position" : "\(GroupedNumber.text(counts.positions)) with a position"
        return ([fixes, positions, "3D \(percent(counts.threeD, counts.positions))"] + kinds)
            .joined(separator: " · ")
    }

    /// Returns a percentage. Rounding never results in 100 % unless `count` equals `whole`, or in 0
    /// % unless `count` is 0.
    private static func percent(_ count: Int, _ whole: Int) -> String {
        let percentage = Double(count) / Double(max(1, whole)) * 100
        if count < whole, percentage > 99 {
            return "\(String(min(99.9, percentage), decimals: 1)) %"
        }
        if count > 0, percentage < 1 { return "\(String(max(0.1, percentage), decimals: 1)) %" }
        return "\(String(percentage, decimals: 0)) %"
    }

    // MARK: Banner

    private static func banner(_ counts: FixCounts) -> (text: String, color: Color)? {
        if counts.origins.isSimulated, counts.simulated == counts.positions {
            return ("SIMULATED: not the data of a receiver", Palette.simulated)
        }
        if counts.origins.isSimulated {
            return (
                "PARTLY SIMULATED: \(GroupedNumber.text(counts.simulated)) of "
                    + "\(GroupedNumber.text(counts.positions)) positions are simulated",
                Palette.simulated
            )
        }
        if counts.origins.isUnknown {
            return ("ORIGIN UNKNOWN: perhaps not where the receiver is now", Palette.replayed)
        }
        guard counts.origins.isReplayed else { return nil }
        return (replayed, Palette.replayed)
    }

    private static let replayed = "REPLAYED from a recording: not where the receiver is now"

    /// Draws the heading at the top of the sheet. Returns the y coordinate below it, for the
    /// panels.
    func draw(_ sheet: Frame, margin: Double, on drawing: inout Drawing) -> Double {
        var y = 8.0
        if let banner {
            drawing.fill(Frame(0, 0, sheet.width, 40), banner.color)
            drawing.text(
                banner.text, sheet.middle.x, 27,
                TextStyle(20, Palette.card, bold: true, .middle))
            y += 40
        }
        drawing.text(title, margin, y + 30, TextStyle(24, Palette.ink, bold: true))
        for (index, line) in lines.enumerated() {
            drawing.text(
                line, margin, y + 54 + Double(index) * 20, TextStyle(14, Palette.muted))
        }
        return y + 88
    }
}
