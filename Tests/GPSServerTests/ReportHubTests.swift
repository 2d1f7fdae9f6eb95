// SPDX-License-Identifier: MIT
import GPSServer
import GPSTestSupport
import Synchronization
import Testing

/// The order in which clients receive reports.
@Suite(.timeLimit(.generous))
struct ReportHubTests {
    /// A client that records its reports and calls a closure at each.
    private final class Client: ReportRecipient {
        let received = Witness<String>()
        private let action: @Sendable (String) -> Void

        init(_ action: @escaping @Sendable (String) -> Void = { _ in }) {
            self.action = action
        }

        func send(reports: [UInt8]) {
            let text = String(decoding: reports, as: UTF8.self)
            received.note(text)
            action(text)
        }
    }

    private static let filter = {
        var filter = ReportFilter()
        filter.objects = true
        return filter
    }()

    private static func report(_ number: Int) -> Report {
        Report(.object, device: "/dev/a", bytes: Array("\(number)\n".utf8))
    }

    @Test func `a newer report does not overtake one that is sent to many clients in steps`() async
    {
        let hub = ReportHub()
        let run = Task { await hub.run() }
        let isFirst = Mutex(true)
        let leaving = (0..<400).map { _ in Client() }
        // When the first client has the first report, enough have left to send the second in one step.
        let staying = (0..<200).map { _ in
            Client { [weak hub] _ in
                let isFirst = isFirst.withLock { isFirst in
                    defer { isFirst = false }
                    return isFirst
                }
                guard isFirst, let hub else { return }
                for client in leaving { hub.remove(client) }
                hub.append(Self.report(2))
                #expect(!hub.flush(), "the first report is on its way")
            }
        }
        for client in leaving + staying { hub.set(Self.filter, for: client) }
        hub.publish(Self.report(1))
        for client in staying {
            #expect(await client.received.first(2) == ["1\n", "2\n"])
        }
        #expect(leaving.allSatisfy { !$0.received.all.contains("2\n") })
        run.cancel()
        await run.value
    }

    @Test func `a client that requests pulses gets them without other JSON objects`() {
        var watch = Watch()
        (watch.isEnabled, watch.raw, watch.pps) = (true, 2, true)
        let pulse = Report(.timing, device: "/dev/a", bytes: [])
        #expect(ReportFilter(watch).passes(pulse))
        #expect(!ReportFilter(watch).passes(Self.report(1)))
        watch.isEnabled = false
        #expect(!ReportFilter(watch).passes(pulse))
    }

    @Test func `only clients that ask for scaled numbers get subframes`() {
        var watch = Watch()
        (watch.isEnabled, watch.json) = (true, true)
        let subframe = Report(.subframe, device: "/dev/a", bytes: [])
        #expect(!ReportFilter(watch).passes(subframe))
        watch.scaled = true
        #expect(ReportFilter(watch).passes(subframe))
        watch.json = false
        #expect(!ReportFilter(watch).passes(subframe))
    }

    @Test func `up to 200 clients get a report in one step`() {
        let hub = ReportHub()
        let clients = (0..<200).map { _ in Client() }
        for client in clients { hub.set(Self.filter, for: client) }
        hub.append(Self.report(1))
        #expect(hub.flush())
        #expect(clients.allSatisfy { $0.received.all == ["1\n"] })
    }
}
