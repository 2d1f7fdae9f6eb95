// SPDX-License-Identifier: MIT
package import GNSS
package import GPSFormats

/// A filter for the fixes of a receiver that are published.
package struct FixRate: Sendable {
    private var thinning: FixThinning
    private let onChange: Bool
    private var last: Fix?

    /// The minimum distance in metres from the last published fix with `onChange`; a worse accuracy
    /// of the fix increases it.
    private static let step = 10.0

    /// Creates a filter that accepts the selected fixes; with `onChange`, only fixes that differ
    /// from the last one by more than their accuracy.
    package init(_ selection: FixSelection = FixSelection(), onChange: Bool = false) {
        thinning = FixThinning(selection)
        self.onChange = onChange
    }

    /// Returns whether a fix is published. Of fixes without a position only the first one after a
    /// fix with a position is.
    package mutating func accepts(_ fix: Fix) -> Bool {
        guard fix.coordinate != nil else {
            defer { last = fix }
            return last.map { $0.coordinate != nil } ?? true
        }
        guard thinning.decision(on: fix).isWritten || last?.coordinate == nil else { return false }
        guard !onChange || isChange(fix) else { return false }
        last = fix
        return true
    }

    private func isChange(_ fix: Fix) -> Bool {
        guard let last, let position = fix.coordinate, let old = last.coordinate,
            last.mode == fix.mode, last.quality == fix.quality
        else { return true }
        let distance = LocalPlane(at: old).place(position).distance
        return distance >= max(Self.step, fix.accuracy.horizontal ?? 0)
    }
}
