// SPDX-License-Identifier: MIT
public import GNSS

/// A sentence type: its fields, and its contribution to a fix.
///
/// Most types conform to `DeclaredSentence`, which needs only one list of fields for reading and
/// writing.
///
/// If a sentence contains the time of its epoch, return that time from `timing`. In `init(_:)`,
/// throw `.rejected` to reject a sentence, or `.otherSentence` if it has this formatter but belongs
/// to another type. After `.otherSentence`, the decoder delivers the sentence undecoded.
public protocol Sentence: Sendable, SendableMetatype {
    /// The last three letters of the address, or the beginning of a proprietary sentence.
    static var formatter: SentenceFormatter { get }

    /// The minimum number of fields after the formatter. A sentence with fewer fields is rejected.
    /// Default: 1.
    static var minimumFieldCount: Int { get }

    /// Reads the fields in wire order.
    init(_ fields: inout FieldReader) throws(NMEAError)

    /// Writes the fields in wire order.
    func encode(into writer: inout SentenceWriter)

    /// Determines the epoch to which the sentence belongs. Default: `.untimed`.
    var timing: EpochTiming { get }

    /// Sets the values that the sentence reports about the fix. By default, it sets none.
    func contribute(to epoch: inout Epoch)

    /// Reads the sentence and adds its contribution to the assembler, using `timing` and
    /// `contribute(to:)`.
    ///
    /// The default implementation is sufficient for most types. `GSV` replaces it, because its
    /// satellite lists do not belong to an epoch.
    static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError)
}

extension Sentence {
    /// By default, a sentence needs at least one field.
    public static var minimumFieldCount: Int { 1 }

    /// By default, `.untimed`: the sentence does not contain the time of its epoch.
    public var timing: EpochTiming { .untimed }

    /// Contributes nothing.
    public func contribute(to epoch: inout Epoch) {}

    /// Reads the sentence, then adds its contribution.
    @inline(__always)
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        let sentence = try Self(&fields)
        assembler.receive(sentence, from: fields.address)
    }

    /// Reads one sentence of this type from text, with the framer's default options.
    public init(_ text: String) throws(NMEAError) {
        var framer = Framer()
        var result: Result<Self, NMEAError>?
        func read(_ event: FramerEvent) {
            switch event {
            case .sentence(let raw):
                guard result == nil else { return result = .failure(.notOneSentence) }
                do throws(NMEAError) {
                    result = .success(try Self(raw))
                } catch {
                    result = .failure(error)
                }
            case .rejected(let rejection): result = .failure(.rejected(rejection.reason))
            default: break
            }
        }
        // Without a line end, a wrong checksum would be reported as an unterminated sentence.
        framer.push(Array((text + "\n").utf8).span, read)
        framer.finish(read)
        guard let result else { throw .notOneSentence }
        self = try result.get()
    }

    /// Reads a sentence that a framer or a decoder has found.
    ///
    /// Throws `NMEAError.otherSentence` if the sentence belongs to another type, and
    /// `NMEAError.rejected` if mandatory fields are missing:
    ///
    /// ```swift
    /// if case .sentence(let raw) = event, let wind = try? MWV(raw) { show(wind) }
    /// ```
    public init(_ sentence: RawSentence) throws(NMEAError) {
        guard var fields = sentence.fields(of: Self.formatter) else {
            throw .otherSentence(address: sentence.address.description)
        }
        guard fields.count >= Self.minimumFieldCount else { throw .rejected(.tooFewFields) }
        try self.init(&fields)
    }
}

/// Determines the epoch to which a sentence belongs.
public enum EpochTiming: Hashable, Sendable {
    /// The sentence contains the time of the epoch, and opens a new epoch when that time changes.
    /// Examples: RMC, GGA, GLL. The time is `nil` if its field is empty.
    case opens(TimeOfDay?)
    /// The sentence contains the time of the fix that it describes. It is ignored if the current
    /// epoch has a different time. Exception: its standard deviations and its attitude are used for
    /// the next epoch if that epoch has this time. Before the first epoch, PASHR is an instant of
    /// its own. Examples: GST, GRS, PASHR.
    case attaches(TimeOfDay?)
    /// The sentence contains no time, and belongs to the current epoch. Examples: GSA, VTG.
    case untimed
    /// The sentence comes from another instrument, which sends at any time. Its values belong to
    /// the next fix. Examples: DPT, MWV.
    case instrument
}
