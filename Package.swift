// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// What every Swift target is built with; the modules and their arrows are in docs/architecture.md.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Readers and writers that store a span need lifetime annotations.
let lifetimes: [SwiftSetting] = strict + [.enableExperimentalFeature("Lifetimes")]

let package = Package(
    name: "gpsbridge",
    products: [
        .library(name: "GPSBridge", targets: ["GPSBridge"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "Delegation", targets: ["Delegation"]),
        .library(name: "NMEA", targets: ["NMEA"]),
        .library(name: "Outputs", targets: ["Outputs"]),
        .library(name: "Server", targets: ["Server"]),
        .library(name: "SimulatedDevices", targets: ["SimulatedDevices"]),
        .library(name: "GPXTracks", targets: ["GPXTracks"]),
        .executable(name: "gpsbridge", targets: ["GPSBridgeCLI"]),
    ],
    targets: [
        // 1: values, and the doors to C
        .target(name: "GNSS", swiftSettings: lifetimes),
        .target(name: "CSerial"),
        .systemLibrary(name: "CUdev"),
        .systemLibrary(name: "CExpat"),
        .systemLibrary(name: "CZstd"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CLanes"),
        .systemLibrary(name: "CCoreLocation"),
        .target(name: "CArgp"),
        .target(name: "CCurses"),
        .target(name: "CSignals"),
        .target(name: "CCairo"),
        .target(name: "CMicrohttpd"),
        .target(name: "CRelay"),
        .target(name: "Page", exclude: ["Files", "Packed"]),

        // 2: strangers to each other
        .target(name: "NMEA", dependencies: ["GNSS", "CLanes"], swiftSettings: lifetimes),
        .target(name: "Devices", dependencies: ["CSerial", "CUdev"], swiftSettings: strict),
        .target(name: "Delegation", swiftSettings: strict),
        .target(name: "Figures", dependencies: ["GNSS"], swiftSettings: strict),
        .target(name: "Compression", dependencies: ["CZstd", "CZlib"], swiftSettings: strict),
        .target(name: "Inputs", dependencies: ["CExpat", "GNSS"], swiftSettings: strict),

        // 3: the library
        .target(
            name: "Receivers",
            dependencies: ["GNSS", "NMEA", "Devices", "Delegation"], swiftSettings: strict),
        .target(
            name: "GPSBridge",
            dependencies: ["GNSS", "NMEA", "Devices", "Delegation", "Receivers"],
            swiftSettings: strict),
        .target(
            name: "SimulatedDevices",
            dependencies: ["GNSS", "NMEA", "Devices"], swiftSettings: strict),

        // 4: who else wants to know
        .target(
            name: "Outputs", dependencies: ["GNSS", "NMEA", "Devices", "Figures"],
            swiftSettings: lifetimes),

        .target(
            name: "SourceArguments", dependencies: ["GNSS", "Devices", "SimulatedDevices"],
            swiftSettings: strict),

        .target(
            name: "Doctor", dependencies: ["GNSS", "NMEA", "Devices", "Receivers"],
            swiftSettings: strict),

        .target(
            name: "GPXTracks", dependencies: ["Inputs", "GNSS", "SimulatedDevices"],
            swiftSettings: strict),

        .target(name: "Screen", dependencies: ["GNSS", "NMEA", "Figures"], swiftSettings: strict),

        .target(
            name: "Plots", dependencies: ["CCairo", "GNSS", "NMEA", "Devices", "Figures"],
            swiftSettings: strict),

        // 5: Apple's names for programs that were written with them
        .target(
            name: "CoreLocation",
            dependencies: [
                "CCoreLocation", "GNSS", "Devices", "Delegation", "GPSBridge", "SourceArguments",
            ],
            swiftSettings: strict),

        // 5: who is served over the network
        .target(
            name: "Server",
            dependencies: [
                "GNSS", "NMEA", "Devices", "Delegation", "Receivers", "Outputs", "Plots",
                "Compression", "CMicrohttpd", "CRelay", "Page",
            ],
            swiftSettings: strict),

        // 6: the command, and what the commands of both programs are made of
        .target(
            name: "Commands",
            dependencies: [
                "CArgp", "CSignals", "GNSS", "Devices", "Delegation", "SourceArguments",
            ], swiftSettings: strict),
        .executableTarget(
            name: "GPSBridgeCLI",
            dependencies: [
                "Commands", "CCurses", "CSignals", "GNSS", "NMEA", "Devices", "Delegation",
                "Receivers", "SourceArguments",
                "SimulatedDevices", "GPXTracks", "Outputs", "Screen", "Doctor", "Compression",
                "Plots", "Figures", "Server", "Inputs",
            ], swiftSettings: strict),

        // What the tests of all modules share (each depends on it, see below), and those of several.
        .target(name: "TestTraits", path: "Tests/TestTraits", swiftSettings: strict),
        .target(
            name: "TestSupport",
            dependencies: ["TestTraits", "GNSS", "NMEA", "Devices", "SimulatedDevices"],
            path: "Tests/TestSupport",
            swiftSettings: strict),

        // What the fuzzers do, too; they are a package of their own, which builds these folders.
        .target(
            name: "Exercises", dependencies: ["GNSS", "NMEA"],
            path: "Tests/Fuzzing/Sources/Exercises", swiftSettings: strict),
        .target(
            name: "ServerExercises", dependencies: ["Server", "Devices", "GNSS"],
            path: "Tests/Fuzzing/Sources/ServerExercises", swiftSettings: strict),
        .target(name: "CAllocations", path: "Tests/Fuzzing/Sources/CAllocations"),

        .testTarget(name: "GNSSTests", dependencies: ["GNSS"], swiftSettings: strict),
        .testTarget(
            name: "NMEATests", dependencies: ["NMEA", "GNSS", "Exercises", "CAllocations"],
            swiftSettings: strict),
        .testTarget(
            name: "DevicesTests", dependencies: ["Devices", "CSerial", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "CompressionTests", dependencies: ["Compression"], swiftSettings: strict),
        .testTarget(name: "DelegationTests", dependencies: ["Delegation"], swiftSettings: strict),
        .testTarget(
            name: "CoreLocationTests",
            dependencies: [
                "CoreLocation", "GPSBridge", "SimulatedDevices", "Devices", "GNSS", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSBridgeTests",
            dependencies: [
                "GPSBridge", "Receivers", "SimulatedDevices", "Devices", "NMEA", "GNSS",
                "Delegation",
                "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SimulatedDevicesTests",
            dependencies: ["SimulatedDevices", "Devices", "NMEA", "GNSS", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GPXTracksTests", dependencies: ["GPXTracks", "SimulatedDevices", "GNSS"],
            swiftSettings: strict),
        .testTarget(
            name: "OutputsTests", dependencies: ["Outputs", "Figures", "NMEA", "GNSS", "Devices"],
            swiftSettings: strict),
        .testTarget(
            name: "InputsTests", dependencies: ["Inputs", "Outputs", "NMEA", "GNSS", "Devices"],
            swiftSettings: strict),
        .testTarget(
            name: "FiguresTests",
            dependencies: ["Figures", "SimulatedDevices", "NMEA", "GNSS", "TestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "ScreenTests", dependencies: ["Screen", "SimulatedDevices", "NMEA", "GNSS"],
            swiftSettings: strict),
        .testTarget(
            name: "PlotsTests",
            dependencies: [
                "Plots", "CExpat", "SimulatedDevices", "Figures", "Devices", "NMEA", "GNSS",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "DoctorTests",
            dependencies: [
                "Doctor", "Devices", "Receivers", "GNSS", "NMEA", "SimulatedDevices", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ServerTests",
            dependencies: [
                "Server", "ServerExercises", "Page", "Compression", "Receivers", "Devices",
                "CSerial", "GNSS", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSBridgeCLITests",
            dependencies: [
                "GPSBridgeCLI", "Devices", "SimulatedDevices", "NMEA", "GNSS", "Outputs",
                "Figures",
                "TestSupport",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// NATS, MQTT, SQLite and PostgreSQL, which who has only a receiver need not install: `make` sets the variable
// where their headers are.
if Context.environment["GPSBRIDGE_FLEET"] == "1" {
    package.products.append(.executable(name: "gpsbridge-fleet", targets: ["FleetCLI"]))
    package.targets += [
        // 1
        .systemLibrary(name: "CNATS"),
        .systemLibrary(name: "CMosquitto"),
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CPostgreSQL"),
        // 5
        .target(
            name: "Fleet",
            dependencies: [
                "CNATS", "CMosquitto", "CSQLite", "CPostgreSQL", "GNSS", "Devices", "Delegation",
                "Receivers", "SimulatedDevices", "Compression", "Inputs", "Outputs",
            ], swiftSettings: lifetimes),
        // 6
        .executableTarget(
            name: "FleetCLI",
            dependencies: [
                "Commands", "SourceArguments", "GNSS", "Devices", "Delegation", "Receivers",
                "Outputs", "SimulatedDevices", "Fleet", "NMEA",
            ], swiftSettings: strict),
        .testTarget(
            name: "FleetTests",
            dependencies: [
                "Fleet", "GNSS", "NMEA", "Outputs", "Devices", "SimulatedDevices", "TestSupport",
            ],
            swiftSettings: strict),
    ]
}

for target in package.targets where target.type == .test {
    target.dependencies.append("TestTraits")
}

// `ONLY='NMEATests GNSSTests' swift test` builds these test targets and no others.
if let only = Context.environment["ONLY"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}
