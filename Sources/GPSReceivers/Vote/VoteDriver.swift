// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSIntegrity
import NMEA

/// Reads the receivers of a vote by their own sessions, and sends the results as the updates of another one.
// Safety: it is used on the polling thread only: by the session's task, by tasks that prefer that thread, and
// by the observers of the receivers' sessions, which are called there.
final class VoteDriver: @unchecked Sendable {
    /// One epoch of a receiver, until its instant is decided.
    private struct Cycle {
        let number: Int
        let epoch: ReceiverEpoch
        let sentences: [[UInt8]]
    }

    private struct Member {
        let name: String
        let session: ReceiverSession
        var condition = ReceiverCondition.searching
        var reporter: ConditionReporter
        var count = 0
        /// The last epochs, the newest last.
        var cycles: [Cycle] = []
        /// The sentences since the last epoch.
        var sentences: [[UInt8]] = []
        var subscriptions: [ScopedSubscription] = []
        /// Observes the sentences, while they are wanted.
        var sentenceSubscription: ScopedSubscription?
    }

    /// The number of sentences without an epoch after which they are dropped.
    private static let mostSentences = 500

    private let session: ReceiverSession
    private let names: [String]
    private let dropsAlarms: Bool
    private var vote: ReceiverVote
    private var members: [Member]
    private var condition = ReceiverCondition.searching
    private var timer: (task: Task<Void, Never>, deadline: MonotonicInstant)?
    private var hasAlarm = false
    /// The last result, for messages.
    private var last: (state: Vote.State, receiver: Int)?
    private let end = Promise<Void>()

    private var poller: Poller { session.poller }

    init(_ source: ConsensusSource, _ session: ReceiverSession, pool: ReceiverPool) {
        self.session = session
        names = source.members.map(\.name)
        dropsAlarms = pool.alarmPolicy == .drop
        vote = ReceiverVote(antennas: source.members.map(\.antenna))
        members = source.members.map { member in
            var reporter = ConditionReporter(member.source, .always)
            reporter.isLog = true
            return Member(
                name: member.name, session: pool.session(for: member.source), reporter: reporter)
        }
    }

    /// Reads the receivers until all have ended, or the task is cancelled.
    ///
    /// The observers keep the driver alive; the end of this call removes them.
    func run() async {
        for index in members.indices {
            let member = members[index].session
            members[index].subscriptions = [
                member.encapsulated.observe { [session] in session.encapsulated.send($0) }.scoped,
                member.rejections.observe { [session] in session.send(rejection: $0) }.scoped,
                member.processed.observe { [session] in session.processed.send(()) }.scoped,
            ]
        }
        observeSentences()
        for index in members.indices {
            let updates = members[index].session.join { [self] in
                receive($0, from: index)
            }
            members[index].subscriptions.append(updates)
        }
        // Throws when the task is cancelled.
        try? await end.value
        timer?.task.cancel()
        for index in members.indices {
            members[index].subscriptions = []
            members[index].sentenceSubscription = nil
        }
    }

    // MARK: The receivers

    private func observeSentences() {
        let isWanted = session.wantsSentences || session.bytes.hasObservers
        for index in members.indices
        where isWanted != (members[index].sentenceSubscription != nil) {
            members[index].sentences = []
            members[index].sentenceSubscription =
                isWanted
                ? members[index].session.sentences.observe { [self] in
                    receive(sentence: $0, from: index)
                }.scoped : nil
        }
    }

    private func receive(sentence: [UInt8], from index: Int) {
        if members[index].sentences.count >= Self.mostSentences { members[index].sentences = [] }
        members[index].sentences.append(sentence)
    }

    private func receive(_ update: ReceiverUpdate, from index: Int) {
        report(update, of: index)
        switch update {
        case .condition(let new, _):
            members[index].condition = new
            if !new.isOpen { vote.lose(index, at: poller.now) }
            sendDecisions()
            changeCondition()
        case .notice: break
        case .epoch(let epoch): receive(epoch, from: index)
        case .satellites(let view):
            if last.map({ $0.receiver == index }) ?? true { session.send(.satellites(view)) }
        }
        setTimer()
    }

    private func receive(_ epoch: ReceiverEpoch, from index: Int) {
        members[index].count += 1
        let cycle = Cycle(
            number: members[index].count, epoch: epoch, sentences: members[index].sentences)
        members[index].sentences = []
        members[index].cycles.append(cycle)
        // The one before may still wait for the other receivers.
        if members[index].cycles.count > 3 { members[index].cycles.removeFirst() }
        let now = poller.now
        // An epoch without a time has only its arrival.
        let arrival = epoch.arrival?.firstByte ?? (epoch.fix.time == nil ? now : nil)
        vote.receive(epoch.fix, from: index, arrival: arrival, at: now)
        sendDecisions()
        observeSentences()
    }

    /// Wakes the vote when the fixes that are waited for have not come.
    private func setTimer() {
        let deadline = vote.wakeAt
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = deadline.map { deadline in
            let task = Task(executorPreference: poller) { [weak self, poller] in
                guard await poller.sleep(until: deadline) == .timedOut else { return }
                self?.wake()
            }
            return (task, deadline)
        }
    }

    private func wake() {
        vote.wake(at: poller.now)
        sendDecisions()
        session.processed.send(())
        setTimer()
    }

    // MARK: Sending

    /// Sends the condition of all receivers together.
    private func changeCondition() {
        let new = combinedCondition
        guard new != condition else { return }
        let former = condition
        condition = new
        session.send(.condition(new, after: former))
        if new.hasEnded { end.fulfill(()) }
    }

    private var combinedCondition: ReceiverCondition {
        let conditions = members.map(\.condition)
        var (problem, loss, wait): (DeviceError?, DeviceError?, DeviceError?)
        var silence: Int?
        var (isOpen, isSearching, ends) = (false, false, [ReceiverCondition.Ending]())
        for condition in conditions {
            switch condition {
            case .open(_, nil): return .open(device: session.source.name, problem: nil)
            case .open(_, let error?): (isOpen, problem) = (true, problem ?? error)
            case .silent(_, let seconds): silence = silence ?? seconds
            case .lost(let error): loss = loss ?? error
            case .waiting(let error): wait = wait ?? error
            case .searching: isSearching = true
            case .ended(let ending): ends.append(ending)
            }
        }
        if isOpen { return .open(device: session.source.name, problem: problem) }
        if let silence { return .silent(device: session.source.name, seconds: silence) }
        if ends.count == conditions.count {
            // Statistics of a line can't be added up: those of the receiver with the most sentences.
            let longest = ends.max { $0.statistics.valid < $1.statistics.valid }
            let error = ends.lazy.compactMap(\.error).first
            return .ended(
                ReceiverCondition.Ending(longest?.statistics ?? Statistics(), error))
        }
        if condition.isOpen || condition == loss.map({ .lost($0) }) {
            return .lost(loss ?? wait ?? DeviceError(.disconnected, device: session.source.name))
        }
        if isSearching { return .searching }
        return (loss ?? wait).map { .waiting($0) } ?? .searching
    }

    private func sendDecisions() {
        while let decision = vote.next() {
            guard
                let cycle = members[decision.receiver].cycles.first(where: {
                    $0.number == decision.number
                })
            else { continue }
            let fix = decision.marked(cycle.epoch.fix, names: names)
            let isDropped = dropsAlarms && fix.integrity?.state == .alarm
            report(decision)
            reportAlarm(decision, fix)
            if !isDropped { send(cycle.sentences) }
            let epoch = cycle.epoch
            session.send(
                .epoch(
                    ReceiverEpoch(
                        fix: isDropped ? fix.withoutPositionButTime : fix,
                        satellites: epoch.satellites, arrival: epoch.arrival,
                        device: epoch.device, origin: epoch.origin, isDue: epoch.isDue,
                        received: epoch.received, sendsUBX: epoch.sendsUBX)))
        }
    }

    private func send(_ sentences: [[UInt8]]) {
        for sentence in sentences { session.send(sentence: sentence) }
        guard session.bytes.hasObservers, !sentences.isEmpty else { return }
        session.bytes.send(sentences.flatMap { $0 + [0x0D, 0x0A] })
    }

    // MARK: Messages

    private func report(_ update: ReceiverUpdate, of index: Int) {
        // The evidence against the winner is reported with the result.
        if case .epoch = update, last?.receiver == index { return }
        if case .message(let text) = members[index].reporter.report(update) {
            session.send(.notice(.member(text)))
        }
    }

    /// Reports another winner, or another state.
    private func report(_ decision: VoteDecision) {
        let new = (decision.state, decision.receiver)
        defer { last = new }
        guard last.map({ $0 != new }) ?? true else { return }
        let name = names[decision.receiver]
        let text =
            switch decision.state {
            case .agreed: "\(name), confirmed by \(list(decision.witnesses))"
            case .single: "\(name), which no other receiver confirms"
            case .disputed: "\(name), disputed by \(list(decision.disagreeing))"
            case .noPosition: "no receiver has a position"
            }
        session.send(.notice(.member("vote: \(text)")))
    }

    private func list(_ indices: [Int]) -> String {
        indices.map { names[$0] }.joined(separator: ", ")
    }

    /// Reports the beginning or the end of an alarm that the receivers' own sessions don't know.
    private func reportAlarm(_ decision: VoteDecision, _ fix: Fix) {
        let isAlarm = decision.reasons.contains { $0.test == .antennasCollapsed }
        guard isAlarm != hasAlarm, let integrity = fix.integrity else { return }
        hasAlarm = isAlarm
        session.pool?.alarmChanges.send(
            AlarmChange(device: session.source.name, integrity: integrity))
    }
}
