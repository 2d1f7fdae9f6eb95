// SPDX-License-Identifier: MIT
import GNSS

/// Decides how long acknowledged messages stay in the spool, and finds out after an interruption
/// whether the server has lost any. An interruption is a lost connection or a message that was not
/// stored.
///
/// A NATS server acknowledges a message before the message is on disk, so acknowledged messages are
/// lost if all servers stop at once. Therefore, messages are kept until they are certainly on disk.
///
/// After each interruption, the last kept message of each stream is looked up. If the server has
/// it, it also has all earlier messages acknowledged since the previous interruption, because it
/// stores messages in order. If that message is missing, a binary search finds the first lost
/// message, and all lost messages are sent again. If the server cannot look up messages, the kept
/// messages are sent again in reverse order, until the server reports a duplicate.
struct KeptMessages {
    struct Entry {
        let number: Int64
        let position: StreamPosition
        let size: Int
        let time: MonotonicInstant
        /// The position of the message in the order of acknowledgements. Numbering begins at 1.
        let order: Int
    }

    /// An acknowledged message that was not written to the spool yet.
    private struct Unwritten {
        let message: KeptMessage
        let time: MonotonicInstant
        let order: Int
        /// Whether the server has assigned the message's sequence number to another message, and so
        /// has lost this one.
        var isLost = false
    }

    /// A message to resend, and why.
    struct Resend {
        let entry: Entry
        let purpose: Purpose

        enum Purpose: Equatable {
            case lost
            /// The message may be lost. If the server no longer has it, other messages acknowledged
            /// between the same two interruptions may also be lost.
            case probe(Period)
            /// The message and earlier ones acknowledged between the same two interruptions may be
            /// lost. If the server reports a duplicate, the earlier ones are not lost.
            case search(Period)
        }
    }

    /// A request that asks the server whether its stream still contains a message.
    struct Question {
        let token: Int
        let entry: Entry
        fileprivate let period: Period
        /// The highest sequence number that is known to be present in the stream.
        fileprivate var present: UInt64 = 0
        /// The lowest sequence number that is known to be missing; `nil` if none is.
        fileprivate var missing: UInt64?
    }

    /// The messages acknowledged between two interruptions, as a range of `Entry.order`.
    typealias Period = Range<Int>

    /// The line for the log after messages were lost.
    static let lossNote =
        "the server has lost messages that it had acknowledged: they are sent again"

    /// The time that restarted servers need at most to elect a leader.
    private static let settlingTime = Duration.seconds(10)

    /// The maximum number of remembered interruptions.
    private static let interruptionLimit = 8

    /// How long a message is kept without an interruption.
    private let duration: Duration
    private var entries = Queue<Entry>()
    private var size: Int64 = 0
    private var orderCount = 0
    /// The highest sequence number of an acknowledged message in each stream, by the stream's name.
    private var highest: [String: UInt64] = [:]
    private var lastAnswer: MonotonicInstant?
    /// The last time at which an answer has shown that the server still has a kept message; `nil`
    /// if no answer has. Messages acknowledged before this time are kept for `duration` after it.
    private var checkTime: MonotonicInstant?
    private var isCheckDue = false
    /// For each recent interruption, the number of messages acknowledged before it.
    private var interruptions: [Int] = []
    /// The time of the second check after an interruption (see `startCheck`); `nil` if none is due.
    private var secondCheckTime: MonotonicInstant?
    /// Whether the server could not answer a query of the first check (see `startCheck`), so the
    /// second check is needed.
    private var isUnanswered = false
    private var questions: [Question] = []
    private var asked: Question?
    private var questionCount = 0
    private var resends = Queue<Resend>()
    private var waiting: [Unwritten] = []
    /// The numbers, in the spool's table `kept`, of the messages that must be removed from it.
    private(set) var forgotten: [Int64] = []

    /// Creates an instance with the kept messages that are in the spool at start-up. Its first
    /// questions ask whether the server still has them.
    init(_ kept: [Spool.Kept], duration: Duration, now: MonotonicInstant) {
        self.duration = duration
        for each in kept {
            orderCount += 1
            add(
                Entry(
                    number: each.number, position: each.position, size: each.size, time: now,
                    order: orderCount))
        }
    }

    /// The messages to write to the spool.
    var unwritten: [KeptMessage] { waiting.map(\.message) }

    /// Whether there is nothing to look up or resend.
    var isIdle: Bool {
        resends.first == nil && asked == nil && questions.isEmpty && !isUnanswered
            && (!isCheckDue || entries.first == nil)
    }

    /// Records that the spool has stored the `unwritten` messages with these numbers, and has
    /// removed the `forgotten` ones.
    mutating func didWrite(_ numbers: [Int64]) {
        for (each, number) in zip(waiting, numbers) {
            let entry = Entry(
                number: number, position: each.message.position,
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
        let stream = entry.position.stream
        highest[stream] = max(highest[stream] ?? 0, entry.position.number)
    }

    @discardableResult
    private mutating func remove(_ condition: (Entry) -> Bool) -> [Entry] {
        let removed = entries.extract(where: condition)
        size -= removed.reduce(0) { $0 + Int64($1.size) }
        return removed
    }

    // MARK: Answers

    /// Records that the server has stored a message. The message is kept only if there is a
    /// receipt, because it cannot be looked up otherwise.
    mutating func stored(
        _ message: EngineMessage, _ receipt: StoreReceipt?, now: MonotonicInstant
    ) {
        lastAnswer = now
        guard duration > .zero, let receipt else { return }
        let position = receipt.position
        let last = highest[position.stream] ?? 0
        if !receipt.isDuplicate, position.number <= last { lose(from: position, now: now) }
        highest[position.stream] = max(highest[position.stream] ?? 0, position.number)
        orderCount += 1
        waiting.append(
            Unwritten(
                message: KeptMessage(message: message, position: position), time: now,
                order: orderCount))
    }

    /// Handles a sequence number that the server has assigned a second time. The earlier message
    /// with this number, and all later messages of the stream, are lost.
    private mutating func lose(from position: StreamPosition, now: MonotonicInstant) {
        func isLost(_ other: StreamPosition) -> Bool {
            other.stream == position.stream && other.number >= position.number
        }
        for entry in remove({ isLost($0.position) }) {
            resends.append(Resend(entry: entry, purpose: .lost))
        }
        for index in waiting.indices where isLost(waiting[index].message.position) {
            waiting[index].isLost = true
        }
        highest[position.stream] = nil
        startCheck(now: now)
    }

    /// Records that the server has stored a resent message. Returns whether the answer shows that
    /// the server has lost messages.
    mutating func storedAgain(
        _ message: EngineMessage, _ receipt: StoreReceipt?, _ resend: Resend,
        now: MonotonicInstant
    ) -> Bool {
        let stream = resend.entry.position.stream
        guard let receipt, receipt.isDuplicate, receipt.position == resend.entry.position else {
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
        if case .search = resend.purpose {
            present += resends.extract {
                $0.purpose == resend.purpose && $0.entry.position.stream == stream
            }.map(\.entry)
        }
        putBack(present)
        return false
    }

    /// Puts messages back into `entries`, in the order of acknowledgement, because the server still
    /// has them.
    private mutating func putBack(_ present: [Entry]) {
        let all = (remove { _ in true } + present).sorted { $0.order < $1.order }
        for entry in all { add(entry) }
    }

    /// Queues messages to be resent: all kept messages of a stream that were acknowledged in a
    /// period, in descending order of their sequence numbers.
    private mutating func search(_ stream: String, _ period: Period) {
        let all = take(stream) { period.contains($0.order) }
        for entry in all.sorted(by: { $0.position.number > $1.position.number }) {
            resends.append(Resend(entry: entry, purpose: .search(period)))
        }
    }

    /// Removes and returns the stream's entries that satisfy a condition.
    private mutating func take(_ stream: String, where condition: (Entry) -> Bool) -> [Entry] {
        let taken = remove { $0.position.stream == stream && condition($0) }
        let rest = entries.contents.map(\.position) + waiting.map(\.message.position)
        highest[stream] = rest.filter { $0.stream == stream }.map(\.number).max()
        return taken
    }

    // MARK: Time

    /// Forgets messages that the server has certainly written to disk. Also forgets the oldest
    /// messages while all kept messages together exceed `limit` bytes.
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

    /// Records an interruption: the server may have lost messages that it acknowledged before.
    mutating func recordInterruption() {
        let hasAny = entries.first != nil || !waiting.isEmpty
        guard hasAny, interruptions.last != orderCount else { return }
        interruptions.append(orderCount)
        if interruptions.count > Self.interruptionLimit { interruptions.removeFirst() }
    }

    /// Starts the first check after an interruption: asks the server for the last kept messages.
    /// Schedules a second check for ten seconds later, when restarted servers have elected a
    /// leader.
    mutating func startCheck(now: MonotonicInstant) {
        recordInterruption()
        isCheckDue = true
        isUnanswered = false
        secondCheckTime = interruptions.isEmpty ? nil : now + Self.settlingTime
        asked = nil
        questions = []
    }

    /// Returns the next query for the server; `nil` if there is none or the previous one was not
    /// answered yet.
    mutating func nextQuestion(now: MonotonicInstant) -> Question? {
        if asked == nil, questions.isEmpty {
            if isCheckDue {
                isCheckDue = false
                ask(interruptions)
            } else if let secondCheckTime, secondCheckTime <= now {
                // Queries the periods before each interruption, and the one after the last.
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

    /// Queues a query for the last message of each stream in each period. `ends` contains the last
    /// `Entry.order` of each period.
    private mutating func ask(_ ends: [Int]) {
        var start = 1
        for end in ends {
            let period = start..<end + 1
            var last: [String: Entry] = [:]
            for entry in entries.contents where period.contains(entry.order) {
                let number = last[entry.position.stream]?.position.number ?? 0
                if number <= entry.position.number { last[entry.position.stream] = entry }
            }
            for entry in last.values {
                questionCount += 1
                questions.append(Question(token: questionCount, entry: entry, period: period))
            }
            start = end + 1
        }
    }

    /// Handles the server's answer to a query. Returns whether the answer shows that the server has
    /// lost messages.
    mutating func answer(_ token: Int, _ presence: StorePresence, now: MonotonicInstant) -> Bool {
        // An answer to another query is ignored, because that query is from before the last
        // interruption.
        guard var question = asked, question.token == token else { return false }
        asked = nil
        let position = question.entry.position
        switch presence {
        case .present:
            checkTime = now
            question.present = position.number
            return searchOn(question)
        case .missing:
            question.missing = position.number
            return searchOn(question)
        // Servers that have just started may not be able to answer yet, so messages are not resent
        // before the second check.
        case .unknown where secondCheckTime != nil: isUnanswered = true
        case .unknown:
            // The entry is not found if it was removed or is already queued to be resent.
            for entry in remove({ $0.number == question.entry.number }) {
                resends.append(Resend(entry: entry, purpose: .probe(question.period)))
            }
        }
        return false
    }

    /// Continues the binary search with a query for the middle one of the messages that may be
    /// lost. When the first lost message is known, queues all lost messages to be resent and
    /// returns `true`.
    private mutating func searchOn(_ question: Question) -> Bool {
        guard let missing = question.missing else { return false }
        let stream = question.entry.position.stream
        let all = entries.contents.filter {
            $0.position.stream == stream && question.period.contains($0.order)
        }
        let open = all.filter {
            question.present < $0.position.number && $0.position.number < missing
        }
        .sorted { $0.position.number < $1.position.number }
        guard open.isEmpty else {
            questionCount += 1
            questions.append(
                Question(
                    token: questionCount, entry: open[open.count / 2], period: question.period,
                    present: question.present, missing: missing))
            return false
        }
        let lost = take(stream) {
            question.period.contains($0.order) && $0.position.number >= missing
        }
        for entry in lost { resends.append(Resend(entry: entry, purpose: .lost)) }
        return true
    }

    /// Removes and returns the next message to resend; `nil` if there is none.
    mutating func nextResend() -> Resend? {
        defer { resends.removeFirst() }
        return resends.first
    }
}

/// A message that was sent to a server and is neither stored nor refused.
struct PendingMessage {
    /// Where the message comes from.
    enum Origin {
        /// The live fixes of the stream with this number.
        case live(Int64)
        /// Fixes that were read from the spool.
        case backlog
        /// A message that the server has acknowledged and may have lost since.
        case kept(KeptMessages.Resend)

        /// Whether the message counts as backlog, which includes kept messages.
        var isBacklog: Bool { if case .live = self { false } else { true } }
    }

    let message: EngineMessage
    /// The receiver; `nil` for a kept message.
    let member: MemberName?
    var origin: Origin
    /// The time at which the message was last sent.
    var sent: MonotonicInstant
    /// The sequence numbers of the message's fixes, which are removed from the spool when the
    /// server acknowledges the message.
    var sequences: [Int64] = []
    /// The number of failures for which the message itself may be the cause.
    var failureCount = 0
}

/// A first-in, first-out queue.
struct Queue<Element> {
    private var elements: [Element?] = []
    private var start = 0

    /// The oldest element; `nil` if the queue is empty.
    var first: Element? { start < elements.count ? elements[start] : nil }

    var count: Int { elements.count - start }

    /// All elements, oldest first.
    var contents: [Element] { elements[start...].compactMap { $0 } }

    mutating func append(_ element: Element) { elements.append(element) }

    mutating func removeFirst() {
        guard start < elements.count else { return }
        elements[start] = nil
        start += 1
        guard start > 1024, start * 2 > elements.count else { return }
        elements.removeFirst(start)
        start = 0
    }

    /// Removes and returns the elements that satisfy a condition, oldest first.
    mutating func extract(where condition: (Element) -> Bool) -> [Element] {
        let all = contents
        self = Queue()
        for element in all where !condition(element) { append(element) }
        return all.filter(condition)
    }
}

/// Ordered, disjoint ranges of sequence numbers.
struct SequenceRanges {
    private var ranges: [ClosedRange<Int64>] = []

    var isEmpty: Bool { ranges.isEmpty }

    /// Adds a range, and merges it with the last ranges where they touch or overlap.
    mutating func append(_ range: ClosedRange<Int64>) {
        var range = range
        while let last = ranges.last, range.lowerBound <= last.upperBound + 1 {
            range =
                min(last.lowerBound, range.lowerBound)...max(last.upperBound, range.upperBound)
            ranges.removeLast()
        }
        ranges.append(range)
    }

    /// Returns the next range to read: the last one if `newestFirst` is `true`, otherwise the
    /// first; `nil` if there is none.
    func next(newestFirst: Bool) -> ClosedRange<Int64>? {
        newestFirst ? ranges.last : ranges.first
    }

    /// Removes the part of the next range that has been read. `number` is the last sequence number
    /// that was read; `nil` if the whole range was read.
    mutating func remove(newestFirst: Bool, upTo number: Int64?) {
        guard let range = next(newestFirst: newestFirst) else { return }
        let rest =
            number.flatMap { number -> ClosedRange<Int64>? in
                let (first, last) =
                    newestFirst ? (range.lowerBound, number - 1) : (number + 1, range.upperBound)
                return first <= last ? first...last : nil
            }
        let index = newestFirst ? ranges.count - 1 : 0
        if let rest {
            ranges[index] = rest
        } else {
            ranges.remove(at: index)
        }
    }
}
