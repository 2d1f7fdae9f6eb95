// SPDX-License-Identifier: MIT
import Delegation
import GNSS
import GPSIO
import GPSIntegrity
import NMEA

/// Reads the receivers of a `ConsensusSource` through their own sessions, and sends the results of
/// the vote as updates of `session`.
// Safety: it is used only on the polling thread: by the session's task, by tasks that prefer that
// thread, and by the observers of the receivers' sessions, which are called there.
final class VoteDriver: @unchecked Sendable {
    /// An epoch of a receiver, kept until the vote has decided which receiver's fix to use for its
    /// time.
    private struct Cycle {
        let number: Int
        let epoch: ReceiverEpoch
        let sentences: [[UInt8]]
        /// The satellite view that followed the epoch; `nil` if none has.
        var view: SatelliteView?
    }

    private struct Member {
        let name: String
        let session: ReceiverSession
        var receiver: ReceiverModel
        /// Whether it is the same receiver as another member, which must not confirm itself.
        var isCopy = false
        var count = 0
        /// The number of the last epoch that was sent as the result of the vote.
        var sentNumber = 0
        /// The most recent epochs, newest last.
        var cycles: [Cycle] = []
        /// The sentences since the last epoch.
        var sentences: [[UInt8]] = []
        var subscriptions: [ScopedSubscription] = []
        /// The subscription to the receiver's sentences; `nil` while the session's sentences have
        /// no observers.
        var sentenceSubscription: ScopedSubscription?
    }

    /// The maximum number of sentences without an epoch. When it is reached, they are dropped.
    private static let maximumSentences = 500
    /// The number of consecutive results whose `witnesses` (the receivers that agree with the
    /// winner) differ from the reported ones before the change is reported. A shorter change is
    /// ignored, because the fix of a witness may be late occasionally.
    private static let lastingCount = 10

    private let session: ReceiverSession
    private let names: [String]
    private let dropsAlarms: Bool
    private var vote: ReceiverVote
    private var members: [Member]
    /// Synchronises the replay of the recordings among the members; `nil` if there are fewer than
    /// two.
    private let replays: ReplayGroup?
    private var condition = ReceiverCondition.searching
    private var timer: (task: Task<Void, Never>, deadline: MonotonicInstant)?
    private var hasAlarm = false
    /// The index of the receiver that the last result selected.
    private var winner: Int?
    /// The last result that was reported.
    private var reported: Vote?
    /// The number of consecutive results whose `witnesses` differ from those of `reported`.
    private var otherWitnessesCount = 0
    private let end = Promise<Void>()

    private var poller: Poller { session.poller }

    init(_ source: ConsensusSource, _ session: ReceiverSession, pool: ReceiverPool) {
        self.session = session
        names = source.members.map(\.name)
        dropsAlarms = pool.alarmPolicy == .drop
        vote = ReceiverVote(antennas: source.members.map(\.antenna))
        let recordings = source.members.indices.prefix(ReceiverVote.maximumCount).filter {
            source.members[$0].source.origin == .replay
        }
        replays = recordings.count > 1 ? ReplayGroup(recordings) : nil
        members = source.members.map { member in
            var receiver = ReceiverModel(member.source)
            receiver.isLog = true
            receiver.describe = pool.describe
            return Member(
                name: member.name, session: pool.session(for: member.source, isPart: true),
                receiver: receiver)
        }
    }

    /// Reads the receivers until all have ended, or the task is cancelled.
    ///
    /// Until this function returns, the observers keep the driver alive.
    func run() async {
        for index in members.indices {
            let member = members[index].session
            members[index].subscriptions = [
                member.encapsulated.observe { [self] in
                    if !members[index].isCopy { session.encapsulated.send($0) }
                }.scoped,
                member.rejections.observe { [self] in
                    if !members[index].isCopy { session.send(rejection: $0) }
                }.scoped,
                member.statistics.observe { [self] in receive(statistics: $0, from: index) }.scoped,
                // The sentences of a part of a cycle do not belong to the first epoch.
                member.beginnings.observe { [self] in
                    if $0 != 0 { members[index].sentences = [] }
                }.scoped,
                member.processed.observe { [session] in session.processed.send(()) }.scoped,
            ]
        }
        observeSentences()
        if let replays { join(replays) }
        for index in members.indices {
            // A live source must not wait, because the others continue.
            let isRecording = members[index].session.source.origin == .replay
            let updates = members[index].session.join(for: isRecording ? session : nil) { [self] in
                receive($0, from: index)
            }
            members[index].subscriptions.append(updates)
        }
        // The only error is the task's cancellation.
        try? await end.value
        timer?.task.cancel()
        replays?.removeAll()
        for index in members.indices {
            if members[index].session.replay?.group === replays {
                members[index].session.replay = nil
            }
            members[index].subscriptions = []
            members[index].sentenceSubscription = nil
        }
    }

    /// Closes the receivers and opens them again. Their integrity alarms continue. Call this on the
    /// polling thread.
    func reopen() {
        for member in members where !member.isCopy { member.session.reopenNow() }
    }

    // MARK: The receivers

    /// Makes the recordings of the vote wait for each other. Leaves out a recording that another
    /// member or another vote already reads: a recording reports its time to only one group, so the
    /// members of a second group would wait for it forever.
    private func join(_ replays: ReplayGroup) {
        for index in members.indices {
            let session = members[index].session
            if session.replay == nil {
                session.replay = ReplayGroup.Member(index, of: replays)
            } else {
                replays.remove(index)
            }
        }
    }

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
        guard !members[index].isCopy else { return }
        if members[index].sentences.count >= Self.maximumSentences { members[index].sentences = [] }
        members[index].sentences.append(sentence)
    }

    private func receive(statistics: Statistics, from index: Int) {
        guard !members[index].isCopy, winner ?? index == index else { return }
        session.send(statistics: statistics)
    }

    /// Returns another member that reads the same receiver as the one with this index, by its
    /// session or by that of another consumer; `nil` if there is none.
    private func original(of index: Int) -> Int? {
        let (own, holder) = (members[index].session, members[index].session.holder)
        return members.indices.first { other in
            let session = members[other].session
            let isSame = session === own || holder != nil && session.holder === holder
            return isSame && other < index || holder != nil && session === holder
        }
    }

    private func receive(_ update: ReceiverUpdate, from index: Int) {
        if let other = original(of: index) {
            guard !members[index].isCopy else { return }
            members[index].isCopy = true
            members[index].sentences = []
            vote.lose(index, at: poller.now)
            let text = "\(members[index].name) is the same receiver as \(members[other].name)"
            return session.send(.notice(.member(text)))
        }
        members[index].isCopy = false
        report(update, of: index)
        defer {
            // Observers may have been added or removed.
            observeSentences()
            setTimer()
        }
        switch update {
        case .condition(let new, _):
            if !new.isOpen { vote.lose(index, at: poller.now) }
            if !new.isOpen, new != .searching { replays?.remove(index) }
            sendDecisions()
            changeCondition()
        case .notice: break
        case .epoch(let epoch): receive(epoch, from: index)
        case .satellites(let view):
            guard winner ?? index == index else { break }
            // The fix comes before its satellites, also while it waits for the other receivers.
            if let last = members[index].cycles.indices.last,
                members[index].cycles[last].number > members[index].sentNumber
            {
                members[index].cycles[last].view = view
            } else {
                session.send(.satellites(view))
            }
        }
    }

    private func receive(_ epoch: ReceiverEpoch, from index: Int) {
        members[index].count += 1
        var sentences = members[index].sentences
        members[index].sentences = []
        // The last sentence may have completed this epoch by being the first one of the next epoch.
        if let last = sentences.last, let time = Self.epochTime(of: last),
            time != epoch.fix.timeOfDay
        {
            members[index].sentences = [sentences.removeLast()]
        }
        let cycle = Cycle(number: members[index].count, epoch: epoch, sentences: sentences)
        members[index].cycles.append(cycle)
        // The previous epoch may still wait for the other receivers.
        if members[index].cycles.count > 3 { members[index].cycles.removeFirst() }
        let now = poller.now
        vote.receive(epoch.fix, from: index, arrival: epoch.arrival?.firstByte, at: now)
        sendDecisions()
    }

    private static func epochTime(of sentence: [UInt8]) -> TimeOfDay? {
        var framer = Framer()
        var time: TimeOfDay?
        func read(_ event: FramerEvent) {
            if case .sentence(let raw) = event { time = raw.epochTime }
        }
        framer.push(sentence.span, read)
        framer.finish(read)
        return time
    }

    /// Schedules a call of `wake()` in case the fixes that the vote waits for do not arrive.
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

    /// Sends the combined condition of all receivers if it has changed.
    private func changeCondition() {
        let new = combinedCondition
        guard new != condition else { return }
        let former = condition
        condition = new
        session.send(.condition(new, after: former))
        if new.hasEnded { end.fulfill(()) }
    }

    private var combinedCondition: ReceiverCondition {
        let conditions = members.map(\.receiver.condition)
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
            // The statistics of several lines can't be added, so those of the receiver with the
            // most sentences are used.
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
            winner = decision.receiver
            if let vote = fix.vote { report(vote) }
            reportAlarm(decision, fix)
            if !isDropped { send(cycle.sentences) }
            let passed = isDropped ? fix.withTimeButNoPosition : fix
            session.send(.epoch(cycle.epoch.with(passed)))
            members[decision.receiver].sentNumber = decision.number
            if let view = cycle.view { session.send(.satellites(view)) }
        }
    }

    private func send(_ sentences: [[UInt8]]) {
        for sentence in sentences { session.send(sentence: sentence) }
        guard session.bytes.hasObservers, !sentences.isEmpty else { return }
        session.bytes.send(sentences.flatMap { $0 + [0x0D, 0x0A] })
    }

    // MARK: Messages

    private func report(_ update: ReceiverUpdate, of index: Int) {
        // For the winner, the vote's result contains the reasons.
        if case .epoch = update, winner == index { return }
        if case .message(let text) = members[index].receiver.receive(update) {
            session.send(.notice(.member(text)))
        }
    }

    /// Sends a notice if the state, the winner or the disagreeing receivers differ from the last
    /// reported result, or if the `witnesses` have differed in ten consecutive results.
    private func report(_ vote: Vote) {
        let hasSameWitnesses = vote.witnesses == reported?.witnesses
        otherWitnessesCount = hasSameWitnesses ? 0 : otherWitnessesCount + 1
        guard
            reported.map({ !vote.isSameResult(as: $0) }) ?? true
                || otherWitnessesCount >= Self.lastingCount
        else { return }
        (reported, otherWitnessesCount) = (vote, 0)
        session.send(.notice(.vote(vote)))
    }

    /// Reports the beginning or the end of an alarm that only the vote can raise: receivers with
    /// separate antennas report the same position.
    private func reportAlarm(_ decision: VoteDecision, _ fix: Fix) {
        let isAlarm = decision.reasons.contains { $0.test == .antennasCollapsed }
        guard isAlarm != hasAlarm, let integrity = fix.integrity else { return }
        hasAlarm = isAlarm
        session.pool?.alarmChanges.send(
            AlarmChange(device: session.source.name, integrity: integrity))
    }
}
