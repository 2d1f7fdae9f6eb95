// SPDX-License-Identifier: MIT
import GNSS

/// Acknowledged messages that stay in the spool until the engine has certainly written them to
/// disk.
///
/// An engine acknowledges before it writes to disk, so acknowledged messages are lost if all its
/// servers stop at once. After each interruption the last message of a stream is looked up. An
/// engine stores in order: if that message is there, so are all that were acknowledged since the
/// previous interruption. Otherwise a binary search finds the first lost one, and the lost messages
/// are sent again. If the engine cannot look messages up, they are sent again, last one first,
/// until the engine reports a duplicate.
struct KeptMessages {
    struct Entry {
        let number: Int64
        let place: StorePlace
        let size: Int
        let time: MonotonicInstant
        /// The position in the order of acknowledgements, from 1.
        let order: Int
    }

    /// A message that is not in the spool yet.
    private struct Unwritten {
        let message: KeptMessage
        let time: MonotonicInstant
        let order: Int
        /// Whether the engine has given its number to another message.
        var isLost = false
    }

    /// A message to be sent again.
    struct Resend {
        let entry: Entry
        let purpose: Purpose

        enum Purpose: Equatable {
            /// The message is lost.
            case lost
            /// The message may be lost; the answer shows whether others of the period may be, too.
            case probe(Period)
            /// The message and earlier ones of the period may be lost; if it is a duplicate, the
            /// earlier ones are not lost.
            case search(Period)
        }
    }

    /// A query to the engine whether it has a message.
    struct Question {
        let token: Int
        let entry: Entry
        fileprivate let period: Period
        /// The highest number known to be present.
        fileprivate var present: UInt64 = 0
        /// The lowest number known to be missing.
        fileprivate var missing: UInt64?
    }

    /// The acknowledgements between two interruptions.
    typealias Period = Range<Int>

    /// The line for the log.
    static let lossNote =
        "the engine has lost messages that it had acknowledged: they are sent again"

    /// The time after which restarted servers have elected a leader.
    private static let settlingTime = Duration.seconds(10)

    /// The maximum number of interruptions; older ones are dropped.
    private static let interruptionLimit = 8

    /// The time for which a message is kept while the engine answers without interruption.
    private let duration: Duration
    private var entries = Queue<Entry>()
    private var size: Int64 = 0
    private var orderCount = 0
    /// The highest message number in each stream.
    private var highest: [String: UInt64] = [:]
    private var lastAnswer: MonotonicInstant?
    /// The time of the last successful lookup. Older messages are kept for `duration` from then on.
    private var checkTime: MonotonicInstant?
    private var isCheckDue = false
    /// The number of messages acknowledged before each recent interruption.
    private var interruptions: [Int] = []
    /// When messages are looked up for a second time.
    private var secondCheckTime: MonotonicInstant?
    /// Whether a query went unanswered and is to be repeated.
    private var isUnanswered = false
    private var questions: [Question] = []
    private var asked: Question?
    private var questionCount = 0
    private var resends = Queue<Resend>()
    private var waiting: [Unwritten] = []
    /// Numbers of messages to be removed from the spool.
    private(set) var forgotten: [Int64] = []

    /// Creates the state from the spool's messages at start-up; whether the engine has them is
    /// unknown.
    init(_ kept: [Spool.Kept], duration: Duration, now: MonotonicInstant) {
        self.duration = duration
        for each in kept {
            orderCount += 1
            add(
                Entry(
                    number: each.number, place: each.place, size: each.size, time: now,
                    order: orderCount))
        }
    }

    /// Messages to be written to the spool.
    var unwritten: [KeptMessage] { waiting.map(\.message) }

    /// Whether no message is to be looked up or sent again.
    var isIdle: Bool {
        resends.first == nil && asked == nil && questions.isEmpty && !isUnanswered
            && (!isCheckDue || entries.first == nil)
    }

    /// Records that the unwritten messages were written with these numbers, and the forgotten ones
    /// removed.
    mutating func didWrite(_ numbers: [Int64]) {
        for (each, number) in zip(waiting, numbers) {
            let entry = Entry(
                number: number, place: each.message.place,
                size: each.message.message.bytes.count, time: each.time, order: each.order)
            if each.isLost {
                resends.append(Resend(entry: entry, purpose: .lost))
            } else {
                add(entry)
            }
        }
        waiting.removeAll(keepingCapacity: true)
        forgotten.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        size += Int64(entry.size)
        let stream = entry.place.stream
        highest[stream] = max(highest[stream] ?? 0, entry.place.number)
    }

    @discardableResult
    private mutating func remove(_ condition: (Entry) -> Bool) -> [Entry] {
        let removed = entries.extract(where: condition)
        size -= removed.reduce(0) { $0 + Int64($1.size) }
        return removed
    }

    // MARK: Answers

    /// Records that the engine has stored a message; without a receipt it cannot be looked up and
    /// is not kept.
    mutating func stored(
        _ message: EngineMessage, _ receipt: StoreReceipt?, now: MonotonicInstant
    ) {
        lastAnswer = now
        guard duration > .zero, let receipt else { return }
        let place = receipt.place
        let last = highest[place.stream] ?? 0
        if !receipt.isDuplicate, place.number <= last { lose(from: place, now: now) }
        highest[place.stream] = max(highest[place.stream] ?? 0, place.number)
        orderCount += 1
        waiting.append(
            Unwritten(
                message: KeptMessage(message: message, place: place), time: now, order: orderCount))
    }

    /// Handles a number that was assigned again: the message that had it and all later ones are
    /// lost.
    private mutating func lose(from place: StorePlace, now: MonotonicInstant) {
        func isLost(_ other: StorePlace) -> Bool {
            other.stream == place.stream && other.number >= place.number
        }
        for entry in remove({ isLost($0.place) }) {
            resends.append(Resend(entry: entry, purpose: .lost))
        }
        for index in waiting.indices where isLost(waiting[index].message.place) {
            waiting[index].isLost = true
        }
        highest[place.stream] = nil
        startCheck(now: now)
    }

    /// Records that the engine has a message that was sent again; returns whether it has lost
    /// others.
    mutating func storedAgain(
        _ message: EngineMessage, _ receipt: StoreReceipt?, _ resend: Resend,
        now: MonotonicInstant
    ) -> Bool {
        let stream = resend.entry.place.stream
        guard let receipt, receipt.isDuplicate, receipt.place == resend.entry.place else {
            forgotten.append(resend.entry.number)
            var hasLost = false
            if case .probe(let period) = resend.purpose, receipt?.isDuplicate == false {
                hasLost = true
                search(stream, period)
            }
            stored(message, receipt, now: now)
            return hasLost
        }
        lastAnswer = now
        checkTime = now
        var present = [resend.entry]
        if case .search = resend.purpose { present += endSearch(stream, resend.purpose) }
        putBack(present)
        return false
    }

    /// Puts messages back that the engine still has, in the order of acknowledgement.
    private mutating func putBack(_ present: [Entry]) {
        let all = (remove { _ in true } + present).sorted { $0.order < $1.order }
        for entry in all { add(entry) }
    }

    /// Sends all messages of a stream and a period again, the last one first.
    private mutating func search(_ stream: String, _ period: Period) {
        let all = take(stream) { period.contains($0.order) }
        for entry in all.sorted(by: { $0.place.number > $1.place.number }) {
            resends.append(Resend(entry: entry, purpose: .search(period)))
        }
    }

    /// Removes and returns the messages of a stream that satisfy a condition.
    private mutating func take(_ stream: String, where condition: (Entry) -> Bool) -> [Entry] {
        let taken = remove { $0.place.stream == stream && condition($0) }
        let rest = entries.contents.map(\.place) + waiting.map(\.message.place)
        highest[stream] = rest.filter { $0.stream == stream }.map(\.number).max()
        return taken
    }

    /// Ends a search; returns the messages that were not sent.
    private mutating func endSearch(_ stream: String, _ purpose: Resend.Purpose) -> [Entry] {
        resends.extract { $0.purpose == purpose && $0.entry.place.stream == stream }.map(\.entry)
    }

    // MARK: Time

    /// Forgets messages that are certainly stored, and the oldest ones above a size limit.
    mutating func expire(limit: Int64) {
        while let first = entries.first {
            let time = max(first.time, checkTime ?? first.time)
            let isQuiet = interruptions.isEmpty && isIdle
            let isCertain = isQuiet && lastAnswer.map { time + duration <= $0 } ?? false
            guard isCertain || size > limit else { return }
            entries.removeFirst()
            size -= Int64(first.size)
            forgotten.append(first.number)
        }
    }

    // MARK: Looking for messages

    /// Records an interruption: the engine may have lost messages that it acknowledged before.
    mutating func recordInterruption() {
        let hasAny = entries.first != nil || !waiting.isEmpty
        guard hasAny, interruptions.last != orderCount else { return }
        interruptions.append(orderCount)
        if interruptions.count > Self.interruptionLimit { interruptions.removeFirst() }
    }

    /// Starts the check after an interruption, and schedules a second one for when the servers have
    /// settled.
    mutating func startCheck(now: MonotonicInstant) {
        recordInterruption()
        isCheckDue = true
        isUnanswered = false
        secondCheckTime = interruptions.isEmpty ? nil : now + Self.settlingTime
        asked = nil
        questions = []
    }

    /// Returns the next query to the engine; `nil` while one is unanswered.
    mutating func nextQuestion(now: MonotonicInstant) -> Question? {
        if asked == nil, questions.isEmpty {
            if isCheckDue {
                isCheckDue = false
                ask(interruptions)
            } else if let secondCheckTime, secondCheckTime <= now {
                // The periods before the interruptions, and the one since.
                ask(interruptions + [orderCount])
                self.secondCheckTime = nil
                interruptions = []
                isUnanswered = false
            }
        }
        guard asked == nil, let question = questions.popLast() else { return nil }
        asked = question
        return question
    }

    /// Queues a query for the last message of each stream in each period; `ends` are the ends of
    /// the periods.
    private mutating func ask(_ ends: [Int]) {
        var start = 1
        for end in ends {
            let period = start..<end + 1
            var last: [String: Entry] = [:]
            for entry in entries.contents where period.contains(entry.order) {
                let number = last[entry.place.stream]?.place.number ?? 0
                if number <= entry.place.number { last[entry.place.stream] = entry }
            }
            for entry in last.values {
                questionCount += 1
                questions.append(Question(token: questionCount, entry: entry, period: period))
            }
            start = end + 1
        }
    }

    /// Handles an answer; returns whether the engine has lost messages.
    mutating func answer(_ token: Int, _ presence: StorePresence, now: MonotonicInstant) -> Bool {
        // An answer to another query is from before the last interruption.
        guard var question = asked, question.token == token else { return false }
        asked = nil
        let place = question.entry.place
        switch presence {
        case .present:
            checkTime = now
            question.present = place.number
            return searchOn(question)
        case .missing:
            question.missing = place.number
            return searchOn(question)
        // Servers that have just started need time: messages are not sent again yet.
        case .unknown where secondCheckTime != nil: isUnanswered = true
        case .unknown:
            // Empty if the message was forgotten or is already to be sent again.
            for entry in remove({ $0.number == question.entry.number }) {
                resends.append(Resend(entry: entry, purpose: .probe(question.period)))
            }
        }
        return false
    }

    /// Continues the binary search: queries the middle one of the messages that may be lost. When
    /// none is left, the lost ones are sent again. Returns whether they are.
    private mutating func searchOn(_ question: Question) -> Bool {
        guard let missing = question.missing else { return false }
        let stream = question.entry.place.stream
        let all = entries.contents.filter {
            $0.place.stream == stream && question.period.contains($0.order)
        }
        let open = all.filter { question.present < $0.place.number && $0.place.number < missing }
            .sorted { $0.place.number < $1.place.number }
        guard open.isEmpty else {
            questionCount += 1
            questions.append(
                Question(
                    token: questionCount, entry: open[open.count / 2], period: question.period,
                    present: question.present, missing: missing))
            return false
        }
        let lost = take(stream) {
            question.period.contains($0.order) && $0.place.number >= missing
        }
        for entry in lost { resends.append(Resend(entry: entry, purpose: .lost)) }
        return true
    }

    /// Removes and returns the next message to be sent again.
    mutating func nextResend() -> Resend? {
        defer { resends.removeFirst() }
        return resends.first
    }
}
