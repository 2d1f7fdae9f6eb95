// SPDX-License-Identifier: MIT
import Foundation
import GPSTestSupport
import Testing

@preconcurrency import CoreLocation
import CoreLocation.CLGeocoder
import CoreLocation.CLHeading
import CoreLocation.CLLocation
import CoreLocation.CLLocationManagerDelegate
import CoreLocation.CLRegion
import CoreLocation.CLVisit
import GPSReceivers
import GPSTestSupport
import Testing

/// The parts of CoreLocation that public programs use, as they use them: this only has to compile.
@Suite(.timeLimit(.generous))
struct SurfaceTests {
    private let manager = CLLocationManager(source: .sentences([]))

    @Test func `CLLocationManager has its settings, methods and class methods`() {
        manager.delegate = nil
        manager.desiredAccuracy = kCLLocationAccuracyBestForNavigation
        manager.distanceFilter = kCLDistanceFilterNone
        manager.activityType = .maritime
        manager.allowsBackgroundLocationUpdates = true
        manager.showsBackgroundLocationIndicator = false
        manager.pausesLocationUpdatesAutomatically = false
        manager.headingFilter = kCLHeadingFilterNone
        manager.headingOrientation = CLDeviceOrientation.landscapeLeft
        manager.dismissHeadingCalibrationDisplay()
        manager.startMonitoringVisits()
        manager.stopMonitoringVisits()
        manager.stopMonitoringSignificantLocationChanges()
        manager.stopRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key")
        manager.requestTemporaryFullAccuracyAuthorization(withPurposeKey: "key") { _ in }
        let status: () -> CLAuthorizationStatus = CLLocationManager.authorizationStatus
        #expect(status().rawValue >= 0)
        _ = CLLocationManager.locationServicesEnabled()
        _ = CLLocationManager.headingAvailable()
        #expect(CLLocationManager.significantLocationChangeMonitoringAvailable())
        #expect(!CLLocationManager.isMonitoringAvailable(for: CLRegion.self))
        #expect(!CLLocationManager.isRangingAvailable())
        #expect(!CLLocationManager.deferredLocationUpdatesAvailable())
        #expect(manager.monitoredRegions.isEmpty && manager.rangedRegions.isEmpty)
        #expect(manager.maximumRegionMonitoringDistance < CLLocationDistanceMax)
    }

    @Test func `each initializer of a beacon condition is a function`() {
        let all = [UUID()].map(CLMonitor.BeaconIdentityCondition.init(uuid:))
        #expect(all.first?.major == nil && all.first?.minor == nil)
        let group = CLMonitor.BeaconIdentityCondition.init(uuid:major:)(UUID(), 1)
        #expect(group.major == 1 && group.minor == nil)
        let one = CLMonitor.BeaconIdentityCondition.init(uuid:major:minor:)(UUID(), 1, 2)
        #expect(one.major == 1 && one.minor == 2)
    }

    private final class Old: NSObject, CLLocationManagerDelegate {}

    @Test func `every delegate method can be called as an optional one`() {
        let old = Old()
        let delegate: (any CLLocationManagerDelegate)? = old
        let region = CLBeaconRegion(uuid: UUID(), identifier: "beacon")
        let constraint = CLBeaconIdentityConstraint(uuid: UUID(), major: 1, minor: 2)
        let error = CLError(.rangingFailure)
        delegate?.locationManager?(manager, didUpdateLocations: [CLLocation()])
        delegate?.locationManager?(manager, didUpdateTo: CLLocation(), from: CLLocation())
        delegate?.locationManager?(manager, didUpdateHeading: CLHeading())
        delegate?.locationManager?(manager, didFailWithError: error)
        delegate?.locationManager?(manager, didChangeAuthorization: .denied)
        delegate?.locationManager?(manager, didEnterRegion: region)
        delegate?.locationManager?(manager, didExitRegion: region)
        delegate?.locationManager?(manager, didDetermineState: .inside, for: region)
        delegate?.locationManager?(manager, didStartMonitoringFor: region)
        delegate?.locationManager?(manager, monitoringDidFailFor: nil, withError: error)
        delegate?.locationManager?(manager, didVisit: CLVisit())
        delegate?.locationManager?(manager, didRange: [CLBeacon()], satisfying: constraint)
        delegate?.locationManager?(manager, didFailRangingFor: constraint, error: error)
        delegate?.locationManager?(manager, didRangeBeacons: [], in: region)
        delegate?.locationManager?(manager, rangingBeaconsDidFailFor: region, withError: error)
        delegate?.locationManager?(manager, didFinishDeferredUpdatesWithError: nil)
        delegate?.locationManagerDidChangeAuthorization?(manager)
        delegate?.locationManagerDidPauseLocationUpdates?(manager)
        delegate?.locationManagerDidResumeLocationUpdates?(manager)
        #expect(delegate?.locationManagerShouldDisplayHeadingCalibration?(manager) == false)
        delegate?.locationManager(manager, didUpdateLocations: [])
        old.locationManagerDidChangeAuthorization(manager)
    }

    @Test func `values and unsupported types exist`() {
        let heading = CLHeading()
        #expect(heading.trueHeading == -1 && heading.headingAccuracy == -1)
        #expect(heading.x + heading.y + heading.z as CLHeadingComponentValue == 0)
        let visit = CLVisit()
        #expect(visit == visit && visit.arrivalDate < visit.departureDate)
        let beacon = CLBeacon()
        #expect(beacon == beacon && beacon.proximity == CLProximity.unknown && beacon.rssi == 0)
        let uuid = UUID()
        #expect(CLBeaconIdentityConstraint(uuid: uuid) == CLBeaconIdentityConstraint(uuid: uuid))
        #expect(CLBeaconRegion(uuid: uuid, major: 3, identifier: "").major == 3)
        let major: UInt16? = CLBeaconIdentityConstraint(uuid: uuid, major: 3).major
        #expect(major == 3)
        #expect(CLAuthorizationStatus.authorized == .authorizedAlways)
        #expect(CLLocationCoordinate2D(latitude: 1, longitude: 2).latitude == 1)
        let placemark = CLPlacemark()
        #expect(placemark.name == nil && placemark.region?.identifier == nil)
        #expect(placemark.isoCountryCode == nil && placemark.timeZone == nil)
    }

    @Test func `a switch over activities is exhaustive without maritime`() {
        func name(_ activity: CLActivityType) -> String {
            switch activity {
            case .other, .fitness: "person"
            case .automotiveNavigation, .otherNavigation: "vehicle"
            case .airborne: "aircraft"
            }
        }
        #expect(name(.maritime) == "vehicle")
        #expect(CLLocationUpdate.LiveConfiguration.maritime == .otherNavigation)
    }

    @Test func `a coordinate is two numbers in memory`() {
        func size<Value: BitwiseCopyable>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
        #expect(size(of: CLLocationCoordinate2D.self) == 2 * MemoryLayout<Double>.size)
    }

    @Test func `a geocoder finds nothing`() async {
        let handler: CLGeocodeCompletionHandler = { placemarks, error in
            #expect(placemarks == nil && (error as? CLError)?.code == .geocodeFoundNoResult)
        }
        CLGeocoder().reverseGeocodeLocation(CLLocation(), completionHandler: handler)
        await #expect(throws: CLError(.geocodeFoundNoResult)) {
            try await CLGeocoder().geocodeAddressString("Vienna")
        }
    }

    @Test func `sessions report one diagnostic without problems, and end`() async throws {
        let background = CLBackgroundActivitySession()
        let service = CLServiceSession(authorization: .whenInUse)
        var count = 0
        for try await _ in background.diagnostics { break }
        for try await diagnostic in background.diagnostics where !diagnostic.authorizationDenied {
            count += 1
            background.invalidate()
        }
        for try await diagnostic in service.diagnostics where !diagnostic.fullAccuracyDenied {
            count += 1
            service.invalidate()
        }
        #expect(count == 2)
    }

    @Test func `ranging and deferred updates fail`() async {
        let delegate = RangingDelegate()
        manager.delegate = delegate
        manager.startRangingBeacons(satisfying: CLBeaconIdentityConstraint(uuid: UUID()))
        manager.allowDeferredLocationUpdates(untilTraveled: 100, timeout: CLTimeIntervalMax)
        #expect(await delegate.codes.first(2) == [.rangingUnavailable, .deferredFailed])
    }
}

/// The public types of all modules, compared with names that they would hide.
@Suite(.timeLimit(.generous))
struct PublicNamesTests {
    /// A type with the name of a module hides the module: macros and qualified names, such as
    /// `Observation.Observable`, then fail in every file that imports both.
    @Test func `no public type has the name of a module`() throws {
        let modules = Set(Self.modules.split(whereSeparator: \.isWhitespace).map(String.init))
        let own = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let types = try Self.publicTypes()
        #expect(types.count > 200)
        let hiding = Set(types.map(\.name)).intersection(modules.union(own))
        #expect(hiding.sorted() == [], "rename these types")
    }

    /// Two types of the same name are ambiguous in a file that imports both.
    @Test func `no two modules have a public type of the same name`() throws {
        let modules = Dictionary(grouping: try Self.publicTypes(), by: \.name)
        let twice = modules.filter { Set($0.value.map(\.module)).count > 1 }
        #expect(twice.keys.sorted() == [], "rename these types, or nest them in others")
    }

    @Test(arguments: [
        "Swift", "Foundation", "FoundationEssentials", "Dispatch", "Synchronization", "Observation",
        "RegexBuilder", "Distributed", "Testing",
    ])
    func `no public type has the name of a type in`(module: String) throws {
        let names = try SymbolGraph.topLevelTypes(of: module)
        #expect(!names.isEmpty)
        let clashes = Set(try Self.publicTypes().map(\.name)).intersection(names)
        #expect(clashes.sorted() == [], "rename these types")
    }

    // MARK: The declarations

    private static let sources = SymbolGraph.package.appending(path: "Sources")

    /// The public types that are not nested in others.
    private static func publicTypes() throws -> [(module: String, name: String)] {
        let declaration =
            /^(?:@\w+(?:\([^)]*\))? )*(?:(?:nonisolated|public|open|final|indirect) )+(?:class|struct|enum|actor|protocol|typealias) (\w+)/
        let files = FileManager.default.enumerator(atPath: sources.path)
        var types: [(module: String, name: String)] = []
        while let path = files?.nextObject() as? String {
            guard path.hasSuffix(".swift"), let folder = path.split(separator: "/").first else {
                continue
            }
            let text = try String(
                contentsOf: sources.appending(path: path), encoding: .utf8)
            for line in text.split(separator: "\n")
            where line.contains("public ") || line.contains("open ") {
                guard let match = line.prefixMatch(of: declaration) else { continue }
                types.append((String(folder), String(match.1)))
            }
        }
        return types
    }

    /// The modules of the toolchain, of Apple's frameworks and of packages that programs use.
    private static let modules = """
        Swift Cxx CxxStdlib Dispatch Distributed Foundation FoundationEssentials
        FoundationInternationalization FoundationNetworking FoundationXML Glibc Musl Observation
        RegexBuilder Runtime SwiftOnoneSupport Synchronization Testing XCTest

        Accelerate Accessibility Accounts ActivityKit AdServices AdSupport AlarmKit AppClip
        AppIntents AppKit AppTrackingTransparency ARKit AudioToolbox AudioUnit
        AuthenticationServices AutomatedDeviceEnrollment AVFAudio AVFoundation AVKit AVRouting
        BackgroundAssets BackgroundTasks BrowserEngineKit BusinessChat CallKit CarKey CarPlay
        CFNetwork Charts Cinematic ClassKit ClockKit CloudKit Collaboration ColorSync Combine
        CompositorServices Compression Contacts ContactsUI CoreAudio CoreAudioKit CoreAudioTypes
        CoreBluetooth CoreData CoreFoundation CoreGraphics CoreHaptics CoreImage CoreLocationUI
        CoreMedia CoreMediaIO CoreMIDI CoreML CoreMotion CoreNFC CoreServices CoreSpotlight
        CoreTelephony CoreText CoreTransferable CoreVideo CoreWLAN CreateML CryptoKit
        CryptoTokenKit Darwin DataDetection DeveloperToolsSupport DeviceActivity DeviceCheck
        DeviceDiscoveryExtension DiscRecording DiskArbitration DockKit EventKit EventKitUI
        ExposureNotification ExtensionFoundation ExtensionKit ExternalAccessory FamilyControls
        FileProvider FinanceKit FinderSync ForceFeedback FoundationModels GameController GameKit
        GameplayKit GeoToolbox GLKit GroupActivities GSS HealthKit HomeKit Hypervisor
        IdentityLookup ImageCaptureCore ImageIO ImagePlayground InputMethodKit Intents IntentsUI
        IOBluetooth IOKit IOSurface JavaScriptCore JournalingSuggestions Kernel LinkPresentation
        LiveCommunicationKit LocalAuthentication LockedCameraCapture MachO ManagedSettings MapKit
        MarketplaceKit Matter MatterSupport MediaAccessibility MediaExtension MediaPlayer
        MediaSetup Messages MessageUI Metal MetalFX MetalKit MetalPerformanceShaders MetricKit
        MLCompute MobileCoreServices ModelIO MultipeerConnectivity MusicKit NaturalLanguage
        NearbyInteraction Network NetworkExtension NotificationCenter ObjectiveC OpenAL OpenCL
        OpenDirectory OpenGL OpenGLES OSLog PaperKit PassKit PDFKit PencilKit PHASE Photos
        PhotosUI ProximityReader PushKit PushToTalk Quartz QuartzCore QuickLook
        QuickLookThumbnailing RealityFoundation RealityKit RelevanceKit ReplayKit RoomPlan
        SafariServices SafetyKit SceneKit ScreenCaptureKit ScreenSaver ScreenTime Security
        SensitiveContentAnalysis SensorKit ServiceManagement SharedWithYou ShazamKit Social
        SoundAnalysis Spatial Speech SpriteKit StickerKit StoreKit SwiftData SwiftUI Symbols
        SystemConfiguration SystemExtensions TabletopKit TabularData ThreadNetwork TipKit
        Translation UIKit UniformTypeIdentifiers UserNotifications UserNotificationsUI
        VideoSubscriberAccount VideoToolbox Virtualization Vision VisionKit WalletOrders
        WatchConnectivity WatchKit WeatherKit WebKit WidgetKit WiFiAware WorkoutKit XPC os simd

        Algorithms AsyncAlgorithms ArgumentParser Atomics Collections BasicContainers
        BitCollections ContainersPreview DequeModule HashTreeCollections HeapModule
        OrderedCollections SortedCollections RopeModule TrailingElementsModule ComplexModule
        IntegerUtilities Numerics RealModule Crypto X509 SwiftASN1 HTTPTypes Instrumentation
        Logging Metrics CoreMetrics Tracing ServiceLifecycle ServiceContextModule NIO NIOCore
        NIOEmbedded NIOFoundationCompat NIOHTTP1 NIOHTTP2 NIOPosix NIOSSL NIOTLS NIOTransportServices
        NIOWebSocket NIOFileSystem NIOConcurrencyHelpers AsyncHTTPClient Subprocess SwiftProtobuf
        SwiftSyntax System SystemPackage Markdown Vapor Hummingbird GRDB OpenCombine
        ComposableArchitecture Dependencies IssueReporting RxSwift RxCocoa RxRelay PromiseKit
        Turf Alamofire FlyingFox
        """
}

/// The table of `docs/corelocation.md`, compared with the module's declarations.
@Suite(.timeLimit(.generous))
struct SymbolTableTests {
    @Test func `the documentation's table has every public symbol, and no other`() throws {
        let symbols = try Self.symbols()
        let table = try Self.table()
        #expect(symbols.count > 300)
        #expect(symbols.subtracting(table.present).sorted() == [])
        #expect(table.present.subtracting(symbols).sorted() == [])
        #expect(table.absent.count > 20)
        #expect(table.absent.intersection(symbols).sorted() == [])
    }

    // MARK: The table

    /// Returns the symbols in the columns of what exists, and those in the last column.
    private static func table() throws -> (present: Set<String>, absent: Set<String>) {
        let text = try String(
            contentsOf: SymbolGraph.package.appending(path: "docs/corelocation.md"), encoding: .utf8
        )
        let lines = text.components(separatedBy: "## Symbols")[1].components(separatedBy: "\n")
        let rows = lines.filter { $0.hasPrefix("| `") || $0.hasPrefix("| global") }
        var (present, absent): (Set<String>, Set<String>) = ([], [])
        for row in rows {
            let cells = row.components(separatedBy: " | ")
            try #require(cells.count == 5, "\(row)")
            let type = cells[0].filter { !"|` ".contains($0) }
            func symbols(_ cells: ArraySlice<String>) -> [String] {
                cells.joined().components(separatedBy: "`").enumerated()
                    .filter { $0.offset % 2 == 1 }.map { "\(type) \($0.element)" }
            }
            present.formUnion(symbols(cells[1...3]))
            absent.formUnion(symbols(cells[4...]))
        }
        return (present, absent)
    }

    // MARK: The symbol graph

    /// Types that Apple's module does not have.
    private static let helpers: Set = [
        "CLLocationManagerDelegateCalls", "CLLocationManagerProxy", "CoreLocationSequence",
    ]

    private static let ordinary: Set = [
        "isEqual(_:)", "hash", "description", "copy(with:)", "encode(with:)", "init(coder:)",
        "supportsSecureCoding", "init(rawValue:)", "==(_:_:)", "hash(into:)", "~=(_:_:)",
        "init(from:)", "encode(to:)", "Element", "makeAsyncIterator()",
    ]

    private static func symbols() throws -> Set<String> {
        let graph = try SymbolGraph(of: "CoreLocation")
        let types = SymbolGraph.types.subtracting(["swift.typealias"])
        let all = graph.symbols
        let symbols = all.filter { symbol in
            let type = symbol.pathComponents.dropLast().joined(separator: ".")
            return switch symbol.kind.identifier {
            case let kind where types.contains(kind): false
            case "swift.property" where type == "CLLocationManagerDelegate": false
            case "swift.type.property" where type == "CLError":
                symbol.pathComponents.last == "errorDomain"
            default:
                !helpers.contains(type) && !type.hasSuffix(".Iterator")
                    && !ordinary.contains(symbol.pathComponents.last ?? "")
            }
        }
        let owners = Set(
            symbols.compactMap { $0.pathComponents.count > 1 ? $0.pathComponents[0] : nil })
        // Types without members are listed with the global symbols.
        let empty = all.filter { symbol in
            types.contains(symbol.kind.identifier) && symbol.pathComponents.count == 1
                && !owners.union(helpers).contains(symbol.pathComponents[0])
        }
        return Set(
            (symbols + empty).map { symbol in
                let type = symbol.pathComponents.dropLast().joined(separator: ".")
                return "\(type.isEmpty ? "global" : type) \(symbol.pathComponents.last ?? "")"
            })
    }
}
