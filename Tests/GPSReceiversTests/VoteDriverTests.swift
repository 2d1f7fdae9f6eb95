// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSIntegrity
import GPSReceivers
import GPSTestSupport
import NMEA
import Synchronization
import Testing

/// A source that gives a tty under a different name, like "any receiver".
private struct OtherName: DeviceSource {
    let serial: SerialSource
    let name = "another name"
    let identity = SourceIdentity.unique()
    var origin: DataOrigin { .live }

    func open() async throws(DeviceError) -> any DeviceConnection { try await serial.open() }
    func availability() -> (any DeviceAvailability)? { serial.availability() }
}

/// Receivers on ttys that are read as one. Undelayed, because a vote waits only briefly for a late
/// epoch.
@Suite(.timeLimit(.generous), .undelayed)
final class VoteDriverTests {
    /// A vote, and what its session sends.
    private final class Observed: Sendable {
        let epochs = Witness<ReceiverEpoch>()
        let conditions = Witness<ReceiverCondition>()
        let messages = Witness<String>()
        let sentences = Witness<String>()
        /// `fix` and `satellites` in their order, each with the second of its time.
        let order = Witness<String>()
        let pool = ReceiverPool()
        let session: ReceiverSession

        /// The last condition. On a busy machine, a pause of the receivers counts as silence.
        var lastCondition: ReceiverCondition? {
            conditions.all.last { if case .silent = $0 { false } else { true } }
        }

        init(_ members: [ConsensusSource.Member]) {
            session = pool.session(for: ConsensusSource(members))
        }

        convenience init(_ receivers: [ScriptedReceiver]) {
            self.init(
                zip(["a", "b", "c"], receivers).map { name, receiver in
                    ConsensusSource.Member(receiver.source, name: name)
                })
        }

        func join() -> [ScopedSubscription] {
            let sentences = session.sentences.observe { [sentences] in
                sentences.note(String(decoding: $0, as: UTF8.self))
            }.scoped
            let updates = session.join { [epochs, conditions, messages, order] update in
                switch update {
                case .epoch(let epoch):
                    order.note("fix \(epoch.fix.time?.time.second ?? -1)")
                    epochs.note(epoch)
                case .satellites(let view):
                    order.note("satellites \(view.time?.time.second ?? -1)")
                case .condition(let condition, _): conditions.note(condition)
                case .notice(.member(let text)): messages.note(text)
                case .notice(.vote(let vote)): messages.note(vote.summary)
                case .notice: break
                }
            }
            return [sentences, updates]
        }
    }

    /// Keeps the vote open until the end of the test.
    private var subscriptions: [ScopedSubscription] = []

    private func receivers(_ count: Int) throws -> [ScriptedReceiver] {
        try (0..<count).map { _ in try ScriptedReceiver() }
    }

    /// Returns receivers, and their vote, which is observed until the end of the test.
    private func vote(of count: Int) throws -> ([ScriptedReceiver], Observed) {
        let receivers = try receivers(count)
        let observed = Observed(receivers)
        subscriptions = observed.join()
        return (receivers, observed)
    }

    /// Sends epochs until the vote has sent one in which all agree.
    private func settle(_ receivers: [ScriptedReceiver], _ observed: Observed) async -> Int {
        for receiver in receivers { await receiver.waitForReader() }
        var second = 0
        while !Task.isCancelled,
            observed.epochs.all.last?.fix.vote?.witnesses.count != receivers.count - 1
        {
            await advance(observed, from: &second) {
                for receiver in receivers { await receiver.sendEpoch($0) }
            }
        }
        return second
    }

    /// Sends epochs until the vote has sent one more. A busy machine may cost the vote some of them.
    private func advance(
        _ observed: Observed, from second: inout Int, _ send: (Int) async -> Void
    ) async {
        let count = observed.epochs.all.count
        while observed.epochs.all.count == count, !Task.isCancelled {
            await send(second)
            second += 1
            // A vote decides within a second.
            await withTaskGroup { group in
                group.addTask { _ = await observed.epochs.first(count + 1) }
                group.addTask { _ = await Poller.shared.sleep(until: .now + .seconds(2)) }
                await group.next()
                group.cancelAll()
            }
        }
    }

    /// Whether the vote sends one more epoch.
    private func decides(
        _ receivers: [ScriptedReceiver], _ observed: Observed, from first: Int
    ) async -> Bool {
        let count = observed.epochs.all.count
        var second = first
        await advance(observed, from: &second) {
            for receiver in receivers { await receiver.sendEpoch($0) }
        }
        return observed.epochs.all.count > count
    }

    /// Whether the epochs have times, each later than the one before it.
    private func areInOrder(_ epochs: some Collection<ReceiverEpoch>) -> Bool {
        let times = epochs.compactMap { $0.fix.time }
        return times.count == epochs.count
            && zip(times, times.dropFirst()).allSatisfy { $0.isBefore($1) }
    }

    @Test func `receivers that agree send one epoch for each instant, that of the winner`()
        async throws
    {
        let (receivers, observed) = try vote(of: 3)
        var second = await settle(receivers, observed)
        for _ in 0..<5 {
            await advance(observed, from: &second) {
                for receiver in receivers { await receiver.sendEpoch($0) }
            }
        }
        let epochs = observed.epochs.all.suffix(5)
        #expect(areInOrder(epochs))
        // If the machine pauses, one decision may precede the epoch of a witness.
        let agreed = epochs.filter { $0.fix.vote?.state == .agreed }
        #expect(agreed.count >= 4)
        #expect(epochs.allSatisfy { $0.arrival != nil })
        let winners = Set(epochs.compactMap { $0.fix.vote?.winner })
        #expect(winners.count == 1)
        #expect(agreed.count { $0.fix.vote?.witnesses.count == 2 } >= 3)
        // The device is the winner's.
        let index = try #require(winners.first.flatMap { ["a", "b", "c"].firstIndex(of: $0) })
        #expect(epochs.first?.device == receivers[index].path)
    }

    @Test func `the satellites of the winner come after its fix`() async throws {
        let (receivers, observed) = try vote(of: 3)
        var second = await settle(receivers, observed)
        var list = SentenceWriter()
        list.write(body: "GPGSV,1,1,01,05,62,286,44")
        for _ in 0..<4 {
            await advance(observed, from: &second) {
                // The first receiver's fix waits for those of the others.
                let bytes = ScriptedReceiver.epoch($0) + list.bytes
                for receiver in receivers {
                    await receiver.send(String(decoding: bytes, as: UTF8.self))
                }
            }
        }
        await observed.order.wait { $0.hasPrefix("satellites") }
        let order = observed.order.all
        for (index, entry) in order.enumerated() where entry.hasPrefix("satellites ") {
            let fix = "fix \(entry.dropFirst("satellites ".count))"
            #expect(order[..<index].contains(fix), "\(order)")
        }
    }

    @Test func `only the winner's sentences are passed on`() async throws {
        let (receivers, observed) = try vote(of: 3)
        var second = await settle(receivers, observed)
        let count = observed.epochs.all.count
        let sentenceCount = observed.sentences.all.count
        for _ in 0..<5 {
            await advance(observed, from: &second) {
                await receivers[0].sendEpoch($0)
                await receivers[1].sendEpoch($0)
                await receivers[2].sendEpoch($0, latitude: 48.3)
            }
        }
        let epochs = observed.epochs.all.dropFirst(count)
        #expect(epochs.allSatisfy { $0.fix.vote?.winner != "c" })
        #expect(epochs.allSatisfy { $0.fix.vote?.disagreeing == ["c"] })
        #expect(epochs.allSatisfy { $0.fix.coordinate?.latitude == 48.2 })
        let sentences = observed.sentences.all.dropFirst(sentenceCount)
        #expect(sentences.count >= 10)
        #expect(sentences.allSatisfy { $0.contains("4812.0") }, "\(sentences)")
    }

    @Test func `no sentence of an instant is passed on before its vote`() async throws {
        let (receivers, observed) = try vote(of: 3)
        for receiver in receivers { await receiver.waitForReader() }
        // While the end of a cycle isn't known, the first sentence of the next one completes an epoch.
        for second in 0..<6 {
            let count = observed.epochs.all.count
            let parts = ScriptedReceiver.epoch(second).split(separator: 0x0A).map {
                String(decoding: $0, as: UTF8.self) + "\n"
            }
            // Without a pause between the cycles, as of a line that is busy all the time.
            let next = ScriptedReceiver.epoch(second + 1).split(separator: 0x0A).first
            for receiver in receivers {
                if second == 0 { await receiver.send(parts[0]) }
                await receiver.send(parts[1] + String(decoding: next ?? [], as: UTF8.self) + "\n")
            }
            _ = await observed.epochs.first(count + 1)
            let times = observed.sentences.all.map { $0.dropFirst(7).prefix(6) }
            let last = observed.epochs.all.last?.fix.time?.time.second ?? 0
            #expect(times.allSatisfy { Int($0.suffix(2)) ?? 99 <= last }, "\(times)")
        }
    }

    @Test func `an unplugged winner is replaced in the next epoch`() async throws {
        let (receivers, observed) = try vote(of: 2)
        var second = await settle(receivers, observed)
        let winner = try #require(observed.epochs.all.last?.fix.vote?.winner)
        let index = winner == "a" ? 0 : 1
        let count = observed.epochs.all.count
        receivers[index].unplug()
        await observed.messages.wait { $0.contains("is gone") }
        for _ in 0..<3 {
            await advance(observed, from: &second) { await receivers[1 - index].sendEpoch($0) }
        }
        let epochs = observed.epochs.all.dropFirst(count)
        #expect(areInOrder(epochs))
        #expect(epochs.allSatisfy { $0.fix.vote?.winner != winner })
        #expect(epochs.allSatisfy { $0.fix.vote?.state == .single })
        // The other one is still open.
        #expect(observed.lastCondition == .open(device: "vote", problem: nil))
    }

    @Test func `the vote is lost with its last receiver, and comes back with the first`()
        async throws
    {
        let folder = try TemporaryFolder()
        let links = ["a", "b"].map { folder.path($0) }
        var receivers = try links.map { try ScriptedReceiver(link: $0) }
        let observed = Observed(receivers)
        subscriptions = observed.join()
        _ = await settle(receivers, observed)
        for receiver in receivers { receiver.unplug() }
        await observed.conditions.wait { if case .lost = $0 { true } else { false } }
        receivers = [try ScriptedReceiver(link: links[1])]
        await receivers[0].waitForReader()
        var second = 1800
        await advance(observed, from: &second) { await receivers[0].sendEpoch($0) }
        #expect(observed.epochs.all.last?.fix.vote?.winner == "b")
        #expect(observed.lastCondition == .open(device: "vote", problem: nil))
    }

    @Test func `the receivers are closed with the last observer, and opened again with the next`()
        async throws
    {
        let (receivers, observed) = try vote(of: 2)
        let first = await settle(receivers, observed)
        subscriptions = []
        for receiver in receivers { await receiver.waitUntilUnread() }
        subscriptions = observed.join()
        for receiver in receivers { await receiver.waitForReader() }
        #expect(await decides(receivers, observed, from: first))
    }

    @Test func `reopening the vote reopens its receivers`() async throws {
        let (receivers, observed) = try vote(of: 2)
        let first = await settle(receivers, observed)
        let openings = observed.messages.all.filter { $0.contains("reading ") }.count
        observed.session.reopen()
        await observed.conditions.wait { if case .lost = $0 { true } else { false } }
        var messages = observed.messages.all
        while messages.filter({ $0.contains("reading ") }).count < openings + 2 {
            messages = await observed.messages.first(messages.count + 1)
        }
        #expect(await decides(receivers, observed, from: first))
    }

    @Test func `the alarms of receivers continue after their vote is reopened`() async throws {
        let (receivers, observed) = try vote(of: 2)
        let alarms = Witness<AlarmChange>()
        let changes = observed.pool.alarmChanges.observe { alarms.note($0) }.scoped
        for receiver in receivers { await receiver.waitForReader() }
        // The time of both goes back.
        for second in Array(640..<650) + Array(625..<630) {
            for receiver in receivers { await receiver.sendEpoch(second) }
        }
        _ = await alarms.first(2)
        let openings = observed.messages.all.filter { $0.contains("reading ") }.count
        observed.session.reopen()
        var messages = observed.messages.all
        while messages.filter({ $0.contains("reading ") }).count < openings + 2 {
            messages = await observed.messages.first(messages.count + 1)
        }
        for second in 660..<665 {
            for receiver in receivers { await receiver.sendEpoch(second) }
        }
        await observed.epochs.wait { $0.fix.time?.time.minute == 11 }
        let later = observed.epochs.all.filter { $0.fix.time?.time.minute == 11 }
        #expect(later.allSatisfy { $0.fix.integrity?.state == .alarm })
        #expect(alarms.all.map(\.state) == ["alarm", "alarm"])
        withExtendedLifetime(changes) {}
    }

    @Test func `a silent receiver delays one epoch`() async throws {
        let (receivers, observed) = try vote(of: 3)
        var second = await settle(receivers, observed)
        let count = observed.epochs.all.count
        // The first is decided by the clock, the next ones by the two that are left.
        await receivers[0].sendEpoch(second)
        await receivers[1].sendEpoch(second)
        _ = await observed.epochs.first(count + 1)
        second += 1
        await advance(observed, from: &second) {
            await receivers[0].sendEpoch($0)
            await receivers[1].sendEpoch($0)
        }
        let epochs = observed.epochs.all.dropFirst(count)
        #expect(epochs.allSatisfy { $0.fix.vote?.witnesses.count == 1 })
        #expect(epochs.allSatisfy { $0.fix.vote?.state == .agreed })
    }

    @Test func `a dispute is a warning, and is reported`() async throws {
        let (receivers, observed) = try vote(of: 2)
        var second = await settle(receivers, observed)
        var disputed: Fix?
        // On a busy machine the epoch of one may come too late.
        while disputed == nil, !Task.isCancelled {
            await receivers[0].sendEpoch(second)
            // A change of the quality is not compared, so the jump is not an alarm of its own.
            await receivers[1].sendEpoch(second, latitude: 48.21, quality: .differential)
            second += 1
            _ = await Poller.shared.sleep(until: .now + .milliseconds(10))
            disputed = observed.epochs.all.map(\.fix).first { $0.vote?.state == .disputed }
        }
        let fix = try #require(disputed)
        #expect(fix.vote?.radius == nil)
        #expect(fix.integrity?.reasons.map(\.test).contains(.receiversDisagree) == true)
        await observed.messages.wait { $0.contains("disputed by") }
    }

    @Test func `witnesses are reported when they have changed for ten epochs`() async throws {
        let (receivers, observed) = try vote(of: 3)
        var second = await settle(receivers, observed)
        let winner = try #require(observed.epochs.all.last?.fix.vote?.winner)
        let others = ["a", "b", "c"].filter { $0 != winner }
        /// Sends epochs, in which the last of the others may have no position.
        func send(_ count: Int, isLost: Bool) async {
            for _ in 0..<count {
                await advance(observed, from: &second) {
                    for (name, receiver) in zip(["a", "b", "c"], receivers) {
                        await receiver.sendEpoch(
                            $0, quality: isLost && name == others[1] ? .invalid : .autonomous)
                    }
                }
            }
        }
        await send(12, isLost: false)
        let all = "\(winner), confirmed by \(others[0]), \(others[1])"
        await observed.messages.wait { $0 == all }
        /// On a busy machine, a late epoch may be reported as a dispute, and a pause as silence.
        func reports() -> [String] {
            observed.messages.all.filter { $0.contains("confirmed by ") && !$0.contains("not by ") }
        }
        let before = reports()
        await send(1, isLost: true)
        await send(2, isLost: false)
        #expect(reports() == before)
        await send(12, isLost: true)
        #expect(reports() == before + ["\(winner), confirmed by \(others[0])"])
    }

    /// Reads recordings of these seconds as one receiver to their end. Returns the epochs.
    private func epochsOfRecordings(_ seconds: [Range<Int>]) async throws -> [ReceiverEpoch] {
        let folder = try TemporaryFolder()
        let files = try seconds.enumerated().map { index, seconds in
            try folder.file("\(index).nmea", seconds.flatMap { ScriptedReceiver.epoch($0) })
        }
        let pool = ReceiverPool()
        // Slow enough that all are read at the same time on a busy machine.
        let source = ConsensusSource(files.map { .init(FileSource($0, speed: 10)) })
        let epochs = Witness<ReceiverEpoch>()
        let conditions = Witness<ReceiverCondition>()
        let subscription = pool.join(source) { update in
            if case .epoch(let epoch) = update { epochs.note(epoch) }
            if case .condition(let condition, _) = update { conditions.note(condition) }
        }
        await conditions.wait { $0.hasEnded }
        withExtendedLifetime(subscription) {}
        return epochs.all
    }

    @Test func `recordings end with the last one`() async throws {
        let epochs = try await epochsOfRecordings([0..<10, 0..<20])
        let seconds = epochs.compactMap { $0.fix.time?.time.second }
        #expect(seconds == seconds.sorted() && Set(seconds).count == seconds.count)
        #expect(seconds.last == 19)
        #expect(epochs.contains { $0.fix.vote?.state == .agreed })
        #expect(epochs.last?.fix.vote?.state == .single)
    }

    @Test func `recordings that begin at different times are compared at equal times`()
        async throws
    {
        let epochs = try await epochsOfRecordings([0..<40, 15..<40])
        let seconds = epochs.compactMap { $0.fix.time?.time.second }
        #expect(seconds.first == 0 && seconds == seconds.sorted())
        let agreed = epochs.filter { $0.fix.vote?.state == .agreed }
        // The first epochs are needed to learn when an epoch is complete.
        #expect(agreed.count >= 15 && agreed.allSatisfy { $0.fix.time?.time.second ?? 0 >= 15 })
    }

    @Test func `a receiver under two names does not confirm itself`() async throws {
        let receiver = try ScriptedReceiver()
        let source = receiver.source
        let observed = Observed([
            ConsensusSource.Member(source, name: "a"),
            ConsensusSource.Member(OtherName(serial: source), name: "b"),
        ])
        subscriptions = observed.join()
        await observed.messages.wait { $0.contains(" is the same receiver as ") }
        await receiver.sendEpochs { _ = await observed.epochs.first(3) }
        #expect(observed.epochs.all.allSatisfy { $0.fix.vote?.state == .single })
    }

    @Test func `the same receivers are one session`() throws {
        let receivers = try receivers(2)
        let sources = receivers.map { ConsensusSource.Member($0.source) }
        let pool = ReceiverPool()
        let session = pool.session(for: ConsensusSource(sources))
        #expect(pool.session(for: ConsensusSource(sources)) === session)
        #expect(pool.session(for: ConsensusSource(sources.reversed())) !== session)
    }
}

/// The flow control of a vote's recordings.
@Suite(.timeLimit(.generous))
struct VoteOfRecordingsTests {
    /// A consumer whose buffer is full after each epoch, until `makeSpace()` is called.
    private final class SlowConsumer: Sendable {
        private struct State {
            var isFull = false
            /// The number of epochs received while the buffer was full.
            var excess = 0
            var greatestExcess = 0
        }

        let member = SessionMember()
        /// For each epoch `false`, and for the end of the source `true`.
        let events = Witness<Bool>()
        private let state = Mutex(State())

        var greatestExcess: Int { state.withLock { $0.greatestExcess } }

        func receive(_ update: ReceiverUpdate) {
            switch update {
            case .epoch:
                // The lock is held until the source is paused, so that `makeSpace()` cannot come
                // between.
                state.withLock { state in
                    state.excess = state.isFull ? state.excess + 1 : 0
                    state.greatestExcess = max(state.greatestExcess, state.excess)
                    if !exchange(&state.isFull, with: true) { member.flow.setFull(true) }
                }
                events.note(false)
            case .condition(let condition, _) where condition.hasEnded: events.note(true)
            case .condition, .notice, .satellites: break
            }
        }

        func makeSpace() {
            state.withLock { state in
                if exchange(&state.isFull, with: false) { member.flow.setFull(false) }
            }
        }
    }

    @Test func `recordings of a vote wait for a slow consumer of the vote`() async {
        let bytes = (0..<50).flatMap { ScriptedReceiver.epoch($0) }
        let source = ConsensusSource(
            ["a", "b"].map { ConsensusSource.Member(BytesSource(bytes), name: $0) })
        let pool = ReceiverPool()
        let consumer = SlowConsumer()
        let subscription = pool.session(for: source).join(as: consumer.member) {
            consumer.receive($0)
        }
        var count = 0
        while !Task.isCancelled, !consumer.events.all.contains(true) {
            count = await consumer.events.first(count + 1).count
            consumer.makeSpace()
        }
        #expect(count > 25)
        // A recording may be in the middle of a line when the buffer becomes full.
        #expect(consumer.greatestExcess <= 3)
        withExtendedLifetime(subscription) {}
    }
}
