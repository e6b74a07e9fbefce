import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import fastify from 'fastify'
import type { ServerFacts } from '../harness/child-server.ts'

/**
 * A Fastify route that does one durable insert of about a token's size: as in a usual route, each insert commits by
 * itself and is on disk before the answer.
 */
export async function serve(options: { body: string; tls: { cert: string; key: string } }): Promise<ServerFacts> {
  const database = new DatabaseSync(join(mkdtempSync(join(tmpdir(), 'holdfast-bench-')), 'rows.db'))
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec('create table rows (id text primary key not null, body text not null) strict')
  const insert = database.prepare('insert into rows (id, body) values (?, ?)')
  const document = JSON.parse(options.body) as object
  const row = options.body.slice(0, 1_000)
  let count = 0
  const https = { ...options.tls, requestCert: true, rejectUnauthorized: false }
  const server = fastify({ https, keepAliveTimeout: 600_000 })
  // The load sends no content type, as is common for programs that log in.
  server.addContentTypeParser('*', { parseAs: 'string' }, server.getDefaultJsonParser('error', 'error'))
  server.post('/v1/auth/cert/login', async () => {
    insert.run(`row-${count++}`, row)
    return document
  })
  await server.listen({ port: 0, host: '127.0.0.1' })
  const address = server.server.address()
  return { port: typeof address === 'object' && address !== null ? address.port : 0 }
}
