// SPDX-License-Identifier: MIT
import CMeter
import Delegation
import Glibc

/// Measures the cost of a proxy, its observers and a stalled stream. Fails above the limits in
/// docs/delegation.md.
@main
struct Bench {
    private static let calls = 100_000

    static func main() {
        print("core \(cmeter_pin()); the fastest of 101 runs")
        var report = Report()
        let direct = measureRelaying(&report)
        measureObservers(direct, &report)
        measureStalledStream(&report)
        measureBacklogs(&report)
        measureForeignHosts(&report)
        exit(report.isWithinLimits ? EXIT_SUCCESS : EXIT_FAILURE)
    }

    /// Measures a call to a delegate through a proxy. Returns the time of a direct call.
    private static func measureRelaying(_ report: inout Report) -> Double {
        let panel = Panel()
        let adder = Adder()
        let direct = nanoseconds(each: calls) { call(adder, panel) }
        report.line("a direct call", direct, "ns")

        let weak = WeakPanel()
        weak.delegate = adder
        let weakly = nanoseconds(each: calls) { call(weak, panel) }
        report.line("… through a plain weak var, above it", weakly - direct, "ns")

        let proxy = PanelProxy(for: panel)
        let idle = nanoseconds(each: calls) { call(proxy, panel) }
        report.line("a proxy with neither delegate nor observer, above it", idle - direct, "ns")
        proxy.base.setForwardToDelegate(adder)
        let forwarded = nanoseconds(each: calls) { call(proxy, panel) }
        report.line(
            "… that forwards to a delegate, above a direct call", forwarded - direct, "ns",
            limit: 30)
        let total = Sum()
        proxy.picked.sentMessage.observe { total.value &+= $0 }
        let observed = nanoseconds(each: calls) { call(proxy, panel) }
        report.line("… its first observer", observed - forwarded, "ns", limit: 150)
        return direct
    }

    /// Measures the same method with more and more observers. The cost of each must be constant.
    private static func measureObservers(_ direct: Double, _ report: inout Report) {
        var each: [Double] = []
        for count in [1, 10, 100, 1_000, 10_000] {
            let panel = Panel()
            let proxy = PanelProxy(for: panel)
            let total = Sum()
            for _ in 0..<count { proxy.picked.sentMessage.observe { total.value &+= $0 } }
            let rounds = max(10, 100_000 / count)
            let time = nanoseconds(each: rounds) { call(proxy, panel, times: rounds) }
            each.append((time - direct) / Double(count))
            report.line(
                "one of \(count) observer\(count == 1 ? "" : "s")", each.last ?? 0, "ns",
                limit: 150)
        }
        // From 100 observers on, the call itself is negligible, so a cost that is more than linear
        // would be visible.
        report.line("one of 10000 beside one of 100", each[4] / each[2], "times", limit: 1.5)
    }

    /// Sends ten million events to a stream without a reader, and to an observer that receives all
    /// of them.
    private static func measureStalledStream(_ report: inout Report) {
        let (events, kept) = (10_000_000, 256)
        let panel = Panel()
        let proxy = PanelProxy(for: panel)
        let stream = proxy.picked.sentMessage.values(buffering: .newest(kept))
        let seen = Sum()
        proxy.picked.sentMessage.observe { _ in seen.value &+= 1 }
        // Memory that the first use allocates is not growth.
        call(proxy, panel, times: 10_000)
        let before = residentBytes()
        var fastest = Double.infinity
        for _ in 1..<(events / 10_000) {
            let start = cmeter_now()
            call(proxy, panel, times: 10_000)
            fastest = min(fastest, cmeter_now() - start)
        }
        let growth = residentBytes() - before
        report.line("an event past a stalled stream and an observer", fastest * 1e5, "ns")
        report.line("memory grown in \(events) of them", Double(growth) / 1024, "KiB", limit: 256)
        let missing = events - kept - stream.droppedCount
        report.line("… dropped and not counted", Double(abs(missing)), "events", limit: 0)
        report.line("… missed beside it", Double(abs(events - seen.value)), "events", limit: 0)
    }

    private static func call(_ delegate: any PanelDelegate, _ panel: Panel, times: Int = calls) {
        let delegate = anybody(delegate)
        for number in 0..<times { delegate.panel(panel, picked: number) }
    }

    /// Hosts know a delegate only by its protocol, so the compiler must not use the type here.
    @inline(never)
    private static func anybody(_ delegate: any PanelDelegate) -> any PanelDelegate { delegate }

    @inline(never)
    private static func call(_ host: WeakPanel, _ panel: Panel) {
        for number in 0..<calls { host.delegate?.panel(panel, picked: number) }
    }
}

/// Each buffered item must take about the same time for any number of items. Caches may make it
/// several times longer; a search for each item would make it a hundred times longer.
extension Bench {
    private static func measureBacklogs(_ report: inout Report) {
        func ratio(_ what: String, _ time: (Int) -> Double) {
            let (few, many) = (time(2_000), time(200_000))
            report.line("\(what): each of 200000", many, "ns")
            report.line("… beside each of 2000", many / few, "times", limit: 50)
        }
        ratio("a call that waits in an unbounded queue") { count in
            fastest(of: 5, each: count) {
                let executor = Waiting()
                let queue = DeliveryQueue(on: executor, buffering: .unbounded)
                for _ in 0..<count { queue.enqueue {} }
                for job in executor.jobs { job() }
            }
        }
        ratio("a call dropped from a queue of that length") { count in
            let queue = DeliveryQueue(on: Never(), buffering: .newest(count))
            for _ in 0..<count { queue.enqueue {} }
            return fastest(of: 5, each: count) { for _ in 0..<count { queue.enqueue {} } }
        }
    }

    private static func measureForeignHosts(_ report: inout Report) {
        let times = [300, 30_000].map { count in
            // The hosts of earlier rounds have been released and removed from the table.
            fastest(of: 3, each: count) {
                ProxyStorage.sweep()
                let hosts = (0..<count).map { _ in ForeignPanel() }
                for host in hosts { _ = ForeignPanelProxy.proxy(for: host) }
            }
        }
        report.line("a proxy of a foreign host: each of 30000", times[1], "ns")
        report.line("… beside each of 300", times[1] / times[0], "times", limit: 20)
    }

    /// Returns the time of the fastest of several runs, in nanoseconds for each of `count`
    /// operations.
    private static func fastest(of runs: Int, each count: Int, _ body: () -> Void) -> Double {
        let times = (0..<runs).map { _ in
            let start = cmeter_now()
            body()
            return cmeter_now() - start
        }
        return (times.min() ?? 0) * 1e9 / Double(count)
    }
}

/// Stores closures to run later. Safety: the benchmark has one thread.
private final class Waiting: CallbackExecutor, @unchecked Sendable {
    var jobs: [@Sendable () -> Void] = []

    func execute(_ work: @escaping @Sendable () -> Void) { jobs.append(work) }
}

/// Runs nothing.
private struct Never: CallbackExecutor {
    func execute(_ work: @escaping @Sendable () -> Void) {}
}

/// A total that only the measuring thread accesses.
// Safety: the benchmark has one thread.
private final class Sum: @unchecked Sendable {
    var value = 0
}

/// Prints a line for each result, and records whether all are within their limits.
struct Report {
    private(set) var isWithinLimits = true

    /// Prints a result, and reports it if it is above its limit.
    mutating func line(_ what: String, _ value: Double, _ unit: String, limit: Double? = nil) {
        var line = what + String(repeating: " ", count: max(1, 62 - what.count))
        let text = String((value * 10).rounded() / 10)
        line += String(repeating: " ", count: max(0, 12 - text.count)) + text + " " + unit
        if let limit {
            let isWithin = value <= limit
            isWithinLimits = isWithinLimits && isWithin
            line += isWithin ? "   (limit \(limit))" : "   ABOVE the limit of \(limit)"
        }
        print(line)
    }
}

/// Returns the time of the fastest of many short runs after a warm-up run, in nanoseconds for each
/// of `count` operations.
///
/// Other work on the machine only adds time. Some short runs are not affected by it.
func nanoseconds(each count: Int, _ body: () -> Void) -> Double {
    body()
    let runs = (0..<101).map { _ in
        let start = cmeter_now()
        body()
        return cmeter_now() - start
    }
    return (runs.min() ?? 0) * 1e9 / Double(count)
}

/// Returns the memory that the process uses according to the kernel (resident set), in bytes.
func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var text = [CChar](repeating: 0, count: 128)
    guard fgets(&text, CInt(text.count), file) != nil else { return 0 }
    let pages = text.prefix { $0 != 0 }.split(separator: 32).dropFirst().first.flatMap { digits in
        Int(String(decoding: digits.map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
    return (pages ?? 0) * sysconf(CInt(_SC_PAGESIZE))
}

/// Receives a number.
protocol PanelDelegate: AnyObject {
    func panel(_ panel: Panel, picked number: Int)
}

/// A class with a delegate.
final class Panel: Sendable {}

/// Adds up what it receives.
final class Adder: PanelDelegate {
    var sum = 0

    func panel(_ panel: Panel, picked number: Int) { sum &+= number }
}

/// A class with a weak delegate, as usual, and without other members.
final class WeakPanel {
    weak var delegate: (any PanelDelegate)?
}

/// Declares an event for the delegate's method.
final class PanelProxy: PanelDelegate {
    let base: DelegateProxy<Panel, any PanelDelegate>
    let picked: MethodEvent<Int>

    init(for panel: Panel) {
        base = DelegateProxy(host: panel)
        picked = base.event("picked")
    }

    func panel(_ panel: Panel, picked number: Int) {
        base.relay(picked, number) { $0.panel(panel, picked: number) }
    }
}

/// A class that does not store its proxies.
final class ForeignPanel: HasDelegate {
    weak var delegate: (any PanelDelegate)?
}

/// Declares an event for the delegate's method.
final class ForeignPanelProxy: DelegateProxyType, PanelDelegate {
    let base: DelegateProxy<ForeignPanel, any PanelDelegate>

    init(_ base: DelegateProxy<ForeignPanel, any PanelDelegate>) { self.base = base }

    static func registerKnownImplementations() { register { ForeignPanelProxy($0) } }

    func panel(_ panel: Panel, picked number: Int) {}
}
