// SPDX-License-Identifier: MIT
import GNSS
import GPSFleet
import GPSTestSupport
import Testing

/// The messages about receivers without new fixes, and which of them a broker retains.
extension DeliveryTests {
    /// Appends a fix of one receiver, whose data has this origin. `change` may change the fix.
    private func offer(
        _ delivery: inout Delivery, _ origin: DataOrigin = .live,
        _ change: (inout Fix) -> Void = { _ in }
    ) throws {
        let batch = try FixBatch.sample(origin, change)
        let stream =
            try spool.streams.values.first { $0.origin == origin }
            ?? spool.addStreams([(batch.member, origin)], boot: batch.boot)[0]
        var entries = batch.rows.map { Spool.Entry(stream: stream.number, row: $0) }
        try spool.append(&entries)
        delivery.offer(entries, now: now)
    }

    /// Delivers everything to an engine that stores each message. Returns the messages.
    private func work(_ delivery: inout Delivery) throws -> [EngineMessage] {
        var all: [EngineMessage] = []
        while true {
            _ = try delivery.work(spool, now: now)
            let sent = engine.takeMessages()
            guard !sent.isEmpty else { return all }
            all += sent
            for message in sent { delivery.handle(.stored(id: message.id, nil), now: now) }
            try delivery.acknowledge(spool)
        }
    }

    @Test func `Home Assistant gets a fix from before the connection, with the announcement`()
        throws
    {
        var delivery = try delivery(PublishSettings(), HomeAssistantFormat())
        try offer(&delivery)
        delivery.handle(.connected, now: now)
        _ = try work(&delivery)
        delivery.sendHeartbeats(spool, now: now)
        let topics = engine.takeMessages().map(\.destination)
        #expect(topics.first == "homeassistant/device_tracker/gps_buses_b-7_roof/config")
        #expect(
            topics.suffix(2) == ["gps/buses/b-7/roof/status", "gps/buses/b-7/roof/attributes"])
        // The next one follows after a minute.
        delivery.sendHeartbeats(spool, now: now + .seconds(1))
        #expect(engine.takeMessages().isEmpty)
    }

    @Test func `only the newest fix of a receiver is repeated, if its origin was unknown at first`()
        throws
    {
        var delivery = try delivery(PublishSettings(), HomeAssistantFormat())
        delivery.handle(.connected, now: now)
        try offer(&delivery, .unknown) { $0.coordinate = nil }
        _ = try work(&delivery)
        try offer(&delivery)
        _ = try work(&delivery)
        delivery.sendHeartbeats(spool, now: now + .seconds(61))
        #expect(
            engine.takeMessages().map { String(decoding: $0.bytes, as: UTF8.self) }.first
                == "online"
        )
        try offer(&delivery)
        #expect(try work(&delivery).map(\.destination).last == "gps/buses/b-7/roof/attributes")
    }

    @Test func `a broker retains live locations and repeated ones, but not those of the backlog`()
        throws
    {
        var delivery = try delivery(PublishSettings(), OwnTracksFormat())
        try offer(&delivery)
        delivery.handle(.connected, now: now)
        let backlog = try work(&delivery)
        #expect(backlog.map(\.isRetained) == [false])
        delivery.sendHeartbeats(spool, now: now + .seconds(61))
        #expect(engine.takeMessages().map(\.isRetained) == [true])
        try offer(&delivery)
        let live = try work(&delivery)
        #expect(live.map(\.isRetained) == [true])
    }
}
