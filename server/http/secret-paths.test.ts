import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { openRaw } from '../../test/support/raw-connection.ts'
import { recordingLog } from '../../test/support/recording-log.ts'
import { sharedApp } from '../../test/support/shared.ts'

const log = recordingLog()
const app = sharedApp({ log: log.log })

/** Sends an address as it is, and returns what was written down about that. */
async function written(verb: string, path: string) {
  const file = join(app.data.directory, 'audit.log')
  await app.root.post('/v1/sys/audit/file', { type: 'file', options: { file_path: file } })
  const before = log.text().length
  const connection = await openRaw(Number(new URL(app.url).port))
  connection.write(`${verb} ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`)
  const { status } = await connection.next()
  await app.root.delete('/v1/sys/audit/file')
  return { status, logged: log.text().slice(before), audited: await readFile(file, 'utf8') }
}

describe.each([
  ['an address of content', '/api/blob/v1/', '/api/blob/v1/:token'],
  ['an address of an archive', '/api/configurations/v1/', '/api/configurations/v1/:token'],
  ['an invitation', '/app/invitations/', '/app/invitations/:token'],
  ['an invitation to an organization', '/app/memberships/', '/app/memberships/:token'],
])('the secret in the path of %s is neither logged nor audited', (_name, folder, route) => {
  test.each([
    ['as it is', 'GET', (secret: string) => `${folder}${secret}`],
    ['with a verb that is not known there', 'DELETE', (secret: string) => `${folder}${secret}`],
    ['with OPTIONS', 'OPTIONS', (secret: string) => `${folder}${secret}`],
    ['with a slash behind it', 'PUT', (secret: string) => `${folder}${secret}/`],
    ['with two slashes before it', 'GET', (secret: string) => `${folder}/${secret}`],
    ['with two slashes before all', 'GET', (secret: string) => `/${folder}${secret}`],
    ['with something behind it', 'GET', (secret: string) => `${folder}${secret}/x`],
  ])('%s', async (_way, verb, pathOf) => {
    const secret = `secret${app.deps.ids.hex(8)}`
    const { logged, audited } = await written(verb, pathOf(secret))
    expect(logged).toContain(`"path":"${route}"`)
    expect(audited).toContain(`"path":"${route.slice(1)}"`)
    expect(logged + audited).not.toContain(secret)
  })
})
