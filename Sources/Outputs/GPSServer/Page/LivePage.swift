// SPDX-License-Identifier: MIT
import CGPSPage
import GNSS
import GPSFiles
import GPSFormats
import GPSIO
import GPSReceivers
import Synchronization

/// Answers requests for the live page: its files, state, events and map tiles, and the API for
/// programs.
final class LivePage: Sendable {
    /// The interval at which an `alive` event is published if there was no other event. It shows
    /// viewers that the connection is not lost.
    private static let pulse = Duration.milliseconds(500)

    private let configuration: PageConfiguration
    private let archive: TileArchive?
    private let served: ServedReceivers
    /// The events of all receivers.
    let feed: EventFeed
    /// Yields an element whenever the number of viewers changes from 0 to 1.
    private let (arrivals, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
    private let poller: Poller
    private let tracks = StreamLimit(8)
    private let sheets = StreamLimit(2)
    private let tileReads = StreamLimit(64)
    /// The last state sent to a viewer, the sequence number of the first event after it, and the
    /// time when it was created.
    private let lastState = Mutex<(bytes: [UInt8], next: Int, time: MonotonicInstant)?>(nil)

    /// Creates a page that shows the receivers of a server, at first `count`.
    init(
        _ served: ServedReceivers, _ count: Int, _ configuration: PageConfiguration,
        _ poller: Poller
    ) throws {
        archive = try configuration.tileArchive.map { try TileArchive(path: $0) }
        self.configuration = configuration
        self.served = served
        self.poller = poller
        feed = EventFeed(limit: min(8 << 20, (512 + 64 * max(1, count)) * 1024))
        feed.observeInterest { [continuation] in if $0 { continuation.yield() } }
    }

    private var receivers: [ServedReceiver] { served.all }

    /// Sends viewers the new state, because the served receivers have changed.
    func receiversChanged() {
        lastState.withLock { $0 = nil }
        feed.publish(ServerSentEvent.bytes(state, event: "state"))
    }

    /// The number of clients that receive the page's events.
    var viewerCount: Int { feed.viewerCount }

    /// Shows viewers that the connection is not lost, until the task is cancelled.
    func run() async { for await _ in arrivals { await showLife() } }

    /// Each half second, publishes an `alive` event unless another event has been published in this
    /// half second. Returns when the last viewer has left or the task is cancelled.
    private func showLife() async {
        var last = feed.end
        while viewerCount > 0, await poller.sleep(until: poller.now + Self.pulse) == .timedOut {
            if feed.end == last {
                feed.publish(ServerSentEvent.bytes("1".utf8, event: "alive"))
            }
            last = feed.end
        }
    }

    // MARK: Requests

    /// Returns the response to a request; `nil` if the path does not belong to the page.
    func answer(_ request: borrowing HTTPRequest, _ access: HTTPAccess) -> HTTPResponse? {
        let isKnown =
            PageFile.all[request.path] != nil
            || ["/state", "/events", "/sentences"].contains(request.path)
            || request.path.hasPrefix("/api/") || request.path.hasPrefix("/tiles/")
        guard isKnown else { return nil }
        if let refusal = access.refusal(of: request) { return refusal }
        guard access.hasToken(request) else {
            return HTTPResponse(
                status: 401,
                text: "This page needs a token: add ?token=… to its address.\n"
            ).adding("WWW-Authenticate", "Bearer")
        }
        if request.path == "/", let token = request.argument("token"), access.isToken(token) {
            // The redirect moves the token from the URL to a cookie.
            return HTTPResponse(status: 303, text: "")
                .adding("Location", "./")
                .adding(
                    "Set-Cookie",
                    "\(HTTPAccess.cookie)=\(token); HttpOnly; SameSite=Lax; Path=/; Max-Age=31536000"
                )
        }
        if let file = PageFile.all[request.path] { return answer(file, request) }
        switch request.path {
        case "/state":
            return Self.data(HTTPResponse(contentType: "application/json", .bytes(state)))
        case "/events": return Self.data(events())
        case "/sentences": return Self.data(sentences(request))
        case "/api/receivers":
            let objects = receivers.map { $0.description(receiverCount: nil) }
            let text = "[\(objects.joined(separator: ","))]\n"
            return Self.data(HTTPResponse(contentType: "application/json", text: text))
        case "/api/fixes": return Self.data(fixes(request))
        case "/api/sheet.svg":
            guard let receiver = receiver(request) else { return Self.noReceiver }
            guard let permit = sheets.acquire() else { return Self.busy }
            let sheet = BackgroundResponse(permit) {
                Self.data(HTTPResponse(contentType: "image/svg+xml", .bytes(receiver.sheet)))
                    .adding(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'")
            }
            return HTTPResponse(.background(sheet))
        case let path where path.hasPrefix("/tiles/"): return tile(path)
        default:
            return HTTPResponse(
                status: 404, text: "not found; try /api/receivers, /api/fixes or /api/sheet.svg\n")
        }
    }

    private static func data(_ answer: HTTPResponse) -> HTTPResponse {
        answer.adding("Cache-Control", "no-store")
    }

    private func answer(_ file: PageFile, _ request: borrowing HTTPRequest) -> HTTPResponse {
        let plain = request.acceptsGzip ? nil : file.decompressed
        // The uncompressed form of a file needs a different entity tag.
        let tag = plain == nil ? file.tag : "\(file.tag.dropLast())-plain\""
        let answer =
            request.hasVersion(tag)
            ? HTTPResponse(status: 304, .bytes([]))
            : HTTPResponse(contentType: file.contentType, plain.map { .bytes($0) } ?? .file(file))
                .adding("Content-Security-Policy", policy)
        return answer.adding("ETag", tag).adding("Vary", "Accept-Encoding")
            .adding("Cache-Control", "no-cache")
    }

    /// The content security policy of the page's files.
    private var policy: String {
        let images = archive != nil ? "" : configuration.tileSource.map { " \($0)" } ?? ""
        return "default-src 'self'; img-src 'self' data:\(images); object-src 'none'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    }

    private var state: [UInt8] {
        var object = JSONObject()
        object.add("version", Release.version)
        object.add("time", SystemClock.nanoseconds.map { Double($0) / 1e9 }, decimals: 3)
        object.add("tiles", archive == nil ? configuration.tiles : "tiles/{z}/{x}/{y}")
        object.add("tileZoom", archive?.maximumZoom)
        object.add(
            "receivers",
            objects: receivers.map { $0.description(receiverCount: max(1, receivers.count)) })
        return Array(object.description.utf8) + [0x0A]
    }

    private func events() -> HTTPResponse {
        let now = poller.now
        // After a restart, many viewers connect at the same time. All of them receive the same
        // state, and then the events after it.
        let last = lastState.withLock { $0 }
        if let last, now - last.time < .seconds(1), feed.reaches(last.next) {
            return Self.stream(EventViewer(feed, from: last.next, greeting: last.bytes))
        }
        let next = feed.end
        let greeting = Array("retry: 500\n\n".utf8) + ServerSentEvent.bytes(state, event: "state")
        lastState.withLock { $0 = (greeting, next, now) }
        return Self.stream(EventViewer(feed, from: next, greeting: greeting))
    }

    private func sentences(_ request: borrowing HTTPRequest) -> HTTPResponse {
        guard let receiver = receiver(request),
            request.argument("name").map({ $0 == receiver.pageName }) ?? true
        else { return Self.noReceiver }
        let feed = receiver.sentenceFeed
        let greeting = Array("retry: 1000\n\n".utf8)
        return Self.stream(EventViewer(feed, from: feed.end, greeting: greeting))
    }

    /// Returns the response to `/tiles/ZOOM/X/Y`. Clients may cache tiles, but not errors: a
    /// missing tile may be in an archive that replaces this one, and an unreadable tile may be
    /// readable later.
    private func tile(_ path: String) -> HTTPResponse {
        let parts = path.split(separator: "/").dropFirst().compactMap { Int($0) }
        guard let archive, parts.count == 3 else {
            return Self.data(HTTPResponse(status: 404, text: "no tiles are configured (--tiles)\n"))
        }
        guard let permit = tileReads.acquire() else { return Self.busy }
        let tile = BackgroundResponse(permit) {
            guard let tile = archive.tile(zoom: parts[0], x: parts[1], y: parts[2]) else {
                return Self.data(HTTPResponse(status: 404, text: "there is no such tile\n"))
            }
            return HTTPResponse(contentType: archive.contentType, .bytes(tile))
                .adding("Cache-Control", "max-age=86400")
        }
        return HTTPResponse(.background(tile))
    }

    private static func stream(_ viewer: EventViewer) -> HTTPResponse {
        // Without this header, nginx would buffer the events.
        HTTPResponse(contentType: "text/event-stream", .stream(viewer))
            .adding("X-Accel-Buffering", "no")
    }

    private static var busy: HTTPResponse {
        HTTPResponse(status: 503, text: "too many requests of this kind at once: try again\n")
            .adding("Retry-After", "1")
    }

    private static var noReceiver: HTTPResponse {
        HTTPResponse(status: 404, text: "there is no such receiver\n")
    }

    /// Returns the receiver with the number in the `receiver` parameter, or the first one without
    /// the parameter; `nil` if there is no such receiver.
    private func receiver(_ request: borrowing HTTPRequest) -> ServedReceiver? {
        guard let index = Int(request.argument("receiver") ?? "0") else { return nil }
        return receivers.indices.contains(index) ? receivers[index] : nil
    }

    private func fixes(_ request: borrowing HTTPRequest) -> HTTPResponse {
        let name = request.argument("format") ?? "json"
        guard let kind = TrackStream.kinds[name] else {
            let names = TrackStream.kinds.keys.sorted().joined(separator: ", ")
            return HTTPResponse(status: 400, text: "not a format: '\(name)' (expected \(names))\n")
        }
        var since = Int64.min
        if let text = request.argument("since") {
            guard let time = Self.time(text) else {
                return HTTPResponse(
                    status: 400,
                    text: "since must be a time, such as 2026-03-21T12:00:00Z or 1774094400\n")
            }
            since = time
        }
        var chosen = receivers
        if request.argument("receiver") != nil {
            guard let receiver = receiver(request) else { return Self.noReceiver }
            chosen = [receiver]
        }
        guard let permit = tracks.acquire() else { return Self.busy }
        let tracks = chosen.map {
            (OutputSource(name: $0.pageName, origin: $0.pageOrigin), $0.history.fixes(after: since))
        }
        let answer = HTTPResponse(
            contentType: kind.contentType,
            .stream(TrackStream(tracks, kind.format, permit, poller)))
        guard request.argument("download") != nil else { return answer }
        let end = kind.format.traits.extensions.first ?? name
        return answer.adding("Content-Disposition", "attachment; filename=\"track.\(end)\"")
    }

    /// Parses seconds of Unix time, or a time in ISO 8601. Returns nanoseconds of Unix time.
    static func time(_ text: String) -> Int64? {
        if let seconds = Double(text), seconds.magnitude < 9e9 {
            // A `Double` has six exact decimals of today's time. Truncation could change a
            // millisecond.
            return Int64((seconds * 1e6).rounded()) * 1000
        }
        return UTCTime(iso8601: text)?.unixNanoseconds
    }
}

/// The settings of a ``ReceiverServer``'s live page: its map, and the clients that may open it.
package struct PageConfiguration: Sendable {
    /// The token that clients must send for all paths except `/metrics` and `/health`. Default:
    /// `nil`, which requires none.
    package var token: String?

    /// Host names that are permitted in the URL of requests, in addition to `localhost`. Numeric
    /// addresses and the machine's name are also permitted if other machines can reach the page.
    package var hosts: [String] = []

    /// The URL template of the map's tiles, such as `https://…/{z}/{x}/{y}.png`. Default: `nil`;
    /// the map then shows the built-in coastlines.
    package var tiles: String?

    /// The path of a PMTiles archive with image tiles. It takes precedence over `tiles`.
    package var tileArchive: String?

    /// Creates the default configuration.
    package init() {}

    /// Returns whether a string can be used as a token: at least 12 ASCII letters, digits, `-`,
    /// `.`, `_` or `~`.
    package static func isToken(_ text: String) -> Bool {
        text.utf8.count >= 12
            && text.allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isWholeNumber) || "-._~".contains($0)
            }
    }

    /// The origin of `tiles` for a content security policy, such as `https://*.example.org`; `nil`
    /// if no tiles are configured.
    var tileSource: String? {
        // The parts are `https:`, an empty part, the host, and the path.
        let parts = tiles?.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard let parts, parts.count == 4 else { return nil }
        return "\(parts[0])//" + parts[2].replacing("{s}", with: "*")
    }

    /// Returns whether a string is a valid URL template for `tiles`.
    package static func isTiles(_ text: String) -> Bool {
        (text.hasPrefix("https://") || text.hasPrefix("http://"))
            && ["{z}", "{x}", "{y}"].allSatisfy { text.contains($0) }
            && !text.contains { $0 == " " || $0 == ";" || $0 == "," || $0 == "\"" }
    }
}

/// A built-in file of the live page, compressed with gzip.
// Safety: `bytes` points to constants of the program.
struct PageFile: @unchecked Sendable {
    /// The compressed bytes.
    let bytes: UnsafePointer<UInt8>
    /// The number of compressed bytes.
    let count: Int
    let contentType: String
    /// The entity tag, which changes with the content.
    let tag: String

    /// All files, keyed by the path of their URL.
    static let all: [String: PageFile] = {
        var files: [String: PageFile] = [:]
        var index = 0
        while let file = page_file(index)?.pointee, let path = file.path, let bytes = file.bytes,
            let type = file.content_type
        {
            files[String(cString: path)] = PageFile(
                bytes: bytes, count: file.count, contentType: String(cString: type))
            index += 1
        }
        return files
    }()

    /// The uncompressed bytes; `nil` if there is not enough memory.
    var decompressed: [UInt8]? {
        try? CompressedInput.decompressed(Array(UnsafeBufferPointer(start: bytes, count: count)))
    }

    private init(bytes: UnsafePointer<UInt8>, count: Int, contentType: String) {
        (self.bytes, self.count, self.contentType) = (bytes, count, contentType)
        let hash = UnsafeBufferPointer(start: bytes, count: count)
            .reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        tag = "\"\(String(hash, radix: 16))\""
    }
}

/// Limits the number of concurrent streams of one kind, because each needs much memory or time.
final class StreamLimit: Sendable {
    /// A permit for one stream. Releasing the object makes it available again.
    final class Permit: Sendable {
        private let limit: StreamLimit

        fileprivate init(_ limit: StreamLimit) {
            self.limit = limit
        }

        deinit { limit.count.subtract(1, ordering: .relaxed) }
    }

    private let maximum: Int
    private let count = Atomic<Int>(0)

    /// Creates a limit that permits `maximum` concurrent streams.
    init(_ maximum: Int) {
        self.maximum = maximum
    }

    /// Returns a permit for another stream; `nil` if the limit is reached.
    func acquire() -> Permit? {
        let newCount = count.add(1, ordering: .relaxed).newValue
        // If the limit is exceeded, `permit` is released on return, which corrects the count.
        let permit = Permit(self)
        return newCount <= maximum ? permit : nil
    }
}

/// A response body with tracks in a file format. They are encoded in steps, as fast as the client
/// accepts them.
// Safety: used on the HTTP server's thread only, as are all streams.
private final class TrackStream: HTTPStream, @unchecked Sendable {
    /// The number of fixes encoded in one step. Other clients are served between steps.
    private static let stride = 200

    /// The formats and their media types, keyed by the value of the `format` parameter.
    static let kinds: [String: (format: any OutputFormat.Type, contentType: String)] = [
        "json": (GPSDFormat.self, "application/x-ndjson"),
        "gpx": (GPXFormat.self, "application/gpx+xml"),
        "kml": (KMLFormat.self, "application/vnd.google-earth.kml+xml"),
        "geojson": (GeoJSONFormat.self, "application/geo+json"),
        "csv": (CSVFormat.self, "text/csv; charset=utf-8"),
    ]

    /// The maximum duration of a download. After it, the connection is aborted.
    private static let timeLimit = Duration.seconds(300)

    private let poller: Poller
    private let permit: StreamLimit.Permit
    private let deadline: MonotonicInstant
    private(set) var isBrokenOff = false
    private var tracks: [(source: OutputSource, fixes: ArraySlice<RecentFix>)]
    private var format: any OutputFormat
    private var hasBegun = false
    private var isClosed = false
    private var pending: ArraySlice<UInt8> = []

    /// Creates a stream of tracks, one for each receiver. `permit` is held until the stream is
    /// released.
    init(
        _ tracks: [(source: OutputSource, fixes: ArraySlice<RecentFix>)],
        _ format: any OutputFormat.Type, _ permit: StreamLimit.Permit, _ poller: Poller
    ) {
        self.permit = permit
        self.poller = poller
        deadline = poller.now + Self.timeLimit
        self.tracks = tracks
        self.format = format.init()
    }

    func begin(resume: @escaping @Sendable () -> Void) {}

    func end() {
        tracks = []
    }

    func read(into room: UnsafeMutableRawBufferPointer) -> Int? {
        guard poller.now < deadline else {
            isBrokenOff = true
            return nil
        }
        while pending.isEmpty {
            guard !isClosed else { return nil }
            write()
        }
        let count = min(room.count, pending.count)
        room.copyBytes(from: pending.prefix(count))
        pending = pending.dropFirst(count)
        return count
    }

    /// Encodes the next `stride` fixes or, after the last fix, the end of the file.
    private func write() {
        if tracks.isEmpty {
            pending += format.closing
            isClosed = true
            return
        }
        if !hasBegun {
            format.begin(tracks[0].source)
            hasBegun = true
        }
        for fix in tracks[0].fixes.prefix(Self.stride) {
            if fix.beginsSegment { format.beginSegment() }
            format.write(fix.fix)
        }
        tracks[0].fixes = tracks[0].fixes.dropFirst(Self.stride)
        if tracks[0].fixes.isEmpty {
            tracks.removeFirst()
            hasBegun = false
        }
        format.drain { bytes in pending += bytes.withUnsafeBytes { Array($0) } }
    }
}
