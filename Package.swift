// swift-tools-version: 6.2
// SPDX-License-Identifier: MIT
import PackageDescription

/// The settings of each Swift target that names none. docs/architecture.md describes the modules.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

/// Readers and writers that store a span need lifetime annotations.
let lifetimes: [SwiftSetting] = strict + [.enableExperimentalFeature("Lifetimes")]

/// The layers, which are the folders of Sources: a module depends on its own and on lower ones.
let layers = [
    "Programs": ["GPSBridgeCLI", "GPSFleetCLI", "GPSCommands"],
    "Outputs": ["GPSServer", "GPSFleet", "GPSViews", "GPSFormats", "GPSFiles"],
    "Library": ["GPSBridge", "CoreLocation"],
    "Receivers": ["GPSReceivers", "GPSConfiguration", "GPSCorrections", "SimulatedDevices"],
    "System": ["GPSIO"],
    "Values": [
        "GNSS", "NMEA", "UBX", "RTCM", "AIS", "GNSSNavigation", "GNSSAuthentication", "GPSDObjects",
        "GPSIntegrity", "Delegation",
    ],
]

let package = Package(
    name: "gpsbridge",
    products: [
        .library(name: "GPSBridge", targets: ["GPSBridge"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "Delegation", targets: ["Delegation"]),
        .library(name: "NMEA", targets: ["NMEA", "UBX"]),
        .library(name: "GPSFormats", targets: ["GPSFormats"]),
        .library(name: "GPSConfiguration", targets: ["GPSConfiguration"]),
        .library(name: "SimulatedDevices", targets: ["SimulatedDevices"]),
        .executable(name: "gpsbridge", targets: ["GPSBridgeCLI"]),
    ],
    targets: [
        // C libraries and kernel interfaces
        .target(name: "CGPSSerial", path: "Sources/System/C/CGPSSerial"),
        .systemLibrary(name: "CGPSUdev", path: "Sources/System/C/CGPSUdev"),
        .systemLibrary(name: "CGPSExpat", path: "Sources/System/C/CGPSExpat"),
        .systemLibrary(name: "CGPSZstd", path: "Sources/System/C/CGPSZstd"),
        .systemLibrary(name: "CGPSZlib", path: "Sources/System/C/CGPSZlib"),
        .systemLibrary(name: "CGPSLanes", path: "Sources/System/C/CGPSLanes"),
        .systemLibrary(name: "CGPSCoreLocation", path: "Sources/System/C/CGPSCoreLocation"),
        .target(name: "CGPSArgp", path: "Sources/System/C/CGPSArgp"),
        .target(name: "CGPSLoading", path: "Sources/System/C/CGPSLoading"),
        .target(
            name: "CGPSCurses", dependencies: ["CGPSLoading"], path: "Sources/System/C/CGPSCurses"),
        .target(name: "CGPSSignals", path: "Sources/System/C/CGPSSignals"),
        .target(
            name: "CGPSCairo", dependencies: ["CGPSLoading"], path: "Sources/System/C/CGPSCairo"),
        .target(
            name: "CGPSMicrohttpd", dependencies: ["CGPSLoading"],
            path: "Sources/System/C/CGPSMicrohttpd"),
        .target(name: "CGPSCurl", dependencies: ["CGPSLoading"], path: "Sources/System/C/CGPSCurl"),
        .target(
            name: "CGPSCrypto", dependencies: ["CGPSLoading"], path: "Sources/System/C/CGPSCrypto"),
        .target(name: "CGPSRelay", path: "Sources/System/C/CGPSRelay"),
        .target(name: "CGPSPage", path: "Sources/System/C/CGPSPage", exclude: ["Files", "Packed"]),
        .target(name: "CGPSGeoid", path: "Sources/System/C/CGPSGeoid", exclude: ["grid.bin"]),

        // Values, sentences, delegates
        .target(name: "GNSS", dependencies: ["CGPSGeoid"], swiftSettings: lifetimes),
        .target(name: "UBX", dependencies: ["GNSS"], swiftSettings: lifetimes),
        .target(name: "AIS", dependencies: ["GNSS"]),
        .target(
            name: "NMEA", dependencies: ["GNSS", "UBX", "CGPSLanes"], swiftSettings: lifetimes),
        .target(name: "GNSSNavigation", dependencies: ["GNSS", "UBX"]),
        .target(
            name: "GNSSAuthentication",
            dependencies: ["CGPSCrypto", "GNSS", "GNSSNavigation", "UBX"]),
        .target(name: "RTCM", dependencies: ["GNSS", "NMEA", "UBX"]),
        .target(name: "GPSDObjects", dependencies: ["GNSS", "NMEA", "UBX"]),
        .target(name: "GPSIntegrity", dependencies: ["GNSS"]),
        .target(name: "Delegation"),

        // The system: descriptors, files, processes, sockets, clocks
        .target(name: "GPSIO", dependencies: ["GNSS", "CGPSSerial"]),

        // Receivers, and the library
        .target(
            name: "GPSReceivers",
            dependencies: [
                "GNSS", "GNSSAuthentication", "NMEA", "UBX", "GPSDObjects", "GPSIntegrity",
                "Delegation", "GPSIO", "CGPSSerial", "CGPSUdev",
            ]),
        .target(
            name: "GPSBridge",
            dependencies: ["GNSS", "NMEA", "GPSIntegrity", "Delegation", "GPSIO", "GPSReceivers"]),
        .target(
            name: "GPSConfiguration",
            dependencies: [
                "GNSS", "GNSSNavigation", "NMEA", "UBX", "Delegation", "GPSIO", "GPSReceivers",
            ]),
        .target(
            name: "GPSCorrections",
            dependencies: [
                "CGPSCurl", "GNSS", "NMEA", "RTCM", "Delegation", "GPSIO", "GPSReceivers",
            ]),
        .target(
            name: "SimulatedDevices",
            dependencies: [
                "GNSS", "GNSSAuthentication", "GNSSNavigation", "NMEA", "UBX", "RTCM", "GPSIO",
                "GPSReceivers", "GPSConfiguration",
            ]),
        .target(
            name: "CoreLocation",
            dependencies: [
                "CGPSCoreLocation", "GNSS", "Delegation", "GPSReceivers", "GPSBridge",
                "SimulatedDevices",
            ]),

        // What is done with positions
        .target(
            name: "GPSFormats",
            dependencies: ["GNSS", "GNSSNavigation", "NMEA", "UBX", "GPSDObjects"],
            swiftSettings: lifetimes),
        .target(
            name: "GPSFiles",
            dependencies: [
                "CGPSExpat", "CGPSZstd", "CGPSZlib", "GNSS", "GNSSAuthentication", "GPSIO",
                "SimulatedDevices", "GPSFormats",
            ]),
        .target(
            name: "GPSViews",
            dependencies: ["CGPSCairo", "GNSS", "GNSSNavigation", "NMEA", "UBX", "GPSReceivers"]),
        .target(
            name: "GPSServer",
            dependencies: [
                "AIS", "GNSS", "NMEA", "UBX", "Delegation", "GPSIO", "GPSReceivers",
                "GPSConfiguration", "GPSFormats", "GPSFiles", "GPSViews", "CGPSMicrohttpd",
                "CGPSRelay", "CGPSPage",
            ]),

        // The command, and what the commands of both programs are made of
        .target(
            name: "GPSCommands",
            dependencies: [
                "CGPSArgp", "CGPSLoading", "CGPSSignals", "GNSS", "GPSIntegrity", "Delegation",
                "GPSIO", "GPSReceivers", "GPSConfiguration",
            ]),
        .executableTarget(
            name: "GPSBridgeCLI",
            dependencies: [
                "CGPSCurses", "AIS", "GNSS", "GNSSNavigation", "GNSSAuthentication", "NMEA", "UBX",
                "Delegation", "GPSIO", "GPSReceivers", "RTCM", "SimulatedDevices",
                "GPSConfiguration", "GPSCorrections", "GPSFormats", "GPSFiles", "GPSViews",
                "GPSServer", "GPSCommands",
            ]),

        // What the tests of all modules share (each depends on it, see below), and those of several.
        .target(name: "GPSTestTraits", dependencies: ["GNSS"], path: "Tests/GPSTestTraits"),
        .target(
            name: "GPSTestSupport",
            dependencies: [
                "GPSTestTraits", "GNSS", "NMEA", "GPSIO", "GPSReceivers", "SimulatedDevices",
            ],
            path: "Tests/GPSTestSupport"),

        // What the fuzzers do, too.
        .target(
            name: "GPSExercises",
            dependencies: ["GNSS", "GNSSAuthentication", "GNSSNavigation", "NMEA", "RTCM", "UBX"],
            path: "Tests/Fuzzing/Sources/Exercises"),
        .target(
            name: "GPSServerExercises",
            dependencies: [
                "GPSServer", "GPSIO", "GPSConfiguration", "GPSReceivers", "GPSFormats", "GPSFiles",
                "GPSIntegrity", "NMEA", "GNSS",
            ],
            path: "Tests/Fuzzing/Sources/ServerExercises"),
        .target(name: "CGPSAllocations", path: "Tests/Fuzzing/Sources/CAllocations"),

        .testTarget(
            name: "GNSSTests",
            dependencies: ["GNSS", "NMEA", "SimulatedDevices", "GPSTestSupport"]),
        .testTarget(
            name: "NMEATests",
            dependencies: ["NMEA", "UBX", "GNSS", "GPSExercises", "CGPSAllocations"]),
        .testTarget(
            name: "GPSIntegrityTests",
            dependencies: [
                "GPSIntegrity", "SimulatedDevices", "GPSFiles", "NMEA", "GNSS", "CGPSAllocations",
            ]),
        .testTarget(name: "UBXTests", dependencies: ["UBX", "GNSS"]),
        .testTarget(name: "RTCMTests", dependencies: ["RTCM", "UBX", "GNSS", "GPSTestSupport"]),
        .testTarget(
            name: "GPSCorrectionsTests",
            dependencies: [
                "GPSCorrections", "RTCM", "NMEA", "GNSS", "GPSIO", "GPSReceivers",
                "SimulatedDevices", "GPSTestSupport",
            ]),
        .testTarget(
            name: "GPSConfigurationTests",
            dependencies: [
                "GPSConfiguration", "GPSIO", "GPSReceivers", "SimulatedDevices", "GNSS",
                "GNSSNavigation", "UBX", "GPSTestSupport",
            ]),
        .testTarget(name: "AISTests", dependencies: ["AIS"]),
        .testTarget(
            name: "GNSSNavigationTests",
            dependencies: ["GNSSNavigation", "GNSS", "UBX", "CGPSZstd"]),
        .testTarget(
            name: "GNSSAuthenticationTests",
            dependencies: [
                "GNSSAuthentication", "GNSSNavigation", "GNSS", "UBX", "GPSFiles", "GPSReceivers",
                "GPSIO", "SimulatedDevices", "GPSTestSupport",
            ]),
        .testTarget(name: "DelegationTests", dependencies: ["Delegation"]),
        .testTarget(name: "GPSIOTests", dependencies: ["GPSIO", "GNSS", "GPSTestSupport"]),
        .testTarget(
            name: "GPSReceiversTests",
            dependencies: [
                "Delegation", "GPSIO", "GPSIntegrity", "GPSReceivers", "CGPSSerial", "NMEA", "GNSS",
                "GPSTestSupport",
            ]),
        .testTarget(
            name: "GPSBridgeTests",
            dependencies: [
                "GPSBridge", "GPSIO", "GPSReceivers", "SimulatedDevices", "NMEA", "GNSS",
                "Delegation", "GPSTestSupport",
            ]),
        .testTarget(
            name: "CoreLocationTests",
            dependencies: [
                "CoreLocation", "Delegation", "GPSBridge", "SimulatedDevices", "GPSReceivers",
                "GNSS", "GPSTestSupport",
            ]),
        .testTarget(
            name: "SimulatedDevicesTests",
            dependencies: [
                "SimulatedDevices", "GPSIO", "GPSReceivers", "NMEA", "UBX", "RTCM", "GNSS",
                "GPSTestSupport",
            ]),
        .testTarget(
            name: "GPSFormatsTests",
            dependencies: [
                "GPSFormats", "GPSReceivers", "SimulatedDevices", "GNSSNavigation", "NMEA", "UBX",
                "GNSS",
            ]),
        .testTarget(
            name: "GPSFilesTests",
            dependencies: [
                "GPSFiles", "GPSFormats", "SimulatedDevices", "GPSIO", "GPSReceivers", "NMEA",
                "GNSS", "GPSTestSupport",
            ]),
        .testTarget(
            name: "GPSViewsTests",
            dependencies: [
                "GPSViews", "CGPSExpat", "SimulatedDevices", "GPSReceivers", "NMEA", "UBX", "GNSS",
            ]),
        .testTarget(
            name: "GPSServerTests",
            dependencies: [
                "GPSServer", "GPSServerExercises", "CGPSPage", "GPSFormats", "GPSFiles", "GPSIO",
                "GPSReceivers", "CGPSSerial", "GNSS", "GPSConfiguration", "SimulatedDevices",
                "AIS", "UBX", "GPSTestSupport",
            ]),
        .testTarget(
            name: "GPSBridgeCLITests",
            dependencies: [
                "GPSBridgeCLI", "CGPSCurses", "Delegation", "GNSSAuthentication",
                "GPSConfiguration", "GPSCorrections", "GPSIO", "GPSReceivers", "SimulatedDevices",
                "NMEA", "UBX", "GNSS", "GPSFormats", "GPSCommands", "GPSTestSupport",
            ]),
    ],
    swiftLanguageModes: [.v6]
)

// `gpsbridge-fleet` needs NATS, MQTT, SQLite and PostgreSQL, which users with only a receiver need not
// install. `make` sets the variable if their headers are installed.
if Context.environment["GPSBRIDGE_FLEET"] == "1" {
    package.products.append(.executable(name: "gpsbridge-fleet", targets: ["GPSFleetCLI"]))
    package.targets += [
        .systemLibrary(name: "CGPSNATS", path: "Sources/System/C/CGPSNATS"),
        .systemLibrary(name: "CGPSMosquitto", path: "Sources/System/C/CGPSMosquitto"),
        .systemLibrary(name: "CGPSSQLite", path: "Sources/System/C/CGPSSQLite"),
        .systemLibrary(name: "CGPSPostgreSQL", path: "Sources/System/C/CGPSPostgreSQL"),
        .target(
            name: "GPSFleet",
            dependencies: [
                "CGPSNATS", "CGPSMosquitto", "CGPSSQLite", "CGPSPostgreSQL", "CGPSCurl", "GNSS",
                "NMEA", "RTCM", "Delegation", "GPSIO", "GPSReceivers", "GPSCorrections",
                "SimulatedDevices", "GPSFormats", "GPSFiles",
            ], swiftSettings: lifetimes),
        .executableTarget(
            name: "GPSFleetCLI",
            dependencies: [
                "GPSCommands", "GNSS", "NMEA", "Delegation", "GPSIO", "GPSReceivers",
                "GPSConfiguration", "GNSSNavigation", "SimulatedDevices", "GPSFormats", "GPSFleet",
            ]),
        .testTarget(
            name: "GPSFleetTests",
            dependencies: [
                "GPSFleet", "GNSS", "NMEA", "RTCM", "GPSFormats", "GPSReceivers",
                "SimulatedDevices", "GPSTestSupport",
            ]),
    ]
}

// Programs by a clock that stands still until a test advances it: `make oracle`.
if Context.environment["GPSBRIDGE_ORACLE"] == "1" {
    package.products.append(
        .library(name: "ManualClock", type: .dynamic, targets: ["CManualClock"]))
    package.targets += [
        .target(name: "CManualClock", path: "Tests/ManualClock"),
        .executableTarget(
            name: "OracleManager", dependencies: ["GPSBridge"], path: "Tests/OracleManager"),
        .testTarget(
            name: "OracleTests",
            dependencies: [
                "GPSIO", "GPSReceivers", "GNSS", "UBX", "SimulatedDevices", "GPSTestSupport",
            ]),
    ]
}

// Fuzzers, and programs that run their exercises for long: scripts/endurance.
if Context.environment["GPSBRIDGE_FUZZING"] == "1" {
    let fuzzing = "Tests/Fuzzing/Sources"
    package.products += [
        .executable(name: "gpsbridge-fuzz", targets: ["GPSBridgeFuzz"]),
        .executable(name: "gpsbridge-frames", targets: ["GPSBridgeFrames"]),
        .executable(name: "gpsbridge-year", targets: ["GPSBridgeYear"]),
        .executable(name: "gpsbridge-flips", targets: ["GPSBridgeFlips"]),
    ]
    package.targets += [
        .executableTarget(
            name: "GPSBridgeFuzz", dependencies: ["GPSExercises", "GPSServerExercises"],
            path: fuzzing + "/GPSBridgeFuzz",
            // libFuzzer contains a `main`.
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]),
        .executableTarget(
            name: "GPSBridgeFrames", dependencies: ["GNSS", "GPSExercises"],
            path: fuzzing + "/GPSBridgeFrames"),
        .executableTarget(
            name: "GPSBridgeYear", dependencies: ["GPSExercises", "CGPSAllocations"],
            path: fuzzing + "/GPSBridgeYear"),
        .executableTarget(
            name: "GPSBridgeFlips",
            dependencies: ["GNSS", "GNSSAuthentication", "GNSSNavigation", "UBX"],
            path: fuzzing + "/GPSBridgeFlips"),
    ]
}

/// The modules whose tests compute for long. If GPSBRIDGE_OPTIMIZE is set, as by `make test`, the
/// compiler optimises them in a debug build, too. SwiftPM refuses packages that depend on one with
/// such flags, so they are not set otherwise.
let optimized: Set<String> =
    Context.environment["GPSBRIDGE_OPTIMIZE"] == nil
    ? []
    : [
        "GNSS", "UBX", "NMEA", "GNSSNavigation", "GNSSAuthentication", "GPSDObjects",
        "GPSIntegrity", "SimulatedDevices", "GPSReceivers", "GPSFormats", "GPSFiles",
    ]

// Each module gets its layer's folder, each test target the shared traits, each Swift target its
// settings.
for target in package.targets {
    if let layer = layers.first(where: { $0.value.contains(target.name) })?.key {
        target.path = "Sources/\(layer)/\(target.name)"
    }
    if target.type == .test { target.dependencies.append("GPSTestTraits") }
    let isC = target.name.hasPrefix("CGPS") || target.name == "CManualClock"
    if target.swiftSettings == nil, !isC { target.swiftSettings = strict }
    if optimized.contains(target.name) { target.swiftSettings? += [.unsafeFlags(["-O"])] }
}

// `ONLY='NMEATests GNSSTests' swift test` builds these test targets and no others.
if let only = Context.environment["ONLY"]?.split(separator: " ").map(String.init), !only.isEmpty {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}
