// SPDX-License-Identifier: MIT
package import GNSS

/// The fixes of the last hour, in bounded memory. If fixes come faster than `limit` allows, some
/// are left out.
package struct FixHistory: Sendable {
    private static let length: Int64 = 3_600_000_000_000
    /// The limit of fixes in a page's initial state, for all receivers together: an hour of one
    /// receiver.
    private static let pictureLimit = 1_200

    /// The limit of kept fixes.
    private let limit: Int
    private var kept: [RecentFix] = []
    /// The number of fixes at the front that are too old.
    private var start = 0
    private var isBroken = true

    /// Creates an empty history.
    package init(limit: Int) {
        self.limit = max(2, limit)
    }

    /// The fixes, oldest first.
    package var fixes: ArraySlice<RecentFix> { kept[start...] }

    /// Makes the next fix begin a new segment.
    package mutating func endSegment() {
        isBroken = true
    }

    /// Adds a fix that arrived at `now`, in nanoseconds of Unix time.
    package mutating func add(_ fix: Fix, cn0: Double?, now: Int64) {
        let time = fix.time?.unixNanoseconds ?? now
        guard let new = RecentFix(fix, time: time, cn0: cn0) else { return endSegment() }
        if let last = kept.last {
            let spacing = Self.length / Int64(limit)
            if time < last.time || time - last.time > Self.length {
                // Time went back: the receiver has corrected its date, or a recording has started
                // again.
                removeAll()
            } else if !isBroken, time - last.time < spacing - spacing / 10 {
                // A tenth less than the spacing: receivers' instants are not quite even.
                return
            }
        }
        kept.append(new)
        kept[kept.count - 1].beginsSegment = isBroken
        isBroken = false
        while start < kept.count - 1,
            kept.count - start > limit || time - kept[start].time > Self.length
        {
            start += 1
        }
        if start > 256, start > kept.count / 2 {
            kept.removeFirst(start)
            start = 0
        }
    }

    private mutating func removeAll() {
        kept.removeAll()
        start = 0
        isBroken = true
    }

    /// Returns the fixes after an instant in nanoseconds of Unix time.
    package func fixes(after time: Int64) -> ArraySlice<RecentFix> {
        fixes.suffix(from: fixes.firstIndex { $0.time > time } ?? fixes.endIndex)
    }

    /// Returns a selection of the fixes for a page's initial state: one per second of the last five
    /// minutes, one per four seconds before. Returns fewer if `share` receivers would together
    /// exceed the limit.
    package func thinned(share: Int) -> [RecentFix] {
        let all = thinned(spacing: 1)
        let excess = (all.count * share + Self.pictureLimit - 1) / Self.pictureLimit
        return excess > 1 ? thinned(spacing: min(share, excess)) : all
    }

    /// Returns the same selection with `factor` times the spacing.
    private func thinned(spacing factor: Int) -> [RecentFix] {
        guard let end = fixes.last?.time else { return [] }
        var thinned: [RecentFix] = []
        var lastTime = Int64.min / 2
        var isBroken = false
        for fix in fixes {
            isBroken = isBroken || fix.beginsSegment
            let isRecent = end - fix.time < 300_000_000_000
            // Slightly less, since receivers' instants vary a little.
            let spacing = Int64(factor) * 1_000_000_000 * (isRecent ? 1 : 4) - 50_000_000
            guard fix.time - lastTime >= spacing || fix.time == end else { continue }
            lastTime = fix.time
            var fix = fix
            (fix.beginsSegment, isBroken) = (isBroken, false)
            thinned.append(fix)
        }
        return thinned
    }
}

extension FixHistory {
    /// Returns the fixes as an object with an array for each property.
    static func json(_ fixes: [RecentFix]) -> String {
        var object = JSONObject()
        let start = fixes.first?.time ?? 0
        func column(
            _ name: String, decimals: Int, _ value: (RecentFix) -> Double?
        ) {
            var text = TextBuffer()
            text.append(character: "[")
            for (index, fix) in fixes.enumerated() {
                if index > 0 { text.append(character: ",") }
                guard let value = value(fix), value.magnitude < 1e12 else {
                    text.append("null")
                    continue
                }
                text.append(fixed: value, decimals: decimals)
            }
            text.append(character: "]")
            object.add(name, json: String(decoding: text.array, as: UTF8.self))
        }
        object.add("start", Double(start) / 1e9, decimals: 3)
        column("seconds", decimals: 1) { Double($0.time - start) / 1e9 }
        column("lat", decimals: 7) { $0.latitude }
        column("lon", decimals: 7) { $0.longitude }
        column("alt", decimals: 1) { $0.fix.altitude ?? $0.fix.ellipsoidalAltitude }
        column("speed", decimals: 2) { $0.fix.speed }
        column("accuracy", decimals: 2) { $0.fix.accuracy.horizontal }
        column("hdop", decimals: 2) { $0.fix.dilution.hdop }
        column("cn0", decimals: 1) { $0.cn0.isFinite ? Double($0.cn0) : nil }
        column("used", decimals: 0) { $0.satellitesUsed.map(Double.init) }
        let breaks = fixes.indices.filter { fixes[$0].beginsSegment }
        object.add("breaks", json: "[" + breaks.map { "\($0)" }.joined(separator: ",") + "]")
        return object.description
    }
}
