import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import { createGzip, gzipSync } from 'node:zlib'
import { expect, onTestFinished, test, vi } from 'vitest'
import { archiveOf, entryBytes, tarOf } from '../../../../test/support/archives.ts'
import type { Client } from '../../../../test/support/client.ts'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, team, workspaceIn } from '../../../../test/support/platform.ts'
import { createRun, enableRuns, newRun, uploadArchive } from '../../../../test/support/runs.ts'
import { ownApp, shared, sharedApp } from '../../../../test/support/shared.ts'
import { restoreArchive, takeArchive } from '../../../archive/index.ts'

// Some of these send tens of megabytes.
vi.setConfig({ testTimeout: 60_000 })

const MiB = 1024 * 1024
const small = archiveOf([{ path: 'modules/a/b/main.tf', body: 'locals {}\n' }])

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(async () => {
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    return acme
  })

  const versionsOf = (workspaceId: string) => `/api/v2/workspaces/${workspaceId}/configuration-versions`
  const versionAt = (id: string) => `/api/v2/configuration-versions/${id}`
  /** A version without content, and where that is sent. */
  const pendingVersion = async (workspaceId: string, attributes: object = {}) => {
    const made = await ann.post(
      versionsOf(workspaceId),
      doc('configuration-versions', { 'auto-queue-runs': false, ...attributes }),
    )
    const { id, attributes: shown } = mustBe(made, 201).body.data
    return { id: id as string, url: shown['upload-url'] as string }
  }
  const newPending = async (attributes: object = {}) => await pendingVersion(await workspaceIn(org), attributes)
  const uploaded = async (workspaceId: string, archive = small) => {
    const made = await pendingVersion(workspaceId)
    mustBe(await uploadArchive(app, made.url, archive), 200)
    return made
  }
  const shownVersion = async (id: string) => mustBe(await ann.get(versionAt(id)), 200).body.data
  const statusOf = async (id: string) => (await shownVersion(id)).attributes.status
  const act = (id: string, action: string) => ann.post(`${versionAt(id)}/actions/${action}`)

  /** The bytes that the download of a version leads to. */
  async function download(id: string, caller: Client = ann, from = app): Promise<Buffer> {
    const { headers } = mustBe(await caller.get(`${versionAt(id)}/download`), 302)
    const { pathname } = new URL(String(headers.location))
    const answer = await fetch(new URL(pathname, from.url))
    expect(answer.status).toBe(200)
    return Buffer.from(await answer.arrayBuffer())
  }
  const blobsOf = (workspaceId: string) =>
    app.deps.db.selectFrom('blobs').select('id').where('scope', '=', `configurations:${workspaceId}`).execute()

  test('addresses: a changed one, one of another use and an expired one are 404', async () => {
    const { id, url } = await newPending()
    const at = url.length - 20
    const changed = `${url.slice(0, at)}${'x'.repeat(10)}${url.slice(at + 10)}`
    mustBe(await uploadArchive(app, changed, small), 404)
    mustBe(await app.anonymous.get(new URL(url).pathname), 404)
    mustBe(await uploadArchive(app, url, small), 200)
    const { headers } = mustBe(await ann.get(`${versionAt(id)}/download`), 302)
    const location = String(headers.location)
    mustBe(await uploadArchive(app, location, small), 404)
    app.clock.advance('61s')
    mustBe(await app.anonymous.get(new URL(location).pathname), 404)
    app.clock.advance('25h')
    mustBe(await uploadArchive(app, url, small), 404)
  })

  test('download: strangers get 404, and so does everybody while nothing was uploaded', async () => {
    const { id, url } = await newPending()
    const eve = await person(app, 'eve')
    mustBe(await ann.get(`${versionAt(id)}/download`), 404)
    mustBe(await uploadArchive(app, url, small), 200)
    mustBe(await eve.get(`${versionAt(id)}/download`), 404)
    const readers = await team(org, 'readers', { 'organization-access': { 'read-workspaces': true } })
    expect((await download(id, readers)).equals(small)).toBe(true)
  })

  const deep = (levels: number) => `${'d/'.repeat(levels)}x`
  const bomb = () => Buffer.concat([entryBytes({ path: 'zeros', body: Buffer.alloc(40 * MiB) }), Buffer.alloc(1_024)])

  test.each<[string, () => Buffer, string]>([
    ['no bytes at all', () => Buffer.alloc(0), 'The archive is empty'],
    ['bytes that are not gzip', () => Buffer.from('{"not": "gzip"}'), 'The archive is not gzip, or is damaged'],
    ['gzip that breaks off', () => small.subarray(0, -12), 'The archive is not gzip, or is damaged'],
    ['gzip of a text', () => gzipSync('hello'), 'The archive is not tar, or is cut off'],
    ['gzip of a page of text', () => gzipSync('hello.tf'.repeat(64)), 'The archive is not tar, or is damaged'],
    ['gzip of gzip', () => gzipSync(gzipSync(Buffer.alloc(512))), 'The archive is packed twice'],
    ['a header with a wrong sum', () => gzipSync(tarOf([{ path: 'a' }]).fill('b', 0, 1)), 'not tar, or is damaged'],
    [
      'a file that breaks off',
      () => gzipSync(entryBytes({ path: 'a', body: 'x'.repeat(4_000) }).subarray(0, 1_024)),
      'Truncated',
    ],
    ['a header that breaks off', () => gzipSync(entryBytes({ path: 'a' }).subarray(0, 100)), 'ends within a block'],
    ['a name that escapes', () => archiveOf([{ path: '../x' }]), "The entry '../x' has `..`"],
    [
      'a long name that escapes',
      () => archiveOf([{ path: `${'a/'.repeat(60)}${'../'.repeat(61)}${'x'.repeat(200)}` }]),
      'has `..`',
    ],
    [
      'a link that escapes',
      () => archiveOf([{ path: 'a', type: 'SymbolicLink', linkpath: '../x' }]),
      "The entry 'a' is a link",
    ],
    [
      'an absolute link',
      () => archiveOf([{ path: 'a', type: 'SymbolicLink', linkpath: '/etc' }]),
      "The entry 'a' is a link",
    ],
    [
      'a hard link',
      () => archiveOf([{ path: 'a' }, { path: 'b', type: 'Link', linkpath: 'a' }]),
      "The entry 'b' is a Link",
    ],
    ['a device', () => archiveOf([{ path: 'a', type: 'CharacterDevice' }]), "The entry 'a' is a CharacterDevice"],
    ['a fifo', () => archiveOf([{ path: 'a', type: 'FIFO' }]), "The entry 'a' is a FIFO"],
    [
      'a file through a link',
      () => archiveOf([{ path: 'a', type: 'SymbolicLink', linkpath: 'b' }, { path: 'a/x' }]),
      "The entry 'a/x' lies below",
    ],
    ['a file that lies too deep', () => archiveOf([{ path: deep(64) }]), 'lies deeper than 64'],
    ['a bomb', () => gzipSync(bomb()), 'more than 200 times its size'],
  ])('upload: %s is 422, and the version stays pending', async (_name, archive, text) => {
    const { id, url } = await newPending()
    const refused = mustBe(await uploadArchive(app, url, archive()), 422)
    expect(refused.body.errors).toMatchObject([{ status: '422', detail: expect.stringContaining(text) }])
    expect(await statusOf(id)).toBe('pending')
    mustBe(await uploadArchive(app, url, small), 200)
  })

  test('upload: an archive of 100,001 entries is 422', async () => {
    const { id, url } = await newPending()
    const entries = Array.from({ length: 100_001 }, (_, index) => entryBytes({ path: `f${index}` }))
    const refused = await uploadArchive(app, url, gzipSync(Buffer.concat([...entries, Buffer.alloc(1_024)])))
    expect(mustBe(refused, 422).body.errors[0].detail).toContain('more than 100000')
    expect(await statusOf(id)).toBe('pending')
  })

  test('upload: one that announces more than 100 MiB is 413', async () => {
    const { url } = await newPending()
    mustBe(await uploadArchive(app, url, Buffer.alloc(100 * MiB + 1)), 413)
  })

  test.each<[string, () => Buffer]>([
    ['one file with a deep name', () => small],
    ['nothing', () => archiveOf([])],
    [
      'only folders',
      () =>
        archiveOf([
          { path: 'envs/', type: 'Directory' },
          { path: 'envs/prod/', type: 'Directory' },
        ]),
    ],
    ['links inside', () => archiveOf([{ path: 'a' }, { path: 'b', type: 'SymbolicLink', linkpath: 'a' }])],
    ['a long name', () => archiveOf([{ path: `${'long-name/'.repeat(20)}main.tf` }])],
    ['garbage behind its end', () => gzipSync(Buffer.concat([tarOf([{ path: 'a' }]), randomBytes(8_192)]))],
    ['one megabyte', () => archiveOf([{ path: 'a', body: randomBytes(MiB) }])],
    ['some megabytes', () => archiveOf([{ path: 'a', body: randomBytes(5 * MiB) }])],
  ])('upload: an archive of %s is taken, and comes back as it was', async (_name, made) => {
    const archive = made()
    const { id, url } = await newPending()
    mustBe(await uploadArchive(app, url, archive), 200)
    const { attributes, links } = await shownVersion(id)
    expect(attributes).toMatchObject({ status: 'uploaded', size: archive.length })
    expect(attributes.sha256).toMatch(/^[0-9a-f]{64}$/)
    expect(attributes['status-timestamps']['uploaded-at']).toBeTypeOf('string')
    expect(links.download).toBe(`${versionAt(id)}/download`)
    expect((await download(id)).equals(archive)).toBe(true)
  })

  test('upload: another one replaces the first until a run uses the version, then it is 409', async () => {
    const workspaceId = await workspaceIn(org)
    const { id, url } = await uploaded(workspaceId)
    const other = archiveOf([{ path: 'a', body: 'a' }, { path: 'b' }, { path: 'a', body: 'again' }])
    mustBe(await uploadArchive(app, url, other), 200)
    expect((await download(id)).equals(other)).toBe(true)
    expect((await shownVersion(id)).attributes['file-count']).toBe(2)
    expect(await blobsOf(workspaceId)).toHaveLength(1)
    await createRun(ann, workspaceId)
    const refused = mustBe(await uploadArchive(app, url, small), 409)
    expect(refused.body.errors[0].detail).toContain('used by a run')
    expect((await download(id)).equals(other)).toBe(true)
  })

  test('upload: of several at the same moment one whole archive stays, and nothing else is stored', async () => {
    const workspaceId = await workspaceIn(org)
    const { id, url } = await pendingVersion(workspaceId)
    const archives = [1, 2, 3].map(() => archiveOf([{ path: 'a', body: randomBytes(3 * MiB) }]))
    const sent = [...archives, ...archives]
    for (const answer of await Promise.all(sent.map((each) => uploadArchive(app, url, each)))) mustBe(answer, 200)
    const stored = await download(id)
    expect(archives.some((each) => each.equals(stored))).toBe(true)
    expect(await blobsOf(workspaceId)).toHaveLength(1)
  })

  test('archive: the current version is 409 with both texts; a former one loses its content', async () => {
    const workspaceId = await workspaceIn(org)
    const { id, url } = await uploaded(workspaceId)
    const detail = mustBe(await act(id, 'archive'), 409).body.errors[0].detail
    expect(detail).toContain('transition not allowed')
    expect(detail).toContain('configuration could not be archived because it is current')
    const { id: pending } = await pendingVersion(workspaceId)
    expect(mustBe(await act(pending, 'archive'), 409).body.errors[0].detail).toContain('transition not allowed')
    mustBe(await act(id, 'archive'), 202)
    expect(await statusOf(id)).toBe('archived')
    mustBe(await ann.get(`${versionAt(id)}/download`), 404)
    mustBe(await uploadArchive(app, url, small), 409)
    mustBe(await act(id, 'archive'), 409)
    expect(await blobsOf(workspaceId)).toEqual([])
  })

  test('archive: a version with a run that has not ended stays', async () => {
    const workspaceId = await workspaceIn(org)
    const { id } = await uploaded(workspaceId)
    await createRun(ann, workspaceId)
    await pendingVersion(workspaceId)
    expect(mustBe(await act(id, 'archive'), 409).body.errors[0].detail).toContain('a run of it has not ended')
    mustBe(await act(id, 'soft_delete_backing_data'), 400)
  })

  test('archive: at the same moment as a run of the version, one of the two is refused', async () => {
    for (let round = 0; round < 4; round++) {
      const workspaceId = await workspaceIn(org)
      const { id } = await uploaded(workspaceId)
      await pendingVersion(workspaceId)
      const [run, archived] = await Promise.all([
        ann.post('/api/v2/runs', newRun(workspaceId, {}, id)),
        act(id, 'archive'),
      ])
      expect([
        [201, 409],
        [409, 202],
        [422, 202],
      ]).toContainEqual([run.status, archived.status])
      expect(await statusOf(id)).toBe(run.status === 201 ? 'uploaded' : 'archived')
    }
  })

  test('backing data: is soft-deleted, restored and deleted for good; other steps are 400', async () => {
    const workspaceId = await workspaceIn(org)
    const { id } = await uploaded(workspaceId)
    const refuses = async (action: string) =>
      expect(mustBe(await act(id, `${action}_backing_data`), 400).body.errors[0].detail).toContain(
        'transition not allowed',
      )
    const does = async (action: string) =>
      mustBe(await act(id, `${action}_backing_data`), 200).body.data.attributes.status
    await refuses('soft_delete')
    await uploaded(workspaceId)
    await refuses('permanently_delete')
    await refuses('restore')
    expect(await does('soft_delete')).toBe('backing_data_soft_deleted')
    mustBe(await ann.get(`${versionAt(id)}/download`), 404)
    expect(await does('restore')).toBe('uploaded')
    expect((await download(id)).equals(small)).toBe(true)
    expect(await does('soft_delete')).toBe('backing_data_soft_deleted')
    expect(await does('permanently_delete')).toBe('backing_data_permanently_deleted')
    await refuses('restore')
    mustBe(await ann.get(`${versionAt(id)}/download`), 404)
    expect(await blobsOf(workspaceId)).toHaveLength(1)
  })

  test('run: its configuration can be downloaded', async () => {
    const workspaceId = await workspaceIn(org)
    await uploaded(workspaceId)
    const { id } = await createRun(ann, workspaceId)
    const { headers } = mustBe(await ann.get(`/api/v2/runs/${id}/configuration-version/download`), 302)
    mustBe(await app.anonymous.get(new URL(String(headers.location)).pathname), 200)
  })

  test('removal: content is gone with its workspace', async () => {
    const workspaceId = await workspaceIn(org)
    await uploaded(workspaceId)
    mustBe(await ann.delete(`/api/v2/workspaces/${workspaceId}`), 204)
    expect(await blobsOf(workspaceId)).toEqual([])
  })

  test('upload: 100 MiB are held in memory at no time', async () => {
    const { id, url } = await newPending()
    const size = 95 * MiB
    const noise = randomBytes(MiB)
    const header = entryBytes({ path: 'noise', body: '' })
    const source = async function* () {
      for (let sent = 0; sent < size; sent += MiB) {
        noise.writeUInt32LE(sent, 0)
        yield entryBytes({ path: `noise-${sent}`, body: noise })
      }
      yield header
      yield Buffer.alloc(1_024)
    }
    const body = Readable.from(source()).pipe(createGzip({ level: 0 }))
    let highest = 0
    const before = process.memoryUsage().rss
    const watching = setInterval(() => {
      highest = Math.max(highest, process.memoryUsage().rss - before)
    }, 20)
    const answer = await fetch(new URL(new URL(url).pathname, app.url), {
      method: 'PUT',
      headers: { 'content-type': 'application/octet-stream' },
      body: Readable.toWeb(body),
      duplex: 'half',
    })
    clearInterval(watching)
    expect(answer.status).toBe(200)
    expect((await shownVersion(id)).attributes.size).toBeGreaterThan(size)
    expect(highest).toBeLessThan(90 * MiB)
  }, 120_000)

  test('snapshots: hold archives and bring them back', async () => {
    const own = await ownApp({ engine })
    const owner = await person(own, 'ann')
    const acme = await organization(owner, 'acme')
    await enableRuns(acme)
    const made = await owner.post(
      versionsOf(await workspaceIn(acme)),
      doc('configuration-versions', { 'auto-queue-runs': false }),
    )
    const { id, attributes } = mustBe(made, 201).body.data
    const archive = archiveOf([{ path: 'a', body: randomBytes(3 * MiB) }])
    mustBe(await uploadArchive(own, attributes['upload-url'], archive), 200)
    const snapshot = await takeArchive(own.deps)
    onTestFinished(() => snapshot.remove())
    mustBe(await uploadArchive(own, attributes['upload-url'], small), 200)
    await restoreArchive(own.deps, Readable.from(snapshot.open()))
    expect((await download(id, owner, own)).equals(archive)).toBe(true)
  }, 120_000)
})
