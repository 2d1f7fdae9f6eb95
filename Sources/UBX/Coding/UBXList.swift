// SPDX-License-Identifier: MIT

/// A message with one list, whose elements can be read one by one without an array.
///
/// These functions are not generic over the reader: they are called from another module, which could
/// not specialise them.
package protocol UBXList: UBXMessage {
    /// An element of the list.
    associatedtype Element: UBXBlock

    /// The message without its list, and a reader at the first element; `nil` if it is malformed.
    static func header(_ reader: inout UBXReader) -> Self?

    /// Reads the next element.
    static func next(_ reader: inout UBXReader) -> Element
}

extension NavSAT: UBXList {
    package static func header(_ reader: inout UBXReader) -> NavSAT? {
        var message = NavSAT()
        message.fields(&reader)
        return reader.isMalformed || !reader.canReadList(of: 12) ? nil : message
    }

    package static func next(_ reader: inout UBXReader) -> Satellite {
        var satellite = Satellite()
        satellite.fields(&reader)
        return satellite
    }
}

extension NavSIG: UBXList {
    package static func header(_ reader: inout UBXReader) -> NavSIG? {
        var message = NavSIG()
        message.fields(&reader)
        return reader.isMalformed || !reader.canReadList(of: 16) ? nil : message
    }

    package static func next(_ reader: inout UBXReader) -> Signal {
        var signal = Signal()
        signal.fields(&reader)
        return signal
    }
}

extension NavSVINFO: UBXList {
    package static func header(_ reader: inout UBXReader) -> NavSVINFO? {
        var message = NavSVINFO()
        message.fields(&reader)
        return reader.isMalformed || !reader.canReadList(of: 12) ? nil : message
    }

    package static func next(_ reader: inout UBXReader) -> Satellite {
        var satellite = Satellite()
        satellite.fields(&reader)
        return satellite
    }
}
