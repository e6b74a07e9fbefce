import { beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { isId } from '../../../../kernel/ids.ts'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))

  beforeAll(async () => {
    await organization(ann, 'acme')
  })

  const versions = async (query = '', path = '/api/v2/admin/tool-versions') => {
    const { body } = mustBe(await app.root.get(`${path}?page[size]=100&${query}`), 200)
    return body.data.map((each: { attributes: { version: string } }) => each.attributes.version)
  }

  test('catalogue: only administrators read and write it; members list the enabled versions', async () => {
    for (const path of ['/api/v2/admin/tool-versions', '/api/v2/admin/terraform-versions']) {
      mustBe(await ann.get(path), 404)
      mustBe(await ann.post(path, doc('tool-versions', { version: '9.9.9' })), 404)
    }
    const chosen = mustBe(await ann.get('/api/v2/organizations/acme/tool-versions'), 200).body.data
    expect(chosen.length).toBeGreaterThan(50)
    expect(chosen.filter(({ id }: { id: string }) => !isId('tool', id))).toEqual([])
    expect((await versions('filter[tool]=opentofu'))[0]).toBe('1.12.6')
    expect(await versions('search[version]=1.9.', '/api/v2/admin/terraform-versions')).toEqual([
      '1.9.8',
      '1.9.5',
      '1.9.0',
    ])
  })

  test('catalogue: adding, disabling and removing a release changes resolved-tool-version at once', async () => {
    const made = mustBe(
      await ann.post(
        '/api/v2/organizations/acme/workspaces',
        doc('workspaces', { name: 'w', 'tool-version': '~> 1.9' }),
      ),
      201,
    ).body.data
    const resolved = async () =>
      (await ann.get(`/api/v2/workspaces/${made.id}`)).body.data.attributes['resolved-tool-version']
    expect(await resolved()).toBe('1.12.6')
    const path = '/api/v2/admin/tool-versions'
    const added = mustBe(await app.root.post(path, doc('tool-versions', { version: '1.13.0' })), 201).body.data
    expect(added.attributes).toMatchObject({ tool: 'opentofu', official: false, enabled: true })
    expect(await resolved()).toBe('1.13.0')
    mustBe(await app.root.patch(`${path}/${added.id}`, doc('tool-versions', { enabled: false })), 200)
    expect(await resolved()).toBe('1.12.6')
    mustBe(await app.root.patch(`${path}/${added.id}`, doc('tool-versions', { enabled: true, beta: true })), 200)
    expect(await resolved()).toBe('1.12.6')
    mustBe(await app.root.delete(`${path}/${added.id}`), 204)
    mustBe(await app.root.get(`${path}/${added.id}`), 404)
  })

  test('catalogue: downloads are shown without credentials, and keep them when written as they were read', async () => {
    const path = '/api/v2/admin/tool-versions'
    const sha = 'a'.repeat(64)
    const archs = ['amd64', 'arm64'].map((arch) => ({
      url: `https://me:hunter2@mirror.example.com/${arch}`,
      sha,
      os: 'linux',
      arch,
    }))
    const made = mustBe(await app.root.post(path, doc('tool-versions', { version: '1.99.0', archs })), 201)
    const at = `${path}/${made.body.data.id}`
    const read = mustBe(await app.root.get(at), 200)
    expect(`${made.text}${read.text}`).not.toContain('hunter2')
    const { attributes } = read.body.data
    expect(attributes.url).toBe('https://me:[redacted]@mirror.example.com/amd64')
    const stored = async () => {
      const rows = app.deps.db.selectFrom('tool_versions').select(['url', 'archs']).where('version', '=', '1.99.0')
      return await rows.executeTakeFirst()
    }
    const before = await stored()
    for (const same of [{ archs: attributes.archs }, { deprecated: true }]) {
      mustBe(await app.root.patch(at, doc('tool-versions', same)), 200)
      expect(await stored()).toEqual(before)
    }
    const moved = attributes.url.replace('mirror', 'elsewhere')
    for (const [other, pointer] of [
      [{ url: moved, sha }, 'url'],
      [{ archs: [{ ...archs[0], url: moved }] }, 'archs'],
    ] as const) {
      const answer = mustBe(await app.root.patch(at, doc('tool-versions', other)), 422)
      expect(pointers(answer)).toEqual([`/data/attributes/${pointer}`])
      expect(await stored()).toEqual(before)
    }
    mustBe(await app.root.delete(at), 204)
  })

  test('catalogue: concurrent changes of a release are all kept', async () => {
    const path = '/api/v2/admin/tool-versions'
    const { id } = mustBe(await app.root.post(path, doc('tool-versions', { version: '1.13.1' })), 201).body.data
    const changes = [{ beta: true }, { deprecated: true }, { 'deprecated-reason': 'broken' }, { sha: 'ab' }]
    const change = (attributes: object) => app.root.patch(`${path}/${id}`, doc('tool-versions', attributes))
    for (const answer of await Promise.all(changes.map(change))) mustBe(answer, 200)
    const { attributes } = mustBe(await app.root.get(`${path}/${id}`), 200).body.data
    expect(attributes).toMatchObject(Object.assign({}, ...changes))
    mustBe(await app.root.delete(`${path}/${id}`), 204)
  })

  test('catalogue: a duplicate or inexact version is 422; terraform-versions knows only that tool', async () => {
    const path = '/api/v2/admin/terraform-versions'
    const body = (version: string) =>
      doc('terraform-versions', { version, url: 'https://example.com/x.zip', sha: 'ab' })
    const made = mustBe(await app.root.post(path, body('1.99.0')), 201).body.data
    expect(made).toMatchObject({ type: 'terraform-versions', attributes: { tool: 'terraform', sha: 'ab' } })
    for (const version of ['1.99.0', 'v1.2.3', '~> 1.0', '']) {
      expect(pointers(mustBe(await app.root.post(path, body(version)), 422))).toEqual(['/data/attributes/version'])
    }
    mustBe(await app.root.post(path, body('1.12.6')), 201)
    const [theirs] = mustBe(await app.root.get('/api/v2/admin/tool-versions?filter[tool]=opentofu'), 200).body.data
    mustBe(await app.root.get(`${path}/${theirs.id}`), 404)
  })

  test('catalogue: the version of a release can be corrected, but not to one that exists (422)', async () => {
    const path = '/api/v2/admin/terraform-versions'
    const body = (version: string) => doc('terraform-versions', { version })
    const { id } = mustBe(await app.root.post(path, doc('terraform-versions', { version: '1.98.0', sha: 'ab' })), 201)
      .body.data
    const put = (version: string) => app.root.patch(`${path}/${id}`, body(version))
    expect(mustBe(await put('1.98.1'), 200).body.data.attributes).toMatchObject({ version: '1.98.1', sha: 'ab' })
    mustBe(await app.root.post(path, body('1.98.0')), 201)
    for (const version of ['1.98.0', 'v1.98.2', '']) {
      expect(pointers(mustBe(await put(version), 422))).toEqual(['/data/attributes/version'])
    }
    expect(await versions('search[version]=1.98.', path)).toEqual(['1.98.1', '1.98.0'])
  })

  const [zip, sum] = [(name: string) => `https://example.com/${name}.zip`, (digit: string) => digit.repeat(64)]
  const amd64 = { url: zip('amd64'), sha: sum('a'), os: 'linux', arch: 'amd64' }
  const arm64 = { url: zip('arm64'), sha: sum('b'), os: 'linux', arch: 'arm64' }

  test('catalogue: archs lists the builds of a release; url and sha are those for linux on amd64', async () => {
    const path = '/api/v2/admin/terraform-versions'
    const body = (attributes: object) => doc('terraform-versions', attributes)
    const builds = ({ body: { data } }: { body: { data: { attributes: Record<string, unknown> } } }) => {
      const { url, sha, archs } = data.attributes
      return { url, sha, archs }
    }
    const made = mustBe(await app.root.post(path, body({ version: '1.97.0', sha: 'x', archs: [arm64, amd64] })), 201)
    expect(builds(made)).toEqual({ url: amd64.url, sha: amd64.sha, archs: [arm64, amd64] })
    const at = `${path}/${made.body.data.id}`
    expect(builds(mustBe(await app.root.get(at), 200))).toEqual(builds(made))
    const put = async (attributes: object) => builds(mustBe(await app.root.patch(at, body(attributes)), 200))
    expect(await put({ beta: true })).toEqual(builds(made))
    const [url, sha] = [zip('other'), sum('c')]
    expect(await put({ url, sha })).toEqual({ url, sha, archs: [{ ...amd64, url, sha }] })
    for (const archs of [[arm64], [{ ...arm64, arch: 's390x' }]])
      expect(await put({ archs })).toEqual({ url: null, sha: null, archs })
    expect(await put({ archs: [] })).toEqual({ url: null, sha: null, archs: [] })
    expect(await put({ url })).toEqual({ url, sha: null, archs: [] })
    expect(await put({ sha })).toEqual({ url, sha, archs: [{ ...amd64, url, sha }] })
  })

  test.each([
    [[{ ...amd64, url: 'ftp://example.com/x' }], '/0/url'],
    [[{ ...amd64, url: '' }], '/0/url'],
    [[{ ...amd64, url: 'shttp://example.com/x' }], '/0/url'],
    [[amd64, { ...arm64, sha: 'ab' }], '/1/sha'],
    [[amd64, { ...arm64, sha: `a${sum('b')}` }], '/1/sha'],
    [[{ ...amd64, os: 'plan9' }], '/0/os'],
    [[{ ...amd64, arch: 'sparc' }], '/0/arch'],
    [[{ url: amd64.url, sha: amd64.sha, os: 'linux' }], '/0/arch'],
    [[amd64, { ...amd64, sha: sum('d') }], ''],
    ['amd64', ''],
    [['amd64'], '/0'],
  ])('catalogue: archs such as %j are 422 at %s', async (archs, place) => {
    const answer = await app.root.post(
      '/api/v2/admin/tool-versions',
      doc('tool-versions', { version: '1.96.0', archs }),
    )
    expect(pointers(mustBe(answer, 422))).toEqual([`/data/attributes/archs${place}`])
  })

  test('catalogue: a stored release without archs shows the build of its url and sha', async () => {
    const path = '/api/v2/admin/tool-versions'
    const { url, sha } = amd64
    const { id } = mustBe(await app.root.post(path, doc('tool-versions', { version: '1.95.0', url, sha })), 201).body
      .data
    await app.deps.db.updateTable('tool_versions').set({ archs: null }).where('id', '=', id).execute()
    expect(mustBe(await app.root.get(`${path}/${id}`), 200).body.data.attributes.archs).toEqual([amd64])
  })

  test('catalogue: version numbers beyond 2^53 are kept and compared exactly', async () => {
    const path = '/api/v2/admin/terraform-versions'
    const [older, newer] = ['1.0.9007199254740992', '1.0.9007199254740993']
    for (const version of [newer, older]) {
      const body = doc('terraform-versions', { version, url: 'https://example.com/x.zip', sha: 'ab' })
      expect(mustBe(await app.root.post(path, body), 201).body.data.attributes.version).toBe(version)
    }
    expect(await versions('search[version]=90071992547', path)).toEqual([newer, older])
    const attributes = { name: 'long', 'tool-version': `terraform:~> 1.0, >= ${older}, < 1.1` }
    const made = await ann.post('/api/v2/organizations/acme/workspaces', doc('workspaces', attributes))
    expect(mustBe(made, 201).body.data.attributes['resolved-tool-version']).toBe(newer)
  })

  test('catalogue: starting the feature again leaves an edited catalogue unchanged', async () => {
    const before = await versions()
    const { features } = await import('../../../index.ts')
    const feature = features.find(({ name }) => name === 'workspaces')
    if (!feature?.start) throw new Error('The feature that fills the catalogue has no start.')
    await feature.start(app.deps)
    expect(await versions()).toEqual(before)
  })

  test('tool version: 1.9 alone is 422, since it could mean 1.9.0 or the newest 1.9; written out, both are taken', async () => {
    const make = (name: string, version: string) =>
      ann.post('/api/v2/organizations/acme/workspaces', doc('workspaces', { name, 'tool-version': version }))
    expect(pointers(mustBe(await make('short', '1.9'), 422))).toEqual(['/data/attributes/tool-version'])
    const resolved = async (name: string, version: string) =>
      mustBe(await make(name, version), 201).body.data.attributes['resolved-tool-version']
    expect(await resolved('exact', '1.9.0')).toBe('1.9.0')
    expect(await resolved('newest', '~> 1.9.0')).toMatch(/^1\.9\.[1-9]/)
  })
})
