// SPDX-License-Identifier: MIT
import GNSS

/// The data with which the next start undoes changes that were interrupted by a crash, an unplugged cable or
/// a power cut.
///
/// It has the requests that restore the settings of before. Each may be sent twice, and sent to a
/// receiver that has forgotten the changes at power-off.
public struct ConfigurationJournal: Hashable, Sendable {
    /// A request that undoes a step.
    struct Undo: Hashable, Sendable {
        var bytes: [UInt8]
        /// The rate of the line that it sets.
        var baudRate: Int?
    }

    /// The receiver: only this one is restored.
    var receiver: String
    /// The rates at which the receiver may be, the likeliest first.
    var baudRates: [Int]
    /// The requests, in the order of sending.
    var undo: [Undo] = []

    init(receiver: String, baudRates: [Int]) {
        (self.receiver, self.baudRates) = (receiver, baudRates)
    }

    /// Reads a journal.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`.
    public init(toml text: String) throws(ConfigurationError) {
        let document = try TOMLDocument(text)
        func entry(_ key: String) throws(ConfigurationError) -> TOMLDocument.Entry {
            guard let entry = document[key] else {
                throw ConfigurationError(.malformedFile, "the journal has no '\(key)'")
            }
            return entry
        }
        func integers(_ key: String) throws(ConfigurationError) -> [Int] {
            let entry = try entry(key)
            guard case .array(let values) = entry.value else {
                throw TOMLDocument.error("expected numbers in brackets", entry.line, entry.column)
            }
            return values.compactMap { if case .integer(let number) = $0 { number } else { nil } }
        }
        let names = try entry("receiver")
        let requests = try entry("undo")
        let rates = try integers("undo-rates")
        do throws(TOMLMismatch) {
            receiver = try names.value.string("a name")
            let texts = try requests.value.strings("hexadecimal digits")
            for (index, text) in texts.enumerated() {
                guard let bytes = DescribedMessage.bytes(text), rates.indices.contains(index) else {
                    throw TOMLMismatch("expected hexadecimal digits, and a rate for each")
                }
                undo.append(Undo(bytes: bytes, baudRate: rates[index] == 0 ? nil : rates[index]))
            }
        } catch {
            throw TOMLDocument.error(error.reason, requests.line, requests.column)
        }
        baudRates = try integers("rates").filter { $0 > 0 }
    }

    /// The journal as a TOML file.
    public var toml: String {
        var document = TOMLDocument()
        func add(_ key: String, _ value: TOMLValue) {
            document.entries.append(TOMLDocument.Entry(table: "", key: key, value: value))
        }
        add("receiver", .string(receiver))
        add("rates", .array(baudRates.map { .integer($0) }))
        let requests = undo.map { $0.bytes.map { TextLine.hexadecimal($0) }.joined() }
        add("undo", .array(requests.map { .string($0) }))
        add("undo-rates", .array(undo.map { .integer($0.baudRate ?? 0) }))
        return document.text
    }
}
