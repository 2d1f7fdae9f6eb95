// SPDX-License-Identifier: MIT
import GNSS

/// The requests that restore a receiver's previous settings. If a change is interrupted by a crash,
/// an unplugged cable or a power failure, the next start of the program sends them.
///
/// The requests are idempotent: each may be sent twice, or to a receiver that has already lost the
/// changes because it was switched off.
public struct ConfigurationJournal: Hashable, Sendable {
    /// A request that undoes a step.
    struct Undo: Hashable, Sendable {
        var bytes: [UInt8]
        /// The baud rate that the request sets; `nil` if it does not change the baud rate.
        var baudRate: Int?
    }

    /// The description of the receiver to restore. Other receivers are not changed.
    var receiver: String
    /// The baud rates that the receiver may have now, the most likely first.
    var baudRates: [Int]
    /// The requests, in sending order.
    var undo: [Undo] = []

    init(receiver: String, baudRates: [Int]) {
        (self.receiver, self.baudRates) = (receiver, baudRates)
    }

    /// Parses a journal file.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`.
    public init(toml text: String) throws(ConfigurationError) {
        let document = try TOMLDocument(settings: text)
        func entry(_ key: String) throws(ConfigurationError) -> TOMLDocument.Entry {
            guard let entry = document[key] else {
                throw ConfigurationError(.malformedFile, "the journal has no '\(key)'")
            }
            return entry
        }
        func integers(_ key: String) throws(ConfigurationError) -> [Int] {
            let entry = try entry(key)
            guard case .array(let values) = entry.value else {
                throw ConfigurationError("expected numbers in brackets", at: entry)
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
            throw ConfigurationError(error.reason, at: requests)
        }
        baudRates = try integers("rates").filter { $0 > 0 }
    }

    /// The journal as a TOML file.
    public var toml: String {
        var document = TOMLDocument()
        document.add("receiver", .string(receiver))
        document.add("rates", .array(baudRates.map { .integer($0) }))
        let requests = undo.map { $0.bytes.map { TextLine.hexadecimal($0) }.joined() }
        document.add("undo", .array(requests.map { .string($0) }))
        document.add("undo-rates", .array(undo.map { .integer($0.baudRate ?? 0) }))
        return document.text
    }
}
