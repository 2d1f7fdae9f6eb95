// SPDX-License-Identifier: MIT
import GPSIO
import GPSReceivers
import GPSServer
import Glibc

/// A real client on a pair of sockets: it is sent what the conversation answers, and its descriptor is
/// closed at exit.
enum ClientExercise {
    static func run(
        _ pieces: [[UInt8]], _ decisions: Decisions, expected: Answers
    ) throws(BrokenReply) {
        let before = lowestDescriptor
        var ends: [CInt] = [-1, -1]
        let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { return }
        let own = ends[0]
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        let hub = ReportHub()
        serve(ends[1], hub, decisions)
        var output: [UInt8] = []
        for (index, piece) in pieces.enumerated() {
            write(piece, to: own, readingInto: &output)
            if decisions.hasReports {
                hub.append(Report(.object, device: "/dev/a", bytes: report))
                if index % 3 == 2 { hub.flush() }
            }
        }
        shutdown(own, CInt(SHUT_WR))
        readAll(own, into: &output)
        close(own)
        // The other end is closed: its end of file has been read.
        try expect(lowestDescriptor == before, "a descriptor is left")
        try Answers.check(output)
        guard !decisions.hasReports else { return }
        // A request that was incomplete when the client disconnected is not answered.
        let answered = Array(output.dropFirst(GPSDConversation.greeting().count))
        try expect(expected.lines.starts(with: answered), "a client is answered otherwise")
    }

    private static let report = Array("{\"class\":\"TPV\",\"mode\":1}\r\n".utf8)

    private static func serve(_ fd: CInt, _ hub: ReportHub, _ decisions: Decisions) {
        let descriptor = Descriptor(fd)
        let limit = decisions.queueLimit
        let refuse: GPSDClient.Control = { _, _ in [] }
        let control = decisions.allowsControl ? refuse : nil
        Task(executorPreference: Poller.shared) {
            let connection = ClientConnection(descriptor, queueLimit: limit)
            await GPSDClient(connection, hub: hub, control: control) { Answers.snapshot() }.serve()
        }
    }

    /// Writes all bytes. A server reads no further from a client that does not read its replies.
    private static func write(_ bytes: [UInt8], to fd: CInt, readingInto output: inout [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                send(fd, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
                continue
            }
            guard errno == EAGAIN else { return }
            var events = pollfd(fd: fd, events: Int16(POLLIN | POLLOUT), revents: 0)
            poll(&events, 1, -1)
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let received = recv(fd, &buffer, buffer.count, CInt(MSG_DONTWAIT))
            if received > 0 { output += buffer[..<received] }
        }
    }

    private static func readAll(_ fd: CInt, into output: inout [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(fd, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            output += buffer[..<count]
        }
    }

    /// The number that the next descriptor would have.
    private static var lowestDescriptor: CInt {
        let fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3)
        close(fd)
        return fd
    }
}
