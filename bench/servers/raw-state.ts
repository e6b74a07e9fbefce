import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import type { ServerFacts } from '../harness/child-server.ts'
import { openRawFile, seal } from '../state/raw-store.ts'

/**
 * Raw SQLite behind a bare server: what is sent is sealed and stored with a durable write, and comes back. A state may be
 * announced before, as clients do it, which is a request and a durable write of its own. Writes of one turn of the event
 * loop share their commit.
 */
export async function serve(): Promise<ServerFacts> {
  const file = openRawFile(join(await mkdtemp(join(tmpdir(), 'holdfast-bench-')), 'raw.db'))
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.method === 'PUT') {
      const sealed = seal(await buffer(incoming))
      await file.share(() => file.put(sealed))
      outgoing.end()
    } else if (incoming.method === 'POST') {
      const note = JSON.stringify(JSON.parse(await text(incoming)))
      await file.share(() => file.announce(note))
      const answer = JSON.stringify({ upload: '/' })
      outgoing.writeHead(201, { 'content-type': 'application/json', 'content-length': answer.length }).end(answer)
    } else {
      const state = file.read()
      outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': state.length }).end(state)
    }
  })
  // Connections wait while the others are measured.
  server.keepAliveTimeout = 10 * 60_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port }
}
