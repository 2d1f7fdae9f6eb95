// SPDX-License-Identifier: MIT
package import GNSS
package import GPSFormats

/// Which of a receiver's fixes are published.
package struct FixRate: Sendable {
    private var thinning: FixThinning
    private let onChange: Bool
    private var last: Fix?

    /// Metres that a fix has to lie from the last one with `onChange`, where its accuracy is better.
    private static let step = 10.0

    /// Publishes what is selected; with `onChange` what differs from the last fix by more than it may be off.
    package init(_ selection: FixSelection = FixSelection(), onChange: Bool = false) {
        thinning = FixThinning(selection)
        self.onChange = onChange
    }

    /// Whether a fix is published. Without a position that is the first one after one with a position.
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
