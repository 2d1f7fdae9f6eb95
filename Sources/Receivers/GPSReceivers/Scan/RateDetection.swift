// SPDX-License-Identifier: MIT
package import GNSS

/// Detects the baud rate of a serial line. Message detectors examine its bytes, and a `RateScan`
/// decides which rate to try. The caller passes the time.
package struct RateDetection: Sendable {
    /// The current settings of the line.
    package private(set) var settings: LineSettings
    /// The number of times that all baud rates have been tried without success.
    package var roundCount: Int { scan?.round ?? 0 }
    /// Whether messages have been received at the current settings, so that the search is over.
    package var hasFound: Bool { scan == nil }

    /// Whether bytes without valid messages were received earlier, at another baud rate.
    package private(set) var hasReceivedNoise: Bool

    /// Whether the search stays at the current baud rate because a dialogue controls the line.
    private var isHeld = false

    private let rates: [BaudRate]
    private var scan: RateScan?
    private var detector = MessageDetector()
    /// Processes the same bytes without the eighth bit. If 7N2 data is read as 8N1, that bit is
    /// always set.
    private var sevenBitDetector = MessageDetector()
    /// Whether a message with eight data bits has been received at the current baud rate, so that
    /// the line is not 7N2.
    private var hasEightBitMessage = false

    /// Starts a search with these parameters. The line must have been opened at the first baud
    /// rate.
    package init(_ search: RateSearch, at now: MonotonicInstant) {
        rates = search.rates
        settings = LineSettings(rates.first ?? .default, search.format)
        hasReceivedNoise = search.hasReceivedNoise
        scan = RateScan(rates, at: now)
    }

    /// The time at which to call `silence(at:)` if no bytes are received until then; `nil` if no
    /// call is needed.
    package var deadline: MonotonicInstant? { scan?.deadline }

    /// Processes received bytes. Returns the bytes without parity bits, and the next step for the
    /// caller.
    package mutating func received(
        _ bytes: [UInt8], at now: MonotonicInstant
    ) -> (bytes: [UInt8], step: RateScan.Step) {
        guard scan != nil else { return (withoutParity(bytes), .stay) }
        let found = detector.detect(in: bytes)
        let sevenBits = bytes.map { $0 & 0x7F }
        let sevenBitFound = sevenBitDetector.detect(in: sevenBits)
        hasEightBitMessage = hasEightBitMessage || found.messages > 0
        // A message that only the second detector has found is not sufficient: the first one may
        // still wait for the end of an apparent frame, whose header the second one does not see.
        let mayBeSevenBit = !hasEightBitMessage && bytes.allSatisfy { $0 >= 0x80 }
        if mayBeSevenBit, sevenBitFound.messages > 0 { settings.format = .sevenN2 }
        let isSevenBit = settings.format == .sevenN2 || mayBeSevenBit
        let step = scan?.received(
            bytes.count, textCount: (isSevenBit ? sevenBits : bytes).count(where: \.isText),
            isSevenBit ? sevenBitFound : found, at: now)
        return (withoutParity(bytes), follow(step))
    }

    /// Processes a silence on the line. Call it when no bytes have been received until the
    /// deadline. Returns the next step for the caller.
    package mutating func silence(at now: MonotonicInstant) -> RateScan.Step {
        guard scan != nil else { return .stay }
        let found = detector.silence()
        hasEightBitMessage = hasEightBitMessage || found.messages > 0
        return follow(scan?.silence(found, at: now))
    }

    /// Starts a new search at the current baud rate. Does nothing during a search.
    package mutating func restartSearch(at now: MonotonicInstant) {
        guard scan == nil else { return }
        restartSearch(from: settings.baudRate, at: now)
    }

    /// Starts a new search at `first`, the rate to which the caller has set the line.
    package mutating func restartSearch(
        from first: BaudRate, at now: MonotonicInstant
    ) {
        let present = settings.baudRate
        // The rate that was correct until now is tried second.
        let order = present == first ? [first] : [first, present]
        let (all, isHeld) = (order + rates.filter { !order.contains($0) }, isHeld)
        self = RateDetection(RateSearch(rates: all), at: now)
        hold(isHeld, at: now)
    }

    /// Starts (`true`) or ends (`false`) holding the current baud rate. While it is held, a search
    /// does not try other rates.
    package mutating func hold(_ isHeld: Bool, at now: MonotonicInstant) {
        self.isHeld = isHeld
        guard scan != nil else { return }
        // A scan starts at its first rate, which must be that of the line.
        let present = settings.baudRate
        let others = isHeld ? [] : rates.filter { $0 != present }
        scan = RateScan([present] + others, at: now)
    }

    private mutating func follow(_ step: RateScan.Step?) -> RateScan.Step {
        switch step {
        case .found:
            hasReceivedNoise = hasReceivedNoise || scan?.hasReceivedNoise == true
            scan = nil
        case .change(let baudRate):
            settings = LineSettings(baudRate)
            detector = MessageDetector()
            sevenBitDetector = MessageDetector()
            hasEightBitMessage = false
        case .stay, nil: break
        }
        return step ?? .stay
    }

    private func withoutParity(_ bytes: [UInt8]) -> [UInt8] {
        settings.format == .sevenN2 ? bytes.map { $0 & 0x7F } : bytes
    }
}

extension UInt8 {
    /// Whether the byte is printable ASCII or part of a line end.
    package var isText: Bool { self >= 0x20 && self < 0x7F || self == 0x0D || self == 0x0A }
}
