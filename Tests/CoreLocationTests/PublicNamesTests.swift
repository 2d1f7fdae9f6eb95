// SPDX-License-Identifier: MIT
import Foundation
import GPSTestSupport
import Testing

/// The public types of all modules, compared with names that they would hide.
@Suite(.timeLimit(.generous))
struct PublicNamesTests {
    /// A type with the name of a module hides the module: macros and qualified names, such as
    /// `Observation.Observable`, then fail in every file that imports both.
    @Test func `no public type has the name of a module`() throws {
        let modules = Set(Self.modules.split(whereSeparator: \.isWhitespace).map(String.init))
        let own = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
        let types = try Self.publicTypes()
        #expect(types.count > 300)
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
