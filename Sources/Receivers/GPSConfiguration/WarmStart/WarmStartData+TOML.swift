// SPDX-License-Identifier: MIT
import GNSS

extension WarmStartData {
    /// Parses a file of warm start data.
    ///
    /// - Throws: `ConfigurationError` with `.malformedFile`.
    package init(toml text: String) throws(ConfigurationError) {
        let document = try TOMLDocument(settings: text)
        do throws(TOMLMismatch) {
            func value(_ key: String) throws(TOMLMismatch) -> TOMLValue {
                guard let entry = document[key] else { throw TOMLMismatch("'\(key)' is missing") }
                return entry.value
            }
            func number(_ key: String, in range: ClosedRange<Double>, _ unit: String)
                throws(TOMLMismatch) -> Double
            {
                try value(key).number(in: range, unit)
            }
            let receiver = WarmStartReceiver(
                name: try value("receiver").string("a name"),
                firmware: try value("firmware").string("a version"))
            guard let time = UTCTime(iso8601: try value("time").string("a time")) else {
                throw TOMLMismatch("expected a time such as 2026-03-21T12:00:00Z")
            }
            let position = Position(
                latitude: try number("latitude", in: -90...90, "degrees"),
                longitude: try number("longitude", in: -180...180, "degrees"),
                ellipsoidalAltitude: try number("altitude", in: -20_000...100_000, "m"),
                accuracy: try number("accuracy", in: 0...1e6, "m"))
            self.init(receiver: receiver, time: time, position: position)
            for text in try value("entries").strings("hexadecimal digits") {
                guard let bytes = DescribedMessage.bytes(text) else {
                    throw TOMLMismatch("expected hexadecimal digits")
                }
                entries.append(bytes)
            }
            for (key, path) in Self.firstFixKeys where document[key] != nil {
                firstFixes[keyPath: path] = try number(key, in: 0...1e6, "s")
            }
        } catch {
            throw ConfigurationError(.malformedFile, error.reason)
        }
    }

    /// The data as a TOML file.
    package var toml: String {
        var document = TOMLDocument()
        document.add("receiver", .string(receiver.name))
        document.add("firmware", .string(receiver.firmware))
        document.add("time", .string("\(time)"))
        document.add("latitude", .number(position.latitude))
        document.add("longitude", .number(position.longitude))
        document.add("altitude", .number(position.ellipsoidalAltitude))
        document.add("accuracy", .number(position.accuracy))
        for (key, path) in Self.firstFixKeys {
            if let seconds = firstFixes[keyPath: path] { document.add(key, .number(seconds)) }
        }
        let texts = entries.map { $0.map { TextLine.hexadecimal($0) }.joined() }
        document.add("entries", .array(texts.map { .string($0) }))
        return document.text
    }

    private static var firstFixKeys: [(String, WritableKeyPath<FirstFixes, Double?>)] {
        [("first-fix-with-data", \.withData), ("first-fix-without-data", \.withoutData)]
    }
}
