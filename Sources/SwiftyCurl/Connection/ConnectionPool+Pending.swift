// Part of the Swifty project.
// SPDX-License-Identifier: Apache-2.0

import SwiftyTransport

// The connections that are being made.

extension ConnectionPool {
    func connect(for transfer: Transfer, in group: ConnectionGroup) {
        group.release(transfer)
        if group.room.streamLimit == 0, !transfer.repetition.waitsForRoom() {
            fail(transfer, .heldByServer)
            return directory.removeIfEmpty(group)
        }
        guard let attempt = makeAttempt(for: transfer, in: group) else {
            fail(transfer, .noHandle)
            return directory.removeIfEmpty(group)
        }
        directory.add(group)
        group.host.noteBegin(in: line.turn)
        group.add(attempt)
        pending.add(attempt)
        group.enlist(transfer, for: attempt)
        if attempt.connector.start() { return }
        forget(transfer, waitingFor: attempt)
        fail(transfer, .noHandle)
    }

    private func makeAttempt(for transfer: Transfer, in group: ConnectionGroup) -> PendingConnection? {
        let number = pending.nextNumber()
        return resources.dialer.makeConnector(for: transfer, number: number, isFirst: pending.isEmpty, resources).map {
            PendingConnection($0, number: number, for: transfer, in: group, of: self)
        }
    }

    func cancel(_ attempt: PendingConnection) {
        attempt.group.remove(attempt)
        pending.remove(attempt.number)
        attempt.cancel()
        serveLater(attempt.group.host)
        directory.removeIfEmpty(attempt.group)
    }

    /// Takes the connections that were made, and ends the transfers whose connections could not be made.
    func takeEnded() {
        while let ended = resources.dialer.takeEnded() {
            guard let attempt = pending.remove(ended.number) else { continue }
            finish(attempt) {
                switch ended.result {
                case .made: Result { () throws(TransferFailure) in try open(attempt) }
                case .failed(let code): .failure(attempt.connector.explain(code, overdue: attempt.overdue))
                case .unwatched: .failure(.unwatched)
                }
            }
        }
    }

    private func finish(_ attempt: PendingConnection, _ result: () -> Result<Connection, TransferFailure>) {
        let group = attempt.group
        group.remove(attempt)
        switch result() {
        case .success(let connection): take(connection, from: attempt)
        case .failure(let failure): fail(attempt, failure)
        }
        attempt.finish()
        requeueUnserved(of: group)
        directory.removeIfEmpty(group)
    }

    private func open(_ attempt: PendingConnection) throws(TransferFailure) -> Connection {
        let opened = try attempt.connector.open()
        let codec: any Codec
        do throws(TransferFailure) {
            codec = try makeCodec(opened)
        } catch {
            opened.channel.close(resources.poll)
            throw error
        }
        if let limit = attempt.group.room.streamLimit { codec.assume(streamLimit: limit) }
        let connection = Connection(opened, codec: codec, by: attempt, of: self)
        guard connection.register() else {
            connection.close()
            throw .unwatched
        }
        return connection
    }

    private func take(_ connection: Connection, from attempt: PendingConnection) {
        let group = attempt.group
        let isShared = connection.codec.isShared
        group.room.noteConnection(isShared: isShared)
        if isShared {
            group.share(connection)
            shared.add(connection)
        }
        if attempt.isExclusive, let owner = attempt.owner { give(connection, to: owner) }
        if isShared {
            fill(connection)
            connection.beginIfUnused()
        } else if !attempt.isExclusive {
            give(connection, to: next(of: group))
        }
    }

    private func fail(_ attempt: PendingConnection, _ failure: TransferFailure) {
        for victim in attempt.group.releaseVictims(of: attempt, isOwnLimit: failure.code == .timedOut) {
            transfers.fail(victim, failure, on: attempt.facts, at: resources.now)
        }
    }

    private func fail(_ transfer: Transfer, _ failure: TransferFailure) {
        transfers.fail(transfer, failure, at: resources.now)
    }

    /// Ends a transfer that only wanted a connection, and keeps that for others.
    private func endPrewarming(_ transfer: Transfer, with connection: Connection) {
        transfers.complete(transfer, on: connection.facts, at: resources.now)
        if connection.codec.isShared { return }
        var next = next(of: connection.group)
        // A loop: a call for each of many that wait would nest as deeply.
        while let waiting = next, waiting.isPrewarming {
            connection.group.release(waiting)
            transfers.complete(waiting, on: connection.facts, at: resources.now)
            next = self.next(of: connection.group)
        }
        give(connection, to: next)
    }

    /// Has the connection carry the transfer, which may have waited; without one, keeps it.
    func give(_ connection: Connection, to transfer: Transfer?) {
        guard let transfer else { return keep(connection) }
        if transfer.carrier != nil { connection.group.release(transfer) }
        guard let failure = connection.failureOfFirstRequest() else {
            return transfer.isPrewarming ? endPrewarming(transfer, with: connection) : connection.begin(transfer)
        }
        connection.close()
        if transfers.repeatUnheard(transfer, after: failure, at: resources.now) { return }
        transfers.fail(transfer, failure, on: connection.facts, at: resources.now)
    }
}
