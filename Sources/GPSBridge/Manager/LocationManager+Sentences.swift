// SPDX-License-Identifier: MIT
public import Delegation
public import NMEA

/// Other data that the receiver sends while the manager's updates run. As with the streams of
/// delegate methods, each stream receives everything from its creation on.
extension LocationManager {
    /// Returns the sentences of one type, such as wind, depth or heading:
    ///
    ///     import NMEA
    ///     for await wind in manager.sentences(MWV.self) { print(wind.speed ?? 0) }
    ///
    /// Sentences that cannot be decoded as this type are skipped.
    public func sentences<S: Sentence>(
        _ type: S.Type, buffering policy: BufferingPolicy = .newest(256)
    ) -> EventStream<S> {
        let raw = member.sentences
        return EventStream(buffering: policy, flow: member.flow) {
            [weak raw] onValue, onCompletion in
            guard let raw else {
                onCompletion()
                return Subscription()
            }
            return raw.observe(
                { bytes in
                    var framer = Framer()
                    func read(_ event: FramerEvent) {
                        // Most sentences have another type, which is expected.
                        if case .sentence(let raw) = event, let sentence = try? S(raw) {
                            onValue(sentence)
                        }
                    }
                    framer.push(bytes.span, read)
                    framer.finish(read)
                }, onCompletion: onCompletion)
        }
    }

    /// Data that was not a valid sentence, with the reason.
    public var rejections: EventStream<Rejection> { member.rejections.values() }

    /// The counts of sentences and bytes since the receiver was opened; sent after each epoch.
    public var statistics: EventStream<Statistics> { member.statistics.values() }
}
