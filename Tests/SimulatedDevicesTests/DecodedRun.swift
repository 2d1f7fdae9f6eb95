// SPDX-License-Identifier: MIT
import GNSS
import NMEA
import SimulatedDevices

/// A simulated receiver's epochs, decoded.
struct DecodedRun {
    private(set) var fixes: [Fix] = []
    private(set) var views: [SatelliteView] = []
    private(set) var sentences: [String] = []
    private(set) var epochs: [SimulatedEpoch] = []
    private var decoder = NMEADecoder()

    var statistics: Statistics { decoder.statistics }

    /// Runs and decodes a number of epochs.
    init(_ configuration: SimulatedReceiver.Configuration, epochs count: Int) {
        var receiver = SimulatedReceiver(configuration)
        for _ in 0..<count {
            let epoch = receiver.next()
            epochs.append(epoch)
            decode { $0.push(epoch.bytes.span, $1) }
            // As on a live line: silence until the next epoch.
            decode { $0.silence($1) }
        }
        decode { $0.finish($1) }
    }

    private mutating func decode(_ step: (inout NMEADecoder, (DecoderEvent) -> Void) -> Void) {
        var (fixes, views, sentences) = (self.fixes, self.views, self.sentences)
        step(&decoder) { event in
            switch event {
            case .fix(let fix, let view):
                fixes.append(fix)
                views.append(view)
            case .sentence(let raw): sentences.append(String(decoding: raw.bytes, as: UTF8.self))
            case .satellites, .rejected, .tagBlock, .ubx: break
            }
        }
        (self.fixes, self.views, self.sentences) = (fixes, views, sentences)
    }

    /// The addresses of the sentences, without consecutive repetitions.
    var addresses: [String] {
        var addresses: [String] = []
        for sentence in sentences {
            let fields = sentence.dropFirst().split { $0 == "," || $0 == "*" }
            guard let first = fields.first else { continue }
            let isLong = first == "PUBX" || first == "PTNL"
            let address = isLong ? fields.prefix(2).joined(separator: ",") : String(first)
            if addresses.last != address { addresses.append(address) }
        }
        return addresses
    }
}

extension SimulatedReceiver.Configuration {
    /// A receiver at noon on an ordinary day.
    static func noon(
        _ personality: Personality = .generic, _ faults: FaultScript = FaultScript()
    ) -> SimulatedReceiver.Configuration {
        var configuration = SimulatedReceiver.Configuration()
        configuration.start = UTCTime(unixNanoseconds: 1_774_094_400_000_000_000)
        configuration.personality = personality
        configuration.faults = faults
        return configuration
    }
}
