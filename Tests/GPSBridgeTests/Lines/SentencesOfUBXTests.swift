// SPDX-License-Identifier: MIT
import GNSS
import GPSIO
import GPSReceivers
import GPSTestTraits
import SimulatedDevices
import Testing

/// The sentences that consumers of a receiver get for fixes that it sends in UBX.
@Suite(.timeLimit(.generous))
struct SentencesOfUBXTests {
    /// The epochs of a simulated receiver at 10 Hz.
    private func epochs(_ protocols: OutputProtocols) -> [[UInt8]] {
        var configuration = SimulatedReceiver.Configuration()
        configuration.personality = .ublox8
        configuration.protocols = protocols
        configuration.rate = 10
        var receiver = SimulatedReceiver(configuration)
        return (0..<10).map { _ in receiver.next().bytes }
    }

    /// Passes an input to a receiver. Returns the times of the RMC sentences that it then outputs.
    private func times(
        _ receiver: inout Receiver, _ input: consuming Receiver.Input, at now: MonotonicInstant
    ) -> [Double] {
        receiver.receive(input, at: now, date: nil)
        var times: [Double] = []
        while let output = receiver.next() {
            guard case .sentence(let bytes) = output else { continue }
            let fields = String(decoding: bytes, as: UTF8.self).split(separator: ",")
            guard fields.count > 1, fields[0].hasSuffix("RMC") else { continue }
            if let time = Double(fields[1]) { times.append(time) }
        }
        return times
    }

    @Test func `the sentences of the last fix are output if the receiver's own do not follow`() {
        let now = MonotonicInstant.now
        var receiver = Receiver(canWait: false, at: now)
        receiver.passesSentences = true
        let origin = OriginDetector(origin: .replay, mayBeOld: false)
        let opening = Receiver.Opening(device: "gps", origin: origin)
        _ = times(&receiver, .opened(opening), at: now)
        let (messages, sentences) = (epochs(.ubx), epochs(.nmea))
        for (own, message) in zip(sentences, messages).dropLast() {
            _ = times(&receiver, .bytes(message + own), at: now)
        }
        let early = times(&receiver, .bytes(messages.last ?? []), at: now)
        let late = times(&receiver, .ended(nil), at: now)
        #expect(early.isEmpty)
        #expect(late == [120_000.9])
    }
}
