// SPDX-License-Identifier: MIT
import Foundation
import GNSS
import GPSTestTraits
import Testing
import UBX

@Suite(.timeLimit(.generous))
struct RoundTripTests {
    @Test(arguments: 0..<knownUBXMessages.count)
    func `any payload is decoded or refused, and a decoded message survives a round trip`(
        _ index: Int
    ) {
        expectRoundTrips(knownUBXMessages[index])
    }

    @Test func `message identifiers are unique`() {
        var ids = Set<UBXMessageID>()
        for type in knownUBXMessages { #expect(ids.insert(type.id).inserted, "\(type)") }
    }

    @Test func `every message in the folder is in the list`() throws {
        let listed = Set(knownUBXMessages.map { "\($0)" })
        var messageCount = 0
        for source in try PackageFile.sources(of: "UBX") {
            for match in source.matches(of: /(?m)^(public |package )?struct (\w+): UBXMessage\b/) {
                // The initial values of a receiver share one identifier; they are only sent.
                if match.2.hasPrefix("MgaINI"), match.2 != "MgaINI" { continue }
                messageCount += 1
                #expect(
                    listed.contains(String(match.2)), "add to knownUBXMessages: \(match.2).self")
            }
        }
        #expect(messageCount == listed.count)
    }

    private func expectRoundTrips<Message: UBXMessage>(_ type: Message.Type) {
        var generator = SeededGenerator(seed: 36)
        var readCount = 0
        for _ in 0..<200 {
            let count = Int.random(in: 0...400, using: &generator)
            var payload = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator)
            }
            // Small numbers are valid versions and counts.
            for index in payload.indices.prefix(12) where Bool.random(using: &generator) {
                payload[index] &= 3
            }
            guard let message = Message(payload: payload.span) else { continue }
            readCount += 1
            let written = message.payload
            guard let again = Message(payload: written.span) else {
                Issue.record("\(type): \(payload)")
                continue
            }
            // NaN is not equal to itself, so the bytes are compared.
            #expect(again.payload == written)
        }
        #expect(readCount > 1, "\(type)")
    }
}
