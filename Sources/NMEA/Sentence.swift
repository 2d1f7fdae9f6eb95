// SPDX-License-Identifier: MIT
public import GNSS

/// A type of sentence: how it is read and written, and what it contributes to a fix.
///
/// Most conform to `DeclaredSentence`, which asks for one list of the fields instead of one for reading
/// and one for writing.
///
/// One that carries the time of its epoch says so with `timing`. To refuse a sentence throw
/// `.rejected`; to have it handed through raw, since it only starts like one of yours,
/// `.otherSentence`.
public protocol Sentence: Sendable, SendableMetatype {
    /// The last three letters of its address, or how it begins if it is proprietary.
    static var formatter: SentenceFormatter { get }

    /// How many fields follow the formatter at the least; with fewer it is rejected. Default: 1.
    static var minimumFieldCount: Int { get }

    /// Reads the fields in wire order.
    init(_ fields: inout FieldReader) throws(NMEAError)

    /// Writes the fields in wire order.
    func encode(into writer: inout SentenceWriter)

    /// How it is tied to an instant; by default it has no time.
    var timing: EpochTiming { get }

    /// Writes what it reports about the fix; by default nothing.
    func contribute(to epoch: inout Epoch)

    /// Reads the sentence and adds what it contributes to the assembler, by `timing` and `contribute(to:)`.
    ///
    /// Only our own lists of satellites, which don't belong to an epoch, need another way.
    static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError)
}

extension Sentence {
    /// Default: 1.
    public static var minimumFieldCount: Int { 1 }

    /// Default: `.untimed`.
    public var timing: EpochTiming { .untimed }

    /// Default: contributes nothing.
    public func contribute(to epoch: inout Epoch) {}

    /// Default: reads, then contributes.
    @inline(__always)
    public static func receive(
        _ fields: inout FieldReader, into assembler: inout FixAssembler
    ) throws(NMEAError) {
        let sentence = try Self(&fields)
        assembler.receive(sentence, from: fields.address)
    }

    /// Reads one sentence of this type from text, by the framer's default rules.
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
        // With a line end of its own, a wrong checksum is distinguished from a cut-off sentence.
        framer.push(Array((text + "\n").utf8).span, read)
        framer.finish(read)
        guard let result else { throw .notOneSentence }
        self = try result.get()
    }

    /// Reads a sentence that a framer or a decoder has found.
    ///
    /// Throws `NMEAError.otherSentence` where it is of another type, and `NMEAError.rejected` where
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

/// How a sentence is tied to an instant.
public enum EpochTiming: Hashable, Sendable {
    /// It carries the time of the epoch and opens a new one when that differs: RMC, GGA, GLL…
    /// Its time may be missing.
    case opens(TimeOfDay?)
    /// It names the fix it speaks of and is ignored where that is another: GST, GRS.
    case attaches(TimeOfDay?)
    /// It has no time and belongs to the current epoch: GSA, VTG…
    case untimed
}
