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
        .library(name: "UBX", targets: ["UBX"]),
        .library(name: "GPSIntegrity", targets: ["GPSIntegrity"]),
        .library(name: "GPSConfiguration", targets: ["GPSConfiguration"]),
        .library(name: "GPSFormats", targets: ["GPSFormats"]),
        .library(name: "GPSFiles", targets: ["GPSFiles"]),
        .library(name: "GPSServer", targets: ["GPSServer"]),
        .library(name: "SimulatedDevices", targets: ["SimulatedDevices"]),
        .executable(name: "gpsbridge", targets: ["GPSBridgeCLI"]),
    ],
    targets: [
        // C libraries and kernel interfaces
        .target(name: "CGPSSerial", path: "Sources/C/CGPSSerial"),
        .systemLibrary(name: "CGPSUdev", path: "Sources/C/CGPSUdev"),
        .systemLibrary(name: "CGPSExpat", path: "Sources/C/CGPSExpat"),
        .systemLibrary(name: "CGPSZstd", path: "Sources/C/CGPSZstd"),
        .systemLibrary(name: "CGPSZlib", path: "Sources/C/CGPSZlib"),
        .systemLibrary(name: "CGPSLanes", path: "Sources/C/CGPSLanes"),
        .systemLibrary(name: "CGPSCoreLocation", path: "Sources/C/CGPSCoreLocation"),
        .target(name: "CGPSArgp", path: "Sources/C/CGPSArgp"),
        .target(name: "CGPSLoading", path: "Sources/C/CGPSLoading"),
        .target(name: "CGPSCurses", dependencies: ["CGPSLoading"], path: "Sources/C/CGPSCurses"),
        .target(name: "CGPSSignals", path: "Sources/C/CGPSSignals"),
        .target(name: "CGPSCairo", dependencies: ["CGPSLoading"], path: "Sources/C/CGPSCairo"),
        .target(
            name: "CGPSMicrohttpd", dependencies: ["CGPSLoading"],
            path: "Sources/C/CGPSMicrohttpd"),
        .target(name: "CGPSRelay", path: "Sources/C/CGPSRelay"),
        .target(name: "CGPSPage", path: "Sources/C/CGPSPage", exclude: ["Files", "Packed"]),
        .target(name: "CGPSGeoid", path: "Sources/C/CGPSGeoid", exclude: ["grid.bin"]),

        // Values, sentences, delegates
        .target(name: "GNSS", dependencies: ["CGPSGeoid"], swiftSettings: lifetimes),
        .target(name: "UBX", dependencies: ["GNSS"], swiftSettings: lifetimes),
        .target(name: "AIS", dependencies: ["GNSS"], swiftSettings: strict),
        .target(
            name: "NMEA", dependencies: ["GNSS", "UBX", "CGPSLanes"], swiftSettings: lifetimes),
        .target(name: "GPSIntegrity", dependencies: ["GNSS"], swiftSettings: strict),
        .target(name: "Delegation", swiftSettings: strict),

        // The system: descriptors, files, processes, sockets, clocks
        .target(name: "GPSIO", dependencies: ["GNSS", "CGPSSerial"], swiftSettings: strict),

        // Receivers, and the library
        .target(
            name: "GPSReceivers",
            dependencies: [
                "GNSS", "NMEA", "UBX", "GPSIntegrity", "Delegation", "GPSIO", "CGPSSerial",
                "CGPSUdev",
            ],
            swiftSettings: strict),
        .target(
            name: "GPSBridge",
            dependencies: [
                "GNSS", "NMEA", "GPSIntegrity", "Delegation", "GPSIO", "GPSReceivers",
            ],
            swiftSettings: strict),
        .target(
            name: "GPSConfiguration",
            dependencies: ["GNSS", "UBX", "GPSIO", "GPSReceivers"], swiftSettings: strict),
        .target(
            name: "SimulatedDevices",
            dependencies: ["GNSS", "NMEA", "UBX", "GPSIO", "GPSReceivers"],
            swiftSettings: strict),
        .target(
            name: "CoreLocation",
            dependencies: [
                "CGPSCoreLocation", "GNSS", "Delegation", "GPSReceivers", "GPSBridge",
                "SimulatedDevices",
            ],
            swiftSettings: strict),

        // What is done with positions
        .target(
            name: "GPSFormats", dependencies: ["GNSS", "NMEA", "UBX"], swiftSettings: lifetimes),
        .target(
            name: "GPSFiles",
            dependencies: [
                "CGPSExpat", "CGPSZstd", "CGPSZlib", "GNSS", "SimulatedDevices", "GPSFormats",
            ],
            swiftSettings: strict),
        .target(
            name: "GPSViews", dependencies: ["CGPSCairo", "GNSS", "NMEA"], swiftSettings: strict),
        .target(
            name: "GPSServer",
            dependencies: [
                "AIS", "GNSS", "NMEA", "Delegation", "GPSIO", "GPSReceivers",
                "GPSConfiguration", "GPSFormats", "GPSFiles", "GPSViews",
                "CGPSMicrohttpd", "CGPSRelay", "CGPSPage",
            ],
            swiftSettings: strict),

        // The command, and what the commands of both programs are made of
        .target(
            name: "GPSCommands",
            dependencies: [
                "CGPSArgp", "CGPSSignals", "GNSS", "GPSIntegrity", "Delegation", "GPSIO",
                "GPSReceivers", "SimulatedDevices",
            ], swiftSettings: strict),
        .executableTarget(
            name: "GPSBridgeCLI",
            dependencies: [
                "CGPSCurses", "AIS", "GNSS", "NMEA", "UBX", "Delegation", "GPSIO",
                "GPSReceivers", "SimulatedDevices", "GPSConfiguration", "GPSFormats", "GPSFiles",
                "GPSViews", "GPSServer",
                "GPSCommands",
            ], swiftSettings: strict),

        // What the tests of all modules share (each depends on it, see below), and those of several.
        .target(name: "GPSTestTraits", path: "Tests/GPSTestTraits", swiftSettings: strict),
        .target(
            name: "GPSTestSupport",
            dependencies: [
                "GPSTestTraits", "GNSS", "NMEA", "GPSIO", "GPSReceivers", "SimulatedDevices",
            ],
            path: "Tests/GPSTestSupport",
            swiftSettings: strict),

        // What the fuzzers do, too; they are a package of their own, which builds these folders.
        .target(
            name: "GPSExercises", dependencies: ["GNSS", "NMEA", "UBX"],
            path: "Tests/Fuzzing/Sources/Exercises", swiftSettings: strict),
        .target(
            name: "GPSServerExercises",
            dependencies: ["GPSServer", "GPSIO", "GPSConfiguration", "GPSReceivers", "GNSS"],
            path: "Tests/Fuzzing/Sources/ServerExercises", swiftSettings: strict),
        .target(name: "CGPSAllocations", path: "Tests/Fuzzing/Sources/CAllocations"),

        .testTarget(
            name: "GNSSTests",
            dependencies: ["GNSS", "NMEA", "SimulatedDevices", "GPSTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "NMEATests",
            dependencies: ["NMEA", "UBX", "GNSS", "GPSExercises", "CGPSAllocations"],
            swiftSettings: strict),
        .testTarget(
            name: "GPSIntegrityTests",
            dependencies: [
                "GPSIntegrity", "SimulatedDevices", "GPSFiles", "NMEA", "GNSS", "CGPSAllocations",
            ],
            swiftSettings: strict),
        .testTarget(name: "UBXTests", dependencies: ["UBX", "GNSS"], swiftSettings: strict),
        .testTarget(
            name: "GPSConfigurationTests",
            dependencies: [
                "GPSConfiguration", "GPSIO", "GPSReceivers", "SimulatedDevices", "GNSS", "UBX",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(name: "AISTests", dependencies: ["AIS"], swiftSettings: strict),
        .testTarget(name: "DelegationTests", dependencies: ["Delegation"], swiftSettings: strict),
        .testTarget(
            name: "GPSIOTests", dependencies: ["GPSIO", "GNSS", "GPSTestSupport"],
            swiftSettings: strict),
        .testTarget(
            name: "GPSReceiversTests",
            dependencies: [
                "Delegation", "GPSIO", "GPSIntegrity", "GPSReceivers", "CGPSSerial", "NMEA", "GNSS",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSBridgeTests",
            dependencies: [
                "GPSBridge", "GPSIO", "GPSReceivers", "SimulatedDevices", "NMEA", "GNSS",
                "Delegation",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "CoreLocationTests",
            dependencies: [
                "CoreLocation", "Delegation", "GPSBridge", "SimulatedDevices", "GPSReceivers",
                "GNSS",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "SimulatedDevicesTests",
            dependencies: [
                "SimulatedDevices", "GPSIO", "GPSReceivers", "NMEA", "UBX", "GNSS",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSFormatsTests",
            dependencies: [
                "GPSFormats", "GPSReceivers", "SimulatedDevices", "NMEA", "UBX", "GNSS",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSFilesTests",
            dependencies: [
                "GPSFiles", "GPSFormats", "SimulatedDevices", "GPSIO", "GPSReceivers", "NMEA",
                "GNSS", "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSViewsTests",
            dependencies: [
                "GPSViews", "CGPSExpat", "SimulatedDevices", "GPSReceivers", "NMEA", "GNSS",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSServerTests",
            dependencies: [
                "GPSServer", "GPSServerExercises", "CGPSPage", "GPSFormats", "GPSFiles", "GPSIO",
                "GPSReceivers", "CGPSSerial", "GNSS", "GPSConfiguration", "SimulatedDevices",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "GPSBridgeCLITests",
            dependencies: [
                "GPSBridgeCLI", "CGPSCurses", "GPSIO", "GPSReceivers", "SimulatedDevices", "NMEA",
                "UBX", "GNSS", "GPSFormats",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)

// `gpsbridge-fleet` needs NATS, MQTT, SQLite, PostgreSQL and libcurl, which users with only a receiver need not
// install. `make` sets the variable if their headers are installed.
if Context.environment["GPSBRIDGE_FLEET"] == "1" {
    package.products.append(.executable(name: "gpsbridge-fleet", targets: ["GPSFleetCLI"]))
    package.targets += [
        .systemLibrary(name: "CGPSNATS", path: "Sources/C/CGPSNATS"),
        .systemLibrary(name: "CGPSMosquitto", path: "Sources/C/CGPSMosquitto"),
        .systemLibrary(name: "CGPSSQLite", path: "Sources/C/CGPSSQLite"),
        .systemLibrary(name: "CGPSPostgreSQL", path: "Sources/C/CGPSPostgreSQL"),
        .target(name: "CGPSCurl", dependencies: ["CGPSLoading"], path: "Sources/C/CGPSCurl"),
        .target(
            name: "GPSFleet",
            dependencies: [
                "CGPSNATS", "CGPSMosquitto", "CGPSSQLite", "CGPSPostgreSQL", "CGPSCurl", "GNSS",
                "NMEA", "Delegation", "GPSIO", "GPSReceivers", "SimulatedDevices", "GPSFormats",
                "GPSFiles",
            ], swiftSettings: lifetimes),
        .executableTarget(
            name: "GPSFleetCLI",
            dependencies: [
                "GPSCommands", "GNSS", "NMEA", "Delegation", "GPSIO", "GPSReceivers",
                "SimulatedDevices",
                "GPSFormats", "GPSFleet",
            ], swiftSettings: strict),
        .testTarget(
            name: "GPSFleetTests",
            dependencies: [
                "GPSFleet", "GNSS", "NMEA", "GPSFormats", "GPSReceivers",
                "SimulatedDevices",
                "GPSTestSupport",
            ],
            swiftSettings: strict),
    ]
}

// Programs by a clock that stands still until a test advances it: `make oracle`.
if Context.environment["GPSBRIDGE_ORACLE"] == "1" {
    package.products.append(
        .library(name: "ManualClock", type: .dynamic, targets: ["CManualClock"]))
    package.targets += [
        .target(name: "CManualClock", path: "Tests/ManualClock"),
        .executableTarget(
            name: "OracleManager", dependencies: ["GPSBridge"], path: "Tests/OracleManager",
            swiftSettings: strict),
        .testTarget(
            name: "OracleTests",
            dependencies: [
                "GPSIO", "GPSReceivers", "GNSS", "UBX", "SimulatedDevices", "GPSTestSupport",
            ],
            swiftSettings: strict),
    ]
}

for target in package.targets where target.type == .test {
    target.dependencies.append("GPSTestTraits")
}

// `ONLY='NMEATests GNSSTests' swift test` builds these test targets and no others.
if let only = Context.environment["ONLY"]?.split(separator: " ").map(String.init), !only.isEmpty {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}
