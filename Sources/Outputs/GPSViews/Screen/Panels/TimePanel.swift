// SPDX-License-Identifier: MIT
import GNSS

/// The receiver's time, in UTC and local time, and the offset of the system's clock.
struct TimePanel: Panel {
    let title = "Time"
    let minimumRows = 3

    func draw(_ scene: Scene, on canvas: inout Canvas) {
        let zone = scene.settings.fixZone
        var rows = Rows(scene)
        let time = scene.model.fix?.time
        rows.add("UTC", time.map(Self.text) ?? Self.timeAlone(scene.model.fix))
        let local = time.flatMap {
            UTCTime(
                unixNanoseconds: $0.unixNanoseconds &+ Int64(zone.offset) &* 1_000_000_000)
        }
        rows.add("Local", local.map { Self.text($0) + " " + zone.name })
        rows.add("Clock", offset(scene))
        rows.draw(on: &canvas)
    }

    private static func text(_ time: UTCTime) -> String {
        let text = time.description
        return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
    }

    private static func timeAlone(_ fix: Fix?) -> String? {
        fix?.timeOfDay.map { "no date yet " + $0.clock }
    }

    /// Returns the offset of the system's clock from the receiver's; `nil` if it is unknown, or for
    /// a recording, whose times are in the past.
    private func offset(_ scene: Scene) -> String? {
        guard scene.model.origin != .replay, let offset = scene.model.stream.clockOffset else {
            return nil
        }
        if abs(offset) >= 86_400 { return "off by \(Int(nearest: abs(offset) / 86_400)) days" }
        if offset < -0.001 { return "system \(String(-offset, decimals: 3)) s behind" }
        return "system \(String(max(0, offset), decimals: 3)) s ahead"
    }
}
