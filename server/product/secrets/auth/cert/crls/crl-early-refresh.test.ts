import type { IncomingHttpHeaders } from 'node:http'
import { beforeEach, expect, test } from 'vitest'
import { type CertApp, certApp, ownCertApp } from '../../../../../../test/support/cert-login.ts'
import { type Minted, mintCrl } from '../../../../../../test/support/certificates.ts'
import { eachEngine } from '../../../../../../test/support/databases.ts'
import { serveDuringTest } from '../../../../../../test/support/fakes/loopback.ts'
import { refreshDueCrls } from './crl-actions.ts'

const path = '/v1/auth/cert/crls/web'
const inDays = (app: CertApp, days: number): Date => new Date(app.clock.now() + days * 86_400_000)

/** Serves lists as web servers do, with what a client can ask for changes by. */
async function listServer(marks: 'etag' | 'last-modified' | 'none') {
  const asked: IncomingHttpHeaders[] = []
  const served: { status: number; list: Buffer; mark: string } = { status: 200, list: Buffer.alloc(0), mark: '' }
  const address = await serveDuringTest((request, response) => {
    asked.push(request.headers)
    const { status, list, mark } = served
    const given = request.headers[marks === 'etag' ? 'if-none-match' : 'if-modified-since']
    const isKnown = marks !== 'none' && given === mark
    response.writeHead(isKnown ? 304 : status, marks === 'none' ? {} : { [marks]: mark })
    response.end(isKnown ? '' : list)
  })
  return { url: `${address}/list.crl`, asked, served }
}

eachEngine((engine) => {
  let app: CertApp
  let leaf: Minted
  beforeEach(async () => {
    app = await ownCertApp({ engine })
    await app.role('web', { certificate: app.ca.pem })
    leaf = app.leaf()
  })
  const refresh = (by = app): Promise<void> => refreshDueCrls(by.deps, new AbortController().signal)
  const row = () => app.deps.db.selectFrom('cert_crls').selectAll().executeTakeFirstOrThrow()
  const listOf = (number: bigint, revoked: readonly bigint[] = []) =>
    mintCrl(app.ca, { number, nextUpdate: inDays(app, 7), revoked: [...revoked] }).der

  test('crl by url: a list published a week before the old one ends is in force within the hour', async () => {
    const { url, asked, served } = await listServer('none')
    served.list = listOf(1n)
    expect((await app.root.post(path, { url })).status).toBe(204)
    served.list = listOf(2n, [leaf.serial])
    app.clock.advance('59m')
    await refresh()
    expect([asked.length, (await app.login(leaf)).status]).toEqual([1, 200])
    app.clock.advance('2m')
    await refresh()
    expect([asked.length, (await app.login(leaf)).status]).toEqual([2, 400])
  })

  test('crl by url: a list that was put off to its nextUpdate before is fetched at once, then every hour', async () => {
    const { url, asked, served } = await listServer('none')
    served.list = listOf(1n)
    expect((await app.root.post(path, { url })).status).toBe(204)
    await app.deps.db
      .updateTable('cert_crls')
      .set({ refresh_at: inDays(app, 7).getTime() })
      .execute()
    await refresh()
    await refresh()
    expect(asked).toHaveLength(2)
    expect((await row()).refresh_at).toBe(app.clock.now() + 3_600_000)
  })

  test('crl by url: if the hourly fetch fails, the list stays in force, and the next try follows in a minute', async () => {
    const { url, asked, served } = await listServer('none')
    served.list = listOf(1n, [leaf.serial])
    expect((await app.root.post(path, { url })).status).toBe(204)
    served.status = 503
    for (const wait of ['61m', '61s']) {
      app.clock.advance(wait)
      await refresh()
    }
    expect(asked).toHaveLength(3)
    expect((await app.login(leaf)).status).toBe(400)
    expect((await row()).last_error).toContain('503')
    served.status = 200
    app.clock.advance('61s')
    await refresh()
    expect(await row()).toMatchObject({ last_error: '', refresh_at: app.clock.now() + 3_600_000 })
  })

  test.each([
    ['etag', 'if-none-match', '"one"', 'W/"two"'],
    ['last-modified', 'if-modified-since', 'Sun, 01 Nov 2026 08:00:00 GMT', 'Mon, 02 Nov 2026 08:00:00 GMT'],
  ] as const)(
    'crl by url: a server that sends %s is asked for a changed list only',
    async (marks, header, one, two) => {
      const { url, asked, served } = await listServer(marks)
      Object.assign(served, { list: listOf(1n), mark: one })
      expect((await app.root.post(path, { url })).status).toBe(204)
      expect(asked[0]).not.toHaveProperty(header)
      const before = await row()
      app.clock.advance('61m')
      await refresh()
      expect(asked[1]).toMatchObject({ [header]: one })
      expect(await row()).toEqual({ ...before, refresh_at: app.clock.now() + 3_600_000 })
      Object.assign(served, { list: listOf(2n, [leaf.serial]), mark: two })
      app.clock.advance('61m')
      await refresh()
      expect((await app.login(leaf)).status).toBe(400)
      app.clock.advance('61m')
      await refresh()
      expect(asked[3]).toMatchObject({ [header]: two })
      expect((await row()).number).toBe('2')
    },
  )

  test('crl by url: what another list was recognized by is not asked for', async () => {
    const { url, asked, served } = await listServer('etag')
    Object.assign(served, { list: listOf(5n), mark: '"five"' })
    expect((await app.root.post(path, { url })).status).toBe(204)
    // Older than the list in force, so it is refused, and must not pass for that list from now on.
    Object.assign(served, { list: listOf(4n), mark: '"four"' })
    for (const wait of ['61m', '61s']) {
      app.clock.advance(wait)
      await refresh()
      expect((await row()).last_error).toMatch(/^Its number .* lower than .*in force\.$/)
    }
    expect(asked[2]).not.toHaveProperty('if-none-match')
  })

  test('crl by url: a list whose stored bytes are lost is fetched whole, though the server has no newer one', async () => {
    const { url, asked, served } = await listServer('etag')
    Object.assign(served, { list: listOf(1n, [leaf.serial]), mark: '"one"' })
    expect((await app.root.post(path, { url })).status).toBe(204)
    const other = await certApp({ engine, beside: app })
    try {
      app.clock.advance('61m')
      await refresh(other)
      expect(asked[1]).not.toHaveProperty('if-none-match')
      await app.deps.db.deleteFrom('blobs').where('scope', 'like', '%/web').execute()
      await app.deps.db.updateTable('cert_crls').set({ blob_id: 'lost' }).execute()
      app.clock.advance('61m')
      await refresh(other)
      expect(asked[2]).not.toHaveProperty('if-none-match')
      expect((await other.login(leaf)).status).toBe(400)
    } finally {
      await other.close()
    }
  })
})
