// SPDX-License-Identifier: MIT
import GNSSNavigation

/// The 549 bits that the tags of a satellite's orbit authenticate.
struct OrbitData: Hashable {
    /// Words 1 to 4, and word 5, with 0 for all other bits.
    let words: [INAVWord]

    static let ranges = [6..<126, 6..<126, 6..<128, 6..<126, 6..<73]

    static func append(_ words: [INAVWord], to bits: inout BitString) {
        for (word, range) in zip(words, ranges) { bits.append(word, range) }
    }

    static let size = ranges.reduce(0) { $0 + $1.count }
}

/// The 141 bits that the tags of a satellite's differences of times authenticate.
struct TimingData: Hashable {
    static let ranges = [6..<105, 86..<128]
    static let size = ranges.reduce(0) { $0 + $1.count }
}

extension BitString {
    fileprivate mutating func append(_ word: INAVWord, _ range: Range<Int>) {
        var start = range.lowerBound
        while start < range.upperBound {
            let width = min(64, range.upperBound - start)
            append(long: word.number(start, width), width: width)
            start += width
        }
    }

    mutating func append(timing words: [INAVWord]) {
        for (word, range) in zip(words, TimingData.ranges) { append(word, range) }
    }

    mutating func append(zeros count: Int) {
        for _ in 0..<count / 32 { append(0 as UInt32, width: 32) }
        append(0 as UInt32, width: count % 32)
    }
}

/// The words of all satellites that tags may be about.
struct WordHistory {
    private struct Entry {
        let start: GalileoTime
        let word: INAVWord
        /// The issue of the orbit, in words 1 to 4.
        var issue: UInt64 { word.number(6, 10) }
    }

    /// The words by their satellite and type, in the order of transmission.
    private var entries: [[Entry]] = Array(repeating: [], count: 37 * types.count)

    private static let types = [1, 2, 3, 4, 5, 6, 10]

    private static func index(_ satellite: UInt8, _ type: Int) -> Int? {
        guard satellite <= 36, let place = types.firstIndex(of: type) else { return nil }
        return Int(satellite) * types.count + place
    }

    mutating func add(_ page: TimedPage) {
        guard let index = Self.index(page.svid, page.page.word.type) else { return }
        entries[index].append(Entry(start: page.start, word: page.page.word))
    }

    /// Removes words that were sent before a time.
    mutating func removeAll(before time: GalileoTime) {
        for index in entries.indices where entries[index].first.map({ $0.start < time }) ?? false {
            entries[index].removeAll { $0.start < time }
        }
    }

    /// The words in a window, the latest last.
    private func words(
        _ satellite: UInt8, _ type: Int, _ window: Range<GalileoTime>
    ) -> ArraySlice<Entry> {
        guard let index = Self.index(satellite, type) else { return [] }
        let all = entries[index]
        let end = all.lastIndex { $0.start < window.upperBound }.map { $0 + 1 } ?? 0
        let start = all[..<end].lastIndex { $0.start < window.lowerBound }.map { $0 + 1 } ?? 0
        return all[start..<end]
    }

    /// The window in which data of an age were sent before a time, in seconds.
    static func window(before time: GalileoTime, age: Int) -> Range<GalileoTime> {
        time - age * GalileoTime.subframe..<time
    }

    /// The latest complete data of a satellite's orbit in a window: words 1 to 4 of one issue, and
    /// the latest word 5, which has no issue. The other data have an earlier word 5 that was still
    /// sent in the last minute.
    func orbits(of satellite: UInt8, in window: Range<GalileoTime>) -> [OrbitData] {
        let received = (1...4).map { words(satellite, $0, window) }
        var tried: Set<UInt64> = []
        // Nearly always, the latest words have one issue.
        while let latest = received.compactMap({ $0.last { !tried.contains($0.issue) } })
            .max(by: { $0.start < $1.start })
        {
            tried.insert(latest.issue)
            let parts = received.compactMap { $0.last { $0.issue == latest.issue }?.word }
            guard parts.count == 4 else { continue }
            var lasts: [INAVWord] = []
            for entry in words(satellite, 5, window).reversed() {
                let word = entry.word.keeping(OrbitData.ranges[4])
                guard lasts.isEmpty || entry.start >= window.upperBound - 60 else { break }
                if !lasts.contains(word) { lasts.append(word) }
            }
            let first = zip(parts, OrbitData.ranges).map { $0.keeping($1) }
            return lasts.map { OrbitData(words: first + [$0]) }
        }
        return []
    }

    /// The latest words 6 and 10 of a satellite in a window.
    func timing(of satellite: UInt8, in window: Range<GalileoTime>) -> [INAVWord]? {
        guard let six = words(satellite, 6, window).last,
            let ten = words(satellite, 10, window).last
        else { return nil }
        return [six.word, ten.word]
    }
}
