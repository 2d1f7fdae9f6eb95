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

/// A sentence that declares its fields once, in wire order, for both reading and writing.
///
/// You can define your own sentence type in ten lines. For a proprietary sentence, use a formatter
/// such as `"PACME"` or `"PACME,ALT"`:
///
/// ```swift
/// /// A barometer's altitude: `$--ALT,x.x,M*hh`
/// struct ALT: DeclaredSentence {
///     static let formatter: SentenceFormatter = "ALT"
///     var altitude: Double?
///     mutating func fields(_ coder: inout some FieldCoder) { coder.decimal(&altitude, unit: "M") }
///     func contribute(to epoch: inout Epoch) { epoch.replace(\.altitude, altitude) }
/// }
/// decoder.register(ALT.self)
/// ```
///
/// If the format depends on the number of fields, the type must also implement `init(_:)`, as `VTG`
/// does.
public protocol DeclaredSentence: Sentence {
    /// Creates a sentence with all fields `nil`.
    init()

    /// Passes each field to the coder, in wire order.
    mutating func fields(_ coder: inout some FieldCoder)
}

extension DeclaredSentence {
    /// Reads the declared fields by calling `fields(_:)`.
    @inline(__always)
    public init(_ fields: inout FieldReader) throws(NMEAError) {
        self.init()
        self.fields(&fields)
    }

    /// Writes the declared fields by calling `fields(_:)`.
    public func encode(into writer: inout SentenceWriter) {
        var sentence = self
        sentence.fields(&writer)
    }
}

/// A sentence from another instrument, which sends at any time. Its values belong to the next fix.
public protocol InstrumentSentence: DeclaredSentence {}

extension InstrumentSentence {
    /// The sentence comes from another instrument, so its values belong to the next fix.
    public var timing: EpochTiming { .instrument }
}

/// The built-in sentence types. To add one, add its type to a file of this folder, and its name
/// here.
public let knownSentences: [any Sentence.Type] = [
    // Position
    GGA.self, RMC.self, VTG.self, GLL.self, ZDA.self, GNS.self, DTM.self,
    // Satellites
    GSA.self, GSV.self, GST.self, GBS.self, GRS.self,
    // Heading
    HDT.self, HDG.self, HDM.self, ROT.self, THS.self, HPR.self, KSXT.self,
    // Water, wind and equipment
    MTW.self, DBT.self, DBK.self, DBS.self, DPT.self, VHW.self, VLW.self, MWV.self, VWR.self,
    VWT.self, MWD.self, XDR.self, VBW.self, RPM.self, RSA.self, TTM.self, TXT.self,
    // Navigation
    RMB.self, APB.self, BOD.self, BWC.self, XTE.self, WPL.self, RTE.self, AAM.self,
    // Proprietary
    PUBX00.self, PUBX03.self, PUBX04.self, PGRME.self, PGRMZ.self, PGRMM.self, PGRMV.self,
    PMTK001.self, PASHR.self, PTNLGGK.self, PTNLAVR.self, PSATHPR.self,
]
