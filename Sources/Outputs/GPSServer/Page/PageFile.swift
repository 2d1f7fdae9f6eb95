// SPDX-License-Identifier: MIT
import CGPSPage
import GPSFiles

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
