// SPDX-License-Identifier: MIT

/// A message that a server has acknowledged but may still lose.
package struct KeptMessage: Sendable, Equatable {
    /// The message as it was sent.
    package let message: EngineMessage
    /// The position at which the server stored the message.
    package let position: StreamPosition
}

/// Kept messages: messages that servers have acknowledged but may still lose. Their fixes have
/// already been removed from the waiting fixes.
extension Spool {
    /// A kept message without its content.
    package struct Kept: Sendable, Equatable {
        /// The message's number in the table `kept`.
        package let number: Int64
        /// The position at which the server stored the message.
        package let position: StreamPosition
        /// The size of the message's content in bytes.
        package let size: Int
    }

    static let createKept = """
        CREATE TABLE IF NOT EXISTS kept(number INTEGER PRIMARY KEY AUTOINCREMENT, target INTEGER NOT NULL,
            stream TEXT, place INTEGER NOT NULL, id TEXT, destination TEXT, body BLOB)
        """

    /// Returns the kept messages of the target with this bit, in the order of acknowledgement.
    package func kept(bit: Int64) throws(FleetError) -> [Kept] {
        let statement = try database.prepare(
            "SELECT number,stream,place,length(body) FROM kept WHERE target=? ORDER BY number")
        statement.bind(1, bit)
        var all: [Kept] = []
        while try statement.step() {
            all.append(
                Kept(
                    number: statement.integer(0) ?? 0,
                    position: StreamPosition(
                        stream: statement.text(1),
                        number: UInt64(bitPattern: statement.integer(2) ?? 0)),
                    size: Int(statement.integer(3) ?? 0)))
        }
        return all
    }

    /// Returns a kept message; `nil` if it has been removed.
    func keptMessage(_ number: Int64) throws(FleetError) -> EngineMessage? {
        let statement = try database.prepare(
            "SELECT id,destination,body FROM kept WHERE number=?")
        statement.bind(1, number)
        guard try statement.step() else { return nil }
        return EngineMessage(
            destination: statement.text(1), id: statement.text(0), bytes: statement.bytes(2))
    }

    /// Stores kept messages of the target with this bit, and returns their numbers.
    func keep(_ messages: [KeptMessage], bit: Int64) throws(FleetError) -> [Int64] {
        var numbers: [Int64] = []
        for each in messages {
            keeping.bind(1, bit)
            keeping.bind(2, each.position.stream)
            keeping.bind(3, Int64(bitPattern: each.position.number))
            keeping.bind(4, each.message.id)
            keeping.bind(5, each.message.destination)
            keeping.bind(6, each.message.bytes)
            _ = try keeping.step()
            numbers.append(database.lastRow)
        }
        return numbers
    }

    /// Removes all kept messages of all targets, to make room for waiting fixes, which are more
    /// important.
    func forgetKept() throws(FleetError) { try database.run("DELETE FROM kept") }
}
