// SPDX-License-Identifier: MIT
import GNSS
import GPSFormats

/// Options that select fixes. Commands that write fixes share them.
enum SelectionArguments {
    /// The options that select fixes by time, distance or quality.
    static let options: [CommandOption<FixSelection>] =
        [
            .init(
                "after", value: "TIME", formerly: "from",
                help: "Omit fixes before TIME, such as 2026-03-21T12:00:00Z or 2026-03-21"
            ) {
                $0.start = try TimeArgument.time($1)
            },
            .init(
                "before", value: "TIME", formerly: "to-time",
                help: "Omit fixes at TIME or later"
            ) {
                $0.end = try TimeArgument.time($1)
            },
            .init(
                "simplify", value: "LENGTH",
                help: "Omit fixes within this distance of the line between the fixes that are kept"
            ) {
                $0.tolerance = try LengthArgument.metres($1, "simplify", in: 0.001...1e6)
            },
        ] + thinning + discarding

    /// The options that omit fixes by their quality.
    private static let discarding: [CommandOption<FixSelection>] = [
        .init("max-hdop", value: "N", help: "Omit fixes whose HDOP is unknown or larger than N") {
            $0.maximumHDOP = try Number.of($1, "max-hdop", in: 0...100)
        },
        .init("max-pdop", value: "N", help: "Omit fixes whose PDOP is unknown or larger than N") {
            $0.maximumPDOP = try Number.of($1, "max-pdop", in: 0...100)
        },
        .init("min-satellites", value: "N", help: "Omit fixes that use fewer than N satellites") {
            $0.minimumSatellites = try Number.count($1, "min-satellites")
        },
        .init(
            "max-accuracy", value: "LENGTH",
            help: "Omit fixes whose horizontal accuracy is unknown or larger than this"
        ) {
            $0.maximumAccuracy = try LengthArgument.metres($1, "max-accuracy", in: 0...1e7)
        },
        .init(
            "quality", value: "NAMES", choices: qualities,
            help: "Keep only fixes of these qualities, such as differential,rtk_fixed"
        ) {
            $0.qualities = try Set(
                $1.split(separator: ",", omittingEmptySubsequences: false).map { name in
                    guard let quality = FixQuality(name: String(name)) else {
                        throw UsageError.unknown("quality", String(name), known: qualities)
                    }
                    return quality
                })
        },
    ]

    /// The names of fix qualities, as in CSV and GeoJSON.
    private static let qualities = FixQuality.allCases.map { "\($0.name)" }

    /// The options that can be applied while recording, because they depend only on the previous
    /// fix.
    static let thinning: [CommandOption<FixSelection>] = [
        .init("every", value: "SECONDS", help: "Minimum time between written fixes") {
            $0.interval = try DurationArgument.seconds($1, "every")
        },
        .init(
            "distance", value: "LENGTH",
            help: "Minimum distance between written fixes, such as 50m, 100ft or 0.5nmi"
        ) {
            $0.distance = try LengthArgument.metres($1, "distance", in: 0.001...1e7)
        },
        .init(
            "gap", value: "SECONDS",
            help: "Begin a new segment after a gap of this length (default: 60)"
        ) {
            $0.gap = try DurationArgument.seconds($1, "gap")
        },
    ]
}
