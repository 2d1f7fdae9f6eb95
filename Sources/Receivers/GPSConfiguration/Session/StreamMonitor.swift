// SPDX-License-Identifier: MIT
import UBX

/// Records which messages a receiver sends periodically, and measures its fix rate.
struct StreamMonitor: Sendable {
    /// The names of the messages received.
    private(set) var names: Set<String> = []
    /// The number of valid messages received.
    private(set) var count = 0

    /// For each message name, the time in the latest message, and the latest differences between
    /// consecutive times, in seconds.
    private var times: [String: Times] = [:]
    /// The current run: consecutive messages of the same name, with their total number of bytes so
    /// far. Within an epoch, a receiver sends all messages of a kind in a row, such as the parts of
    /// the lists of satellites.
    private var run = (name: "", bytes: 0)
    /// The sizes in bytes of the latest complete runs, by message name.
    private var runs: [String: [Int]] = [:]

    private struct Times {
        var last: Double
        var steps: [Double] = []
    }

    mutating func note(_ message: ReceivedMessage) {
        count += 1
        guard let name = name(of: message) else { return }
        names.insert(name)
        noteSize(of: message, name)
        guard let time = time(of: message, name) else { return }
        guard var known = times[name] else { return times[name] = Times(last: time) }
        let step = time - known.last
        known.last = time
        if step > 0, step < 60 { known.steps = known.steps.suffix(15) + [step] }
        times[name] = known
    }

    private mutating func noteSize(of message: ReceivedMessage, _ name: String) {
        if run.name != name {
            if !run.name.isEmpty {
                runs[run.name] = (runs[run.name] ?? []).suffix(8) + [run.bytes]
            }
            run = (name, 0)
        }
        run.bytes += message.size
    }

    /// The number of bytes per fix, by message name: the median of up to nine fixes.
    var sizes: [String: Int] { runs.mapValues { $0.sorted()[$0.count / 2] } }

    /// Returns the fixes per second, computed from the times in messages; `nil` with fewer than three
    /// differences between times. `intervals` contains the interval of each message in fixes. A
    /// message that it lacks is assumed to be sent with every fix.
    func rate(_ intervals: [String: Int]) -> Double? {
        let all = times.map { (name: $0.key, steps: $0.value.steps) }
        guard let (name, steps) = all.max(by: { $0.steps.count < $1.steps.count }),
            steps.count >= 3
        else { return nil }
        // A restart causes an epoch at an irregular time, so the median difference is used.
        return Double(intervals[name] ?? 1) / steps.sorted()[steps.count / 2]
    }

    private func name(of message: ReceivedMessage) -> String? {
        switch message {
        case .ubx(let id, _): return UBXMessageNames.name(id)
        case .line(let line):
            let address = line.dropFirst().prefix { $0 != "," }
            guard line.hasPrefix("$"), address.count == 5, !address.hasPrefix("P") else {
                return nil
            }
            return String(address.suffix(3))
        case .casic, .unicore: return nil
        }
    }

    /// Returns the time in a message, in seconds of the day or of the week.
    private func time(of message: ReceivedMessage, _ name: String) -> Double? {
        switch message {
        case .ubx(_, let payload) where ["NAV-PVT", "NAV-SOL", "NAV-EOE"].contains(name):
            return payload.number(at: 0, count: 4).map { Double($0) / 1000 }
        case .line(let line) where ["RMC", "GGA", "ZDA", "GNS"].contains(name):
            let fields = line.split(separator: ",", maxSplits: 2, omittingEmptySubsequences: false)
            guard fields.count > 1, fields[1].count >= 6, let time = Double(fields[1]) else {
                return nil
            }
            let minutes = (time / 100).rounded(.down)
            let hours = (minutes / 100).rounded(.down)
            return hours * 3600 + (minutes - hours * 100) * 60 + time - minutes * 100
        default: return nil
        }
    }
}
