// SPDX-License-Identifier: MIT
import GNSS
import GPSReceivers
import SimulatedDevices

/// The sources that a command reads, and the options for them.
struct SourceArguments {
    /// The options `--live`, `--baud`, `--warm-start`, `--vote` and `--at`.
    static let options: [CommandOption<SourceArguments>] =
        [.live(\.isLive), .baudRate(\.baudRate)]
        + WarmStartArguments.options.stored(in: \.warmStart)
        + VoteArguments.options.stored(in: \.vote)

    /// The maximum replay speed with `--vote`, as a multiple of the recorded speed. Each recording
    /// is replayed separately. At several hundred times the recorded speed, one of them falls
    /// behind, and the others no longer confirm its fixes.
    private static let maximumVoteSpeed = 50.0

    /// The sources as given by the user; empty to use the first receiver that is plugged in.
    var words: [String] = []
    var isLive = false
    var baudRate: BaudRate?
    var vote = VoteArguments()
    var warmStart = WarmStartArguments()

    /// Parses the sources. With `--vote`, returns a single source that combines them.
    ///
    /// If there are several sources, or if `namesAll` is `true`, simulated receivers are named after
    /// their arguments. Repeated names get a number.
    func deviceSources(
        speed: Double? = nil, defaultSpeed: Double = 1, namesAll: Bool = false
    ) throws -> [any DeviceSource] {
        if vote.isActive, let speed, speed > Self.maximumVoteSpeed {
            let limit = Number.short(Self.maximumVoteSpeed)
            throw UsageError(
                "--vote replays recordings at most \(limit) times as fast as they were recorded: "
                    + "give a lower --speed")
        }
        return try vote.sources(words) { texts in
            try SourceArgument.checkLive(isLive, texts)
            guard !texts.isEmpty else { return [FirstReceiverSource(baudRate: baudRate)] }
            return try texts.enumerated().map { index, text -> any DeviceSource in
                let source = try SourceArgument.decompressedSource(
                    text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed,
                    isLive: isLive)
                guard texts.count > 1 || namesAll else { return source }
                let number = texts[...index].count { $0 == text }
                return source.named(number == 1 ? text : "\(text) (\(number))")
            }
        }
    }

    /// Throws a `UsageError` if one of the parsed sources is given twice.
    func checkDistinct(_ sources: [any DeviceSource]) throws {
        for (index, source) in sources.enumerated()
        where sources[..<index].contains(where: { $0.identity == source.identity }) {
            throw UsageError(
                "unexpected argument '\(words[index])': this source was already given")
        }
    }
}

/// A command that reads sources, with or without `--vote` and `--warm-start`.
protocol SourceCommand: Command {
    var sources: SourceArguments { get set }
}

extension SourceCommand {
    /// The options of `SourceArguments`, which a command adds to its own. They set the properties
    /// of `sources`.
    static var sourceOptions: [CommandOption<Self>] {
        SourceArguments.options.stored(in: \.sources)
    }

    mutating func addArgument(_ word: String) throws {
        sources.words.append(word)
    }
}

extension SourceArgument {
    /// Parses a source as `source(_:baudRate:speed:defaultSpeed:isLive:)` does. In addition, a
    /// compressed recording is decompressed, and a track in a format other than NMEA is converted
    /// to sentences.
    static func decompressedSource(
        _ text: String, baudRate: BaudRate?, speed: Double? = nil, defaultSpeed: Double = 1,
        isLive: Bool = false
    ) throws -> any DeviceSource {
        try CompressedSource.decompressing(
            source(
                text, baudRate: baudRate, speed: speed, defaultSpeed: defaultSpeed, isLive: isLive))
    }
}

extension DeviceSource {
    /// Returns the source with another name if it is a simulated receiver; otherwise, returns it
    /// unchanged.
    func named(_ name: String) -> any DeviceSource {
        guard let simulated = self as? SimulatedSource else { return self }
        return SimulatedSource(simulated.configuration, name: name)
    }
}
