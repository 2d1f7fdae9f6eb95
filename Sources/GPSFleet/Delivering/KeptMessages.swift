// SPDX-License-Identifier: MIT
import GNSS

/// Messages that an engine has acknowledged, in the spool until they are certainly stored.
///
/// An engine acknowledges before it writes: what dies with all its servers at once is gone. So after each
/// interruption the last message of a stream is looked for. An engine stores in order, so where that one is, all are
/// that it had acknowledged since the interruption before. Where it is not, those in the middle are looked for, and the
/// lost ones are sent again. An engine that answers no questions is sent them again, the last one first, until it knows
/// the id of one.
struct KeptMessages {
    struct Entry {
        let number: Int64
        let place: StorePlace
        let size: Int
        let time: MonotonicInstant
        /// Counts acknowledgements.
        let order: Int
    }

    /// A message that is not in the spool yet.
    private struct Unwritten {
        let message: KeptMessage
        let time: MonotonicInstant
        let order: Int
        /// Whether its number was given to another one.
        var isLost = false
    }

    /// A message that is to be sent again.
    struct Resend {
        let entry: Entry
        let purpose: Purpose

        enum Purpose: Equatable {
            /// It is lost.
            case lost
            /// It may be lost: whether it is shows if others of that period may be.
            case probe(Period)
            /// It and others may be lost; where it is not, those of the period before it are not.
            case search(Period)
        }
    }

    /// A question to the engine, whether it has a message.
    struct Question {
        let token: Int
        let entry: Entry
        fileprivate let period: Period
        /// The number of the last message that is there, as far as is known.
        fileprivate var present: UInt64 = 0
        /// The number of the first one that is not.
        fileprivate var missing: UInt64?
    }

    /// The acknowledgements between two interruptions.
    typealias Period = Range<Int>

    /// For the log.
    static let lossNote =
        "the engine has lost messages that it had acknowledged: they are sent again"

    /// After that long, servers that have started again have agreed on who leads.
    private static let settling = Duration.seconds(10)

    /// Of more the last ones count.
    private static let mostInterruptions = 8

    /// How long a message is kept while the engine answers without interruption.
    private let duration: Duration
    private var entries = Queue<Entry>()
    private var size: Int64 = 0
    private var orderCount = 0
    /// The highest number in each stream.
    private var highest: [String: UInt64] = [:]
    private var lastAnswer: MonotonicInstant?
    /// Before that nothing is certain: the engine was away until then.
    private var checkTime: MonotonicInstant?
    private var isDoubtful = false
    /// How many messages had been acknowledged at each interruption that is not over for long.
    private var interruptions: [Int] = []
    /// When messages are looked for once more.
    private var secondLook: MonotonicInstant?
    /// Whether the engine did not answer a question, which is asked once more.
    private var isUnanswered = false
    private var questions: [Question] = []
    private var asked: Question?
    private var questionCount = 0
    private var resends = Queue<Resend>()
    private var waiting: [Unwritten] = []
    /// To be removed from the spool.
    private(set) var forgotten: [Int64] = []

    /// Takes what was in the spool at the start, which nothing is known of.
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

    /// To be written to the spool.
    var unwritten: [KeptMessage] { waiting.map(\.message) }

    /// Whether no message is to be looked for, and none to be sent again.
    var isIdle: Bool {
        resends.first == nil && asked == nil && questions.isEmpty && !isUnanswered
            && (!isDoubtful || entries.first == nil)
    }

    /// Notes that messages were written, with these numbers, and others removed.
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

    /// The engine has stored a message; without a receipt none can be looked for.
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

    /// A number was given again: the message that had it is lost, and those behind it.
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
        doubt(now: now)
    }

    /// The engine has a message that was sent again; returns whether it has lost others.
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

    /// Puts messages back that are there still, in their order.
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

    /// Takes messages of a stream that are to be sent again.
    private mutating func take(_ stream: String, where condition: (Entry) -> Bool) -> [Entry] {
        let taken = remove { $0.place.stream == stream && condition($0) }
        let rest = entries.contents.map(\.place) + waiting.map(\.message.place)
        highest[stream] = rest.filter { $0.stream == stream }.map(\.number).max()
        return taken
    }

    /// Ends that; returns the messages that were not sent.
    private mutating func endSearch(_ stream: String, _ purpose: Resend.Purpose) -> [Entry] {
        resends.extract { $0.purpose == purpose && $0.entry.place.stream == stream }.map(\.entry)
    }

    // MARK: Time

    /// Forgets what is certainly stored, and the oldest beyond a size.
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

    /// The engine does not answer: it may have lost what it has acknowledged until now.
    mutating func suspect() {
        let hasAny = entries.first != nil || !waiting.isEmpty
        guard hasAny, interruptions.last != orderCount else { return }
        interruptions.append(orderCount)
        if interruptions.count > Self.mostInterruptions { interruptions.removeFirst() }
    }

    /// The engine answers again: what it may have lost is to be looked for, and once more when it has settled.
    mutating func doubt(now: MonotonicInstant) {
        suspect()
        isDoubtful = true
        isUnanswered = false
        secondLook = interruptions.isEmpty ? nil : now + Self.settling
        asked = nil
        questions = []
    }

    /// The next question to the engine, unless one is asked.
    mutating func nextQuestion(now: MonotonicInstant) -> Question? {
        if asked == nil, questions.isEmpty {
            if isDoubtful {
                isDoubtful = false
                ask(interruptions)
            } else if let secondLook, secondLook <= now {
                // Those before the interruptions, and those since.
                ask(interruptions + [orderCount])
                self.secondLook = nil
                interruptions = []
                isUnanswered = false
            }
        }
        guard asked == nil, let question = questions.popLast() else { return nil }
        asked = question
        return question
    }

    /// Asks for the last message in each stream of each period that ends with one of these.
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

    /// The answer to a question; returns whether the engine has lost messages.
    mutating func answer(_ token: Int, _ presence: StorePresence, now: MonotonicInstant) -> Bool {
        // Otherwise it was asked before the last interruption.
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
        // Servers that have just started need time: messages are not sent in vain.
        case .unknown where secondLook != nil: isUnanswered = true
        case .unknown:
            // None where it is to be sent again, or was forgotten, by now.
            for entry in remove({ $0.number == question.entry.number }) {
                resends.append(Resend(entry: entry, purpose: .probe(question.period)))
            }
        }
        return false
    }

    /// Asks for the message in the middle of those that may be lost; where none may be any more, the lost ones are sent
    /// again. Returns whether they are.
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

    /// The next message that is to be sent again.
    mutating func nextResend() -> Resend? {
        defer { resends.removeFirst() }
        return resends.first
    }
}
