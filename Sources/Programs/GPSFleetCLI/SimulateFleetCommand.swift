// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSIO
import GPSReceivers

/// Publishes the fixes of simulated receivers.
struct SimulateFleetCommand: Command {
    static let name = "simulate"
    static let summary = "Publish the fixes of many simulated receivers."
    static let argumentSyntax = ""
    static let details = """
        The receivers drive in and around Vienna. Their fixes are handled like those of `gpsbridge \
        publish`, including the spool, and every message is marked as simulated.

        Examples:
          gpsbridge simulate --fleet 1000 --to nats://localhost --create-stream
          gpsbridge simulate --fleet 100000 --batch-time 60 --to nats://hub
          gpsbridge simulate --fleet 1 --past 7d --to nats://hub --backlog newest
        """

    static let options: [CommandOption<SimulateFleetCommand>] =
        TargetArguments.options.filter { $0.name != "bridge" }.stored(in: \.target) + simulating

    private static let simulating: [CommandOption<SimulateFleetCommand>] = [
        .refused(
            "bridge",
            because: "cannot be used with --fleet: each receiver has a bridge of its own, sim-1 to "
                + "sim-N; use --fleet-name for other names"),
        .init("fleet", \.count, .whole("N", 1...1_000_000), "Simulate N receivers"),
        .init(
            "rate", letter: "r", \.rate, .number("HZ", 0.001...20),
            "Fixes per second of each receiver (default: 1)"),
        .init(
            "past", \.past, .seconds("TIME"),
            "Begin with fixes from this long ago, such as 7d; they are sent as fast as the spool accepts them"
        ),
        .duration(\.duration),
    ]

    private var target = TargetArguments()
    private var count = 0
    private var rate = 1.0
    private var past = 0.0
    private var duration: Double?

    init() { target.namingOptions = "--fleet-name" }

    func run() async throws {
        guard count > 0 else { throw UsageError("--fleet N is missing") }
        let fleet = SimulatedFleet(count: count, fleet: target.fleet)
        let members = (0..<count).compactMap { fleet.member($0) }
        let inbox = try PublisherInbox()
        let publisher = try target.publisher(inbox, of: members)
        let start = MonotonicInstant.now
        let driver = SimulatedFleetDriver(
            fleet: fleet, members: members, rate: rate, past: past, duration: duration,
            inbox: inbox)
        let driving = Task(executorPreference: BackgroundExecutor.shared) { await driver.run() }
        defer {
            driving.cancel()
            let seconds = MonotonicInstant.now.seconds(since: start)
            let counts = publisher.counts
            StandardError.print(
                "\(counts.fixes) fixes in \(counts.messages) messages of \(counts.bytes) bytes were stored "
                    + "in \(String(seconds, decimals: 1)) s; "
                    + Plural.text(counts.retries, "message was", "messages were") + " sent again")
        }
        try await publisher.run(receiverCount: 1)
    }
}

/// Runs simulated receivers. In each period, groups of receivers report one after the other, so
/// that not all receivers report at once.
private struct SimulatedFleetDriver: Sendable {
    let fleet: SimulatedFleet
    let members: [MemberName]
    let rate: Double
    let past: Double
    let duration: Double?
    let inbox: PublisherInbox

    /// The number of groups of receivers. The receivers of a group report at the same time.
    private static let groups = 50
    /// The number of unpublished fixes above which reporting pauses.
    private static let limit = 200_000

    /// Reports fixes until the duration is over or the task is cancelled.
    func run() async {
        let period = 1000 / rate
        let begin = BridgeClock.now
        var epoch = Int64((Double(begin) - past * 1000) / period)
        let end = duration.map { begin + Int64($0 * 1000) } ?? .max
        while !Task.isCancelled {
            let time = Int64(Double(epoch) * period)
            guard time < end else { break }
            for group in 0..<Self.groups {
                let due = time + Int64(period) * Int64(group) / Int64(Self.groups)
                await wait(until: due)
                guard !Task.isCancelled else { return }
                report(group, time)
            }
            epoch += 1
        }
        inbox.end()
    }

    private func report(_ group: Int, _ time: Int64) {
        let received = max(BridgeClock.now - 60_000, time) == time ? BridgeClock.now : time
        var fixes: [PublisherInbox.Incoming] = []
        for index in stride(from: group, to: members.count, by: Self.groups) {
            fixes.append(
                PublisherInbox.Incoming(
                    member: members[index], origin: .simulated,
                    row: FixRow(fleet.fix(index, at: time), received: received)))
        }
        if !fixes.isEmpty { inbox.append(fixes) }
    }

    private func wait(until due: Int64) async {
        while !Task.isCancelled {
            let delay = due - BridgeClock.now
            let isBehind = inbox.count > Self.limit
            guard delay > 0 || isBehind else { return }
            let pause = isBehind ? 10 : min(delay, 1000)
            _ = await Poller.shared.sleep(until: .now + .milliseconds(pause))
        }
    }
}
