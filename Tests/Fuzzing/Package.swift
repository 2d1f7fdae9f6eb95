// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// As in the package that is fuzzed.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

/// libFuzzer contains a `main`.
let fuzzed: [SwiftSetting] = strict + [.unsafeFlags(["-parse-as-library"])]

/// Only declarations with `package` access read the bytes of clients. These targets are compiled as part of
/// it. SwiftPM names a package by its folder.
let folder = Context.packageDirectory.split(separator: "/").dropLast(2).last.map(String.init) ?? ""
let inside = folder.lowercased().map { $0.isLetter || $0.isNumber || $0 == "_" ? $0 : "_" }
let own: [SwiftSetting] = [.unsafeFlags(["-package-name", String(inside)])]

let package = Package(
    name: "gpsbridge-fuzzing",
    products: [
        .executable(name: "gpsbridge-fuzz", targets: ["GPSBridgeFuzz"]),
        .executable(name: "gpsbridge-frames", targets: ["GPSBridgeFrames"]),
        .executable(name: "gpsbridge-year", targets: ["GPSBridgeYear"]),
    ],
    dependencies: [.package(name: "gpsbridge", path: "../..")],
    targets: [
        // The ordinary tests build the same folders under other names.
        .target(
            name: "FuzzedExercises",
            dependencies: [
                .product(name: "NMEA", package: "gpsbridge"),
                .product(name: "UBX", package: "gpsbridge"),
            ],
            path: "Sources/Exercises", packageAccess: false, swiftSettings: strict + own),
        .target(
            name: "FuzzedServerExercises",
            dependencies: [
                .product(name: "GPSServer", package: "gpsbridge"),
                .product(name: "GPSIntegrity", package: "gpsbridge"),
            ],
            path: "Sources/ServerExercises", packageAccess: false, swiftSettings: strict + own),
        .target(name: "CYearAllocations", path: "Sources/CAllocations"),
        .executableTarget(
            name: "GPSBridgeFuzz", dependencies: ["FuzzedExercises", "FuzzedServerExercises"],
            packageAccess: false, swiftSettings: fuzzed + own),
        .executableTarget(
            name: "GPSBridgeFrames", dependencies: ["FuzzedExercises"], packageAccess: false,
            swiftSettings: strict + own),
        .executableTarget(
            name: "GPSBridgeYear", dependencies: ["FuzzedExercises", "CYearAllocations"],
            packageAccess: false, swiftSettings: strict + own),
    ],
    swiftLanguageModes: [.v6]
)
