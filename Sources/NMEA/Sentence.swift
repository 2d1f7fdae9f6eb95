// SPDX-License-Identifier: MIT
public import GNSS

/// A type of sentence: its fields, and its contribution to a fix.
///
/// Most types conform to `DeclaredSentence`, which needs one list of fields instead of one for
/// reading and one for writing.
///
/// A sentence with the time of its epoch returns it from `timing`. To reject a sentence, throw
/// `.rejected`. Throw `.otherSentence` if it only begins like this type: the decoder then delivers
/// it undecoded.
public protocol Sentence: Sendable, SendableMetatype {
    /// The last three letters of the address, or the beginning of a proprietary sentence.
    static var formatter: SentenceFormatter { get }

    /// The minimum number of fields after the formatter; a sentence with fewer is rejected.
    /// Default: 1.
    static var minimumFieldCount: Int { get }

    /// Reads the fields in wire order.
    init(_ fields: inout FieldReader) throws(NMEAError)

    /// Writes the fields in wire order.
    func encode(into writer: inout SentenceWriter)

    /// The sentence's relation to an epoch. Default: `.untimed`.
    var timing: EpochTiming { get }

    /// Sets the values that the sentence reports about the fix. Default: none.
    func contribute(to epoch: inout Epoch)

    /// Reads the sentence and adds its contribution to the assembler, using `timing` and
    /// `contribute(to:)`.
    ///
    /// Only this package's lists of satellites, which do not belong to an epoch, need another
    /// implementation.
    static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError)
}

extension Sentence {
    /// Default: 1.
    public static var minimumFieldCount: Int { 1 }

    /// Default: `.untimed`.
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
        // With a line end, a wrong checksum can be distinguished from a cut-off sentence.
        framer.push(Array((text + "\n").utf8).span, read)
        framer.finish(read)
        guard let result else { throw .notOneSentence }
        self = try result.get()
    }

    /// Reads a sentence that a framer or a decoder has found.
    ///
    /// Throws `NMEAError.otherSentence` if it is of another type, and `NMEAError.rejected` if
    /// mandatory fields are missing:
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

/// The relation of a sentence to an epoch.
public enum EpochTiming: Hashable, Sendable {
    /// The sentence has the time of the epoch and opens a new epoch when that time changes: RMC,
    /// GGA, GLL… The time may be missing.
    case opens(TimeOfDay?)
    /// The sentence names the time of its fix and is ignored if that is another fix: GST, GRS.
    case attaches(TimeOfDay?)
    /// The sentence has no time and belongs to the current epoch: GSA, VTG…
    case untimed
}
