// SPDX-License-Identifier: MIT
import GNSS
package import GNSSAuthentication
package import GPSFormats
package import GPSIO

/// The folder with the trees and public keys of Galileo: files as they are published, and `received`,
/// which has what satellites have said about them, and the chain of keys in force.
package struct GalileoKeyFolder: Sendable {
    /// A file of the folder.
    private struct Entry {
        let name: String
        let file: GalileoKeyFile
    }

    package let path: String
    private let cryptography: any Cryptography

    package init(_ path: String, _ cryptography: some Cryptography) {
        (self.path, self.cryptography) = (path, cryptography)
    }

    /// The folder in which `authentication --install` puts files; `nil` without a home.
    package static func `default`(_ cryptography: some Cryptography) -> GalileoKeyFolder? {
        StateFolder.path(ofRoot: "/var/lib/gpsbridge").map {
            GalileoKeyFolder($0 + "/galileo", cryptography)
        }
    }

    /// Whether there is such a folder.
    package var exists: Bool { (try? Node(path).kind()) == .folder }

    private var receivedPath: String { path + "/received" }

    /// Reads the folder. Files that cannot be used are passed to `ignore`, with the reason.
    package func load(_ ignore: (InputError) -> Void = { _ in }) -> KeyRing {
        ring(of: entries(ignore), ignore)
    }

    private func ring(of entries: [Entry], _ ignore: (InputError) -> Void) -> KeyRing {
        var ring = KeyRing()
        var received: [(key: Key<Unverified>, root: MerkleRoot)] = []
        var chain: StoredChain?
        readReceived(&ring, &received, &chain, ignore)
        var trees: [MerkleTree] = []
        for entry in entries {
            guard case .tree(let tree) = entry.file.content else { continue }
            guard ring.add(tree.root) else {
                ignore(InputError(entry.name, "Galileo has warned of this tree"))
                continue
            }
            trees.append(tree)
            for key in tree.keys { ring.add(key) }
        }
        for entry in entries {
            guard case .key(let key, let leaf) = entry.file.content else { continue }
            do throws(InputError) {
                // Recordings from before a revocation are verified with the key. `install` notes
                // revocations in `received`.
                ring.add(try installed(key, leaf, in: trees, name: entry.name))
            } catch {
                ignore(error)
            }
        }
        for (key, root) in received where ring.roots.contains(root) {
            ring.add(key.installed(in: root))
        }
        if let chain, !ring.isAlert {
            if chain.isVerified(by: ring, cryptography) {
                ring.chain = chain
            } else {
                ignore(InputError(receivedPath, "no installed key has signed its chain of keys"))
            }
        }
        return ring
    }

    /// Returns a key with its tree. If there is only one, it is that of a key of whose place nothing
    /// is known. `isStrict` is `true` if the place must be known.
    ///
    /// - Throws: `InputError` if no tree contains the key.
    private func installed(
        _ key: Key<Unverified>, _ leaf: Int, in trees: [MerkleTree], name: String,
        isStrict: Bool = false
    ) throws(InputError) -> Key<Verified> {
        let answers = trees.map { $0.contains(key, leaf: leaf, cryptography) }
        if let index = answers.firstIndex(of: true) { return key.installed(in: trees[index].root) }
        guard trees.isEmpty || answers.contains(nil) && !isStrict else {
            throw InputError(name, "the installed Merkle tree does not contain this public key")
        }
        return key.installed(in: trees.count == 1 ? trees[0].root : nil)
    }

    /// The published files, in the order in which they become valid.
    private func entries(_ ignore: (InputError) -> Void) -> [Entry] {
        let names = Folder.names(in: path).filter { $0.hasSuffix(".xml") }.sorted()
        let entries = names.compactMap { name -> Entry? in
            do {
                let bytes = try RegularFile.bytes(of: "\(path)/\(name)")
                return Entry(name: name, file: try GalileoKeyFile(bytes, name: name, cryptography))
            } catch {
                ignore(error as? InputError ?? InputError(name, "\(error)"))
                return nil
            }
        }
        return entries.sorted { ($0.file.begin, $0.name) < ($1.file.begin, $1.name) }
    }

    /// A file that was installed, and its copy.
    package struct Installation: Sendable {
        package let file: GalileoKeyFile
        /// The path of the copy.
        package let path: String
    }

    /// Verifies a file and copies it to the folder.
    ///
    /// - Throws: `InputError` if it is refused, or cannot be written.
    package func install(_ bytes: [UInt8], name: String) throws(InputError) -> Installation {
        let file = try GalileoKeyFile(bytes, name: name, cryptography)
        let entries = entries { _ in }
        var ring = ring(of: entries) { _ in }
        let copy: String
        switch file.content {
        case .tree(let tree):
            if ring.distrusted.contains(tree.root) {
                throw InputError(name, "Galileo has warned of this tree: install its successor")
            }
            copy = "tree-" + Hexadecimal.text(tree.root.bytes.prefix(8), isUppercase: true) + ".xml"
        case .key(let key, let leaf):
            let trees = entries.compactMap { entry -> MerkleTree? in
                if case .tree(let tree) = entry.file.content { tree } else { nil }
            }
            let key = try installed(key, leaf, in: trees, name: name, isStrict: true)
            if file.isRevoked {
                ring.revoke(key.id, in: key.root)
                try write(receivedPath) { () throws(DraftFile.Failure) in try store(ring) }
                return Installation(file: file, path: receivedPath)
            }
            if ring.isAlert {
                throw InputError(
                    name, "Galileo has warned of its keys: install the new Merkle tree first")
            }
            if ring.revocations.contains(KeyRing.Revocation(root: key.root, id: key.id)) {
                throw InputError(name, "this public key has been revoked or replaced")
            }
            if let newer = ring.keys.first(where: { $0.root == key.root && $0.id > key.id }) {
                throw InputError(
                    name, "public key \(newer.id) of the same tree, which is newer, is installed")
            }
            copy =
                "key-\(key.id)-" + Hexadecimal.text(key.point.prefix(8), isUppercase: true) + ".xml"
        }
        create()
        let target = "\(path)/\(copy)"
        try write(target) { () throws(DraftFile.Failure) in
            try DraftFile.replace(target, with: bytes, mode: 0o644)
        }
        return Installation(file: file, path: target)
    }

    private func write(
        _ target: String, _ body: () throws(DraftFile.Failure) -> Void
    ) throws(InputError) {
        do throws(DraftFile.Failure) {
            try body()
        } catch {
            throw InputError(
                target, "cannot be written: \(IOError.reason(error.errno, writing: target))")
        }
    }

    private func create() {
        if path.hasPrefix("/") { StateFolder.create(path) }
    }

    // MARK: What satellites have said

    /// Stores the keys that satellites have sent, what must not be used again, and the chain of keys.
    package func store(_ ring: KeyRing) throws(DraftFile.Failure) {
        func text(_ root: MerkleRoot?) -> String {
            root.map { Hexadecimal.text($0.bytes, isUppercase: true) } ?? "-"
        }
        var lines = ["# Written by gpsbridge: what Galileo's satellites have said about its keys."]
        lines += ring.distrusted.map { "alert \(text($0))" }.sorted()
        if ring.isAlert, ring.distrusted.isEmpty { lines.append("alert -") }
        lines += ring.revocations.map { "revoked \(text($0.root)) \($0.id)" }.sorted()
        lines += ring.keys.filter { $0.root != nil }.map {
            "key \(text($0.root)) \($0.id) \(Hexadecimal.text($0.point, isUppercase: true))"
        }
        if let chain = ring.chain {
            let parts = [chain.root, chain.key].map { Hexadecimal.text($0, isUppercase: true) }
            lines.append("chain \(chain.time.seconds) " + parts.joined(separator: " "))
        }
        create()
        let content = lines.map { $0 + "\n" }.joined()
        try DraftFile.replace(receivedPath, with: Array(content.utf8), mode: 0o644)
    }

    private func readReceived(
        _ ring: inout KeyRing, _ keys: inout [(key: Key<Unverified>, root: MerkleRoot)],
        _ chain: inout StoredChain?, _ ignore: (InputError) -> Void
    ) {
        guard let bytes = RegularFile.contents(receivedPath) else { return }
        let text = String(decoding: bytes, as: UTF8.self)
        for (index, line) in text.split(separator: "\n").enumerated() where !line.hasPrefix("#") {
            let words = line.split(separator: " ")
            let root = words.dropFirst().first.flatMap { Hexadecimal.bytes($0) }.flatMap {
                MerkleRoot($0)
            }
            switch (words.first, words.count) {
            case ("alert", 2): ring.alert(root.map { [$0] } ?? [])
            case ("revoked", 3):
                if let id = UInt8(words[2]) { ring.revoke(id, in: root) }
            case ("key", 4):
                if let root, let id = UInt8(words[2]), let point = Hexadecimal.bytes(words[3]),
                    let key = Key<Unverified>(
                        id: id, curve: point.count == 33 ? .p256 : .p521, point: point)
                {
                    keys.append((key, root))
                }
            case ("chain", 4):
                if let seconds = Int(words[1]), let root = Hexadecimal.bytes(words[2]),
                    let key = Hexadecimal.bytes(words[3]),
                    let time = GalileoTime(storedSeconds: seconds)
                {
                    chain = StoredChain(time: time, key: key, root: root)
                } else {
                    ignore(InputError(receivedPath, line: index + 1, "the chain is damaged"))
                }
            default: ignore(InputError(receivedPath, line: index + 1, "the line is not known"))
            }
        }
    }
}
