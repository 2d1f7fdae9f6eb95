// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers

/// The screen's second row. It shows problems or, if there are none, the quality of the fix.
struct Banner {
    let text: String
    let style: Style

    init(_ scene: Scene) {
        let (model, glyphs) = (scene.model, scene.settings.glyphs)
        var parts: [String] = []
        if model.isSimulated { parts.append("SIMULATED") }
        if model.origin == .replay { parts.append("REPLAY") }
        // An unknown origin is only worth a warning if there is a position.
        let isUnknown = model.origin == .unknown && model.position != nil
        if isUnknown { parts.append("ORIGIN UNKNOWN") }
        let (state, role) = Self.state(scene)
        parts += state
        // A disconnected receiver has no current position whose integrity could be doubtful.
        let integrity = model.condition.isOpen ? model.fix?.integrity : nil
        if let integrity, integrity.state == .alarm || integrity.state == .warning {
            let state = integrity.state == .alarm ? "INTEGRITY ALARM" : "INTEGRITY WARNING"
            parts = [state] + integrity.reasons.prefix(1).map(\.text) + parts
        }
        let anchor = model.navigation?.anchor
        if let anchor, anchor.isAlarm {
            let state = anchor.condition == .drag ? "ANCHOR DRAGS" : "ANCHOR WATCH DOES NOT WORK"
            parts = [state, Self.cause(anchor, scene.settings.units)].compactMap(\.self) + parts
        }
        let dissent = model.condition.isOpen ? model.fix?.vote?.dissent : nil
        if let dissent { parts.insert("OUTVOTED: \(dissent)", at: 0) }
        if let shownProblem = model.shownProblem { parts.append(shownProblem) }
        if let receiver = model.chosenReceiver { parts.append("only \(receiver) of several") }
        text = parts.joined(separator: glyphs.separator)
        let isWarning =
            role == .poor || model.shownProblem != nil || integrity?.state == .alarm
            || anchor?.isAlarm == true
        let needsWarning =
            model.isSimulated || model.origin == .replay || isUnknown
            || integrity?.state == .warning || dissent != nil
        style =
            isWarning
            ? Style(.poor).bold.reversed
            : needsWarning ? Style(.fair).bold.reversed : Style(role).bold
    }

    /// Returns the cause of an anchor alarm: the distance from an anchor that drags, otherwise the
    /// reason why the anchor watch does not work. Returns `nil` if the cause is unknown.
    private static func cause(_ anchor: AnchorState, _ units: Units) -> String? {
        guard anchor.condition == .drag else { return anchor.reason }
        let radius = units.length(anchor.radius, decimals: 0)
        return anchor.distance.map {
            "\(units.length($0, decimals: 0)) away, the circle is \(radius)"
        }
    }

    private static func state(_ scene: Scene) -> ([String], Style.Role) {
        let (model, now) = (scene.model, scene.now)
        let past = model.conditionChanged.map { Elapsed.text(now.seconds(since: $0)) } ?? ""
        switch model.condition {
        case .searching: return (["WAITING FOR A RECEIVER"], .poor)
        case .waiting(let error): return (["WAITING FOR A RECEIVER", error.waitingReason], .poor)
        case .lost: return (["RECEIVER IS GONE \(past)", "waiting for it to come back"], .poor)
        case .ended(let ending):
            if let error = ending.error { return (["ENDED", "\(error)"], .poor) }
            // If a live source ends, it is a pipe read with `--live`.
            return ([model.origin == .live ? "END OF THE INPUT" : "END OF THE RECORDING"], .fair)
        case .open, .silent: break
        }
        if let age = model.staleness(at: now) {
            let isSilent = model.stream.lines.last.map { now.seconds(since: $0.moment) > 2 } ?? true
            let why = isSilent ? "no data arrives" : model.fix?.mode == .noFix ? "NO FIX" : ""
            return (
                ["FIX IS OLD (\(Int(nearest: age.rounded(.down))) s)", why].filter { !$0.isEmpty },
                .poor
            )
        }
        guard let fix = model.fix else {
            return ([model.stream.sentences == 0 ? "NO MESSAGE YET" : "NO FIX YET"], .poor)
        }
        guard fix.mode > .noFix else {
            return (["NO FIX"] + [strongest(model)].compactMap(\.self), .poor)
        }
        return (fixSummary(fix, scene), FixQualityText.style(fix, isPast: false).role)
    }

    /// Returns the number of received satellites and the best C/N0, which may explain why there is
    /// no fix.
    private static func strongest(_ model: ScreenModel) -> String? {
        guard !model.satellites.isEmpty else { return "no satellites in view" }
        let tracked = model.satellites.compactMap(\.cn0)
        guard let best = tracked.max() else {
            return "\(model.satellites.count) in view, none received"
        }
        let count = Plural.text(tracked.count, "satellite")
        return "\(count) received, the best at \(String(best, decimals: 0)) dB-Hz"
    }

    private static func fixSummary(_ fix: Fix, _ scene: Scene) -> [String] {
        let accuracy = fix.accuracy.horizontal.map {
            scene.settings.glyphs.plusMinus + scene.settings.units.accuracy($0)
        }
        let count = fix.satellitesUsed.map { "\($0) sats" }
        let dimensions = fix.mode == .threeD ? "3D fix" : "2D fix"
        let kind = fix.quality == .simulated ? nil : FixQualityText.kind(fix.quality)
        return [dimensions, kind, accuracy, count].compactMap(\.self)
    }
}
