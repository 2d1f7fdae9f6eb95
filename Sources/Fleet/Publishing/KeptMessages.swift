// SPDX-License-Identifier: MIT
import Devices

/// Messages that an engine has acknowledged, in the spool until they are certainly stored.
///
/// An engine acknowledges before it writes: what dies with all its servers at once is gone. So after each
/// interruption the last message of a stream is looked for. An engine stores in order, so where that one is, all are;
/// where it is not, all are sent again, and those that are there still are known by their ids.
struct KeptMessages {
    private struct Entry {
        let number: Int64
        let place: StorePlace
        let size: Int
        let time: MonotonicInstant
    }

    /// A message that is to be sent again.
    struct Resend {
        let number: Int64
        /// Whether it is to show if the engine has it.
        let isProbe: Bool
    }

    /// A question to the engine.
    struct Question {
        let token: Int
        let number: Int64
        let place: StorePlace
    }

    /// How long a message is kept while the engine answers without interruption.
    private let duration: Duration
    private var entries = Queue<Entry>()
    private var size: Int64 = 0
    private var highest: [String: UInt64] = [:]
    private var lastAnswer: MonotonicInstant?
    /// Before that nothing is certain: the engine was away until then.
    private var checkTime: MonotonicInstant?
    private var isDoubtful = false
    private var questions: [Question] = []
    private var asked: Question?
    private var questionCount = 0
    private var resends = Queue<Resend>()

    /// To be written to the spool.
    private(set) var unwritten: [KeptMessage] = []
    private var unwrittenTimes: [MonotonicInstant] = []
    /// To be removed from it.
    private(set) var forgotten: [Int64] = []

    /// Takes what was in the spool at the start, which nothing is known of.
    init(_ kept: [Spool.Kept], duration: Duration, now: MonotonicInstant) {
        self.duration = duration
        for each in kept {
            add(Entry(number: each.number, place: each.place, size: each.size, time: now))
        }
    }

    /// Whether no message is to be looked for, and none to be sent again.
    var isIdle: Bool {
        resends.first == nil && asked == nil && questions.isEmpty
            && (!isDoubtful || entries.first == nil)
    }

    /// What was to be written and removed is; written messages have these numbers.
    mutating func didWrite(_ numbers: [Int64]) {
        for ((kept, time), number) in zip(zip(unwritten, unwrittenTimes), numbers) {
            add(
                Entry(number: number, place: kept.place, size: kept.message.bytes.count, time: time)
            )
        }
        unwritten.removeAll(keepingCapacity: true)
        unwrittenTimes.removeAll(keepingCapacity: true)
        forgotten.removeAll(keepingCapacity: true)
    }

    private mutating func add(_ entry: Entry) {
        entries.append(entry)
        size += Int64(entry.size)
        highest[entry.place.stream] = max(
            highest[entry.place.stream] ?? 0, entry.place.number)
    }

    // MARK: Answers

    /// The engine has stored a message; without a receipt it tells nothing that could be looked for.
    mutating func stored(_ message: EngineMessage, _ receipt: StoreReceipt?, now: MonotonicInstant)
    {
        lastAnswer = now
        guard duration > .zero, let receipt else { return }
        let place = receipt.place
        let last = highest[place.stream] ?? 0
        // Otherwise the number was another message's, which is lost.
        if !receipt.isDuplicate, place.number <= last { isDoubtful = true }
        highest[place.stream] = receipt.isDuplicate ? max(last, place.number) : place.number
        unwritten.append(KeptMessage(message: message, place: place))
        unwrittenTimes.append(now)
    }

    /// The engine has a message that was sent again; returns how many others are to be, too.
    mutating func storedAgain(
        _ message: EngineMessage, _ receipt: StoreReceipt?, _ resend: Resend, now: MonotonicInstant
    ) -> Int {
        forgotten.append(resend.number)
        var lost = 0
        if resend.isProbe, let receipt {
            if receipt.isDuplicate {
                checkTime = now
            } else {
                lost = sendAgain(receipt.place.stream)
            }
        }
        stored(message, receipt, now: now)
        return lost
    }

    // MARK: Time

    /// Forgets what is certainly stored, and the oldest beyond a size.
    mutating func expire(limit: Int64) {
        while let first = entries.first {
            let time = max(first.time, checkTime ?? first.time)
            let isCertain =
                !isDoubtful && asked == nil && questions.isEmpty && resends.first == nil
                && lastAnswer.map { time + duration <= $0 } ?? false
            guard isCertain || size > limit else { return }
            entries.removeFirst()
            size -= Int64(first.size)
            forgotten.append(first.number)
        }
    }

    // MARK: Looking for messages

    /// The engine was interrupted: it may have lost messages.
    mutating func doubt() {
        isDoubtful = true
        asked = nil
        questions = []
    }

    /// The next question to the engine, unless one is asked.
    mutating func nextQuestion() -> Question? {
        if isDoubtful, asked == nil, questions.isEmpty {
            isDoubtful = false
            var last: [String: Entry] = [:]
            for entry in entries.contents
            where last[entry.place.stream].map({ $0.place.number < entry.place.number }) ?? true {
                last[entry.place.stream] = entry
            }
            questions = last.values.map { entry in
                questionCount += 1
                return Question(
                    token: questionCount, number: entry.number, place: entry.place)
            }
        }
        guard asked == nil, let question = questions.popLast() else { return nil }
        asked = question
        return question
    }

    /// The answer to a question; returns how many messages are to be sent again.
    mutating func answer(_ token: Int, _ presence: StorePresence, now: MonotonicInstant) -> Int {
        // Otherwise it was asked before the last interruption.
        guard let question = asked, question.token == token else { return 0 }
        asked = nil
        switch presence {
        case .present: checkTime = now
        case .missing: return sendAgain(question.place.stream)
        case .unknown:
            remove { $0.number == question.number }
            resends.append(Resend(number: question.number, isProbe: true))
        }
        return 0
    }

    private mutating func sendAgain(_ stream: String) -> Int {
        let lost = remove { $0.place.stream == stream }
        for entry in lost { resends.append(Resend(number: entry.number, isProbe: false)) }
        highest[stream] = nil
        return lost.count
    }

    @discardableResult
    private mutating func remove(_ condition: (Entry) -> Bool) -> [Entry] {
        let all = entries.contents
        entries = Queue()
        for entry in all where !condition(entry) { entries.append(entry) }
        let removed = all.filter(condition)
        size -= removed.reduce(0) { $0 + Int64($1.size) }
        return removed
    }

    /// The next message that is to be sent again.
    mutating func nextResend() -> Resend? {
        defer { resends.removeFirst() }
        return resends.first
    }
}
