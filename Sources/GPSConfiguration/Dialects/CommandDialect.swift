// SPDX-License-Identifier: MIT

/// The common part of dialects whose receivers only send sentences.
protocol CommandDialect: Dialect {
    /// Requests that are still to be sent.
    var queue: [Exchange] { get set }
}

extension CommandDialect {
    mutating func nextRead() -> Exchange? { queue.isEmpty ? nil : queue.removeFirst() }

    func messages(of selection: MessageSelection) throws(ConfigurationError) -> [String: Int] {
        switch selection {
        case .nmea: return ["RMC": 1, "GGA": 1, "GSA": 1, "GSV": 1, "VTG": 1]
        case .ubx, .both: throw error(.unsupported, "does not send UBX")
        case .list(let list): return list
        }
    }

    /// Nothing that was read can be restored by one request.
    func restoration() -> [ConfigurationJournal.Undo] { [] }

    /// Fails for each setting that this receiver does not have, or that is not known here.
    func refuse(
        _ wish: ReceiverConfiguration, except names: Set<String>
    ) throws(ConfigurationError) {
        for property in ReceiverConfiguration.properties
        where property.value(wish) != nil && !names.contains(property.name) {
            throw unsupported(property.name, because: "no command for it is known")
        }
    }

    /// The numbers of a list of sentences in the order of `names`, for makers who set all at once.
    func intervals(
        _ messages: [String: Int], in names: [String]
    ) throws(ConfigurationError) -> [Int] {
        if let unknown = messages.keys.first(where: { !names.contains($0) }) {
            throw error(
                .unsupported, "has no sentence \(unknown)",
                remedy: "it has " + names.filter { !$0.isEmpty }.joined(separator: ", "))
        }
        return names.map { messages[$0] ?? 0 }
    }

    /// The messages in effect, where they are known.
    var knownMessages: [String: Int]? {
        if case .list(let list)? = state.configuration.messages { list } else { nil }
    }

    /// Milliseconds between fixes.
    func period(
        _ rate: Double, among allowed: ClosedRange<Int>
    ) throws(ConfigurationError) -> Int {
        let period = Int((1000 / rate).rounded())
        guard allowed.contains(period) else {
            let highest = TOMLValue.number(1000 / Double(allowed.lowerBound)).text
            throw error(
                .unsupported,
                "\(TOMLValue.number(rate).text) fixes per second are not possible: at most \(highest)"
            )
        }
        return period
    }
}

extension Exchange.Outcome {
    /// The fields of the first line that begins with a text; the text is not among them.
    func fields(of prefix: String) -> [String]? {
        guard case .accepted(let messages) = self else { return nil }
        for case .line(let line) in messages where line.hasPrefix(prefix) {
            return line.dropFirst(prefix.count)
                .split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        return nil
    }
}
