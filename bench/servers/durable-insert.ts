import { mkdtempSync } from 'node:fs'
import { createServer } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { ServerFacts } from '../harness/child-server.ts'
import { sharedCommits } from '../harness/shared-commits.ts'

/**
 * The least work that answers a request after one durable write: Node's own HTTPS server that requests a client
 * certificate, and one insert of about a token's size for each request. Inserts of one turn of the event loop share
 * their fsync.
 */
export async function serve(options: { body: string; tls: { cert: string; key: string } }): Promise<ServerFacts> {
  const database = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'holdfast-bench-')), 'rows.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table rows (id text primary key not null, body text not null) strict')
  const insert = database.prepare('insert into rows (id, body) values (?, ?)')
  const body = Buffer.from(options.body)
  const headers = { 'content-type': 'application/json', 'content-length': body.length }
  const row = options.body.slice(0, 1_000)
  let count = 0
  const share = sharedCommits(database)
  const server = createServer({ ...options.tls, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    request.resume().once('end', async () => {
      await share(() => void insert.run(`row-${count++}`, row))
      response.writeHead(200, headers).end(body)
    })
  })
  server.keepAliveTimeout = 600_000
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0 }
}
