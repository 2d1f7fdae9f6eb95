// SPDX-License-Identifier: MIT
public import Delegation
public import NMEA

/// Provides other data that the receiver sends while the manager reads it. As with the streams of
/// delegate methods, each stream receives everything from its creation on.
extension LocationManager {
    /// Returns a stream of the sentences of one type, for example for wind, depth or heading:
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
                        // The error is ignored, because most sentences have another type.
                        if case .sentence(let raw) = event, let sentence = try? S(raw) {
                            onValue(sentence)
                        }
                    }
                    framer.push(bytes.span, read)
                    framer.finish(read)
                }, onCompletion: onCompletion)
        }
    }

    /// A stream of the data that was rejected because it is not a valid sentence, with the reasons.
    public var rejections: EventStream<Rejection> { member.rejections.values() }

    /// A stream of the counts of sentences and bytes since reading started, one element after each
    /// epoch. They continue when the receiver returns after it was unplugged. For a vote, they are
    /// those of the receiver that the last vote selected.
    public var statistics: EventStream<Statistics> { member.statistics.values() }
}
