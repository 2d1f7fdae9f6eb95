// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// As in the package that is fuzzed.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// libFuzzer brings a `main` of its own.
let fuzzed: [SwiftSetting] = strict + [.unsafeFlags(["-parse-as-library"])]

let package = Package(
    name: "gpsbridge-fuzzing",
    products: [
        .executable(name: "gpsbridge-fuzz", targets: ["GPSBridgeFuzz"]),
        .executable(name: "gpsbridge-year", targets: ["GPSBridgeYear"]),
    ],
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: [
        // The ordinary tests build the same folders under names of their own.
        .target(
            name: "FuzzedExercises", dependencies: [.product(name: "NMEA", package: "gpsbridge")],
            path: "Sources/Exercises", swiftSettings: strict),
        .target(name: "CYearAllocations", path: "Sources/CAllocations"),
        .executableTarget(
            name: "GPSBridgeFuzz", dependencies: ["FuzzedExercises"], swiftSettings: fuzzed),
        .executableTarget(
            name: "GPSBridgeYear", dependencies: ["FuzzedExercises", "CYearAllocations"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
