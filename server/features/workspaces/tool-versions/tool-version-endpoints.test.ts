import { afterAll, beforeAll, expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, type Person, person, pointers } from '../../../../test/support/platform.ts'
import { type TestApp, testApp } from '../../../../test/support/test-app.ts'
import { isId } from '../../../kernel/ids.ts'

eachEngine((engine) => {
  let app: TestApp
  let ann: Person

  beforeAll(async () => {
    app = await testApp({ engine })
    ann = await person(app, 'ann')
    await organization(ann, 'acme')
  })

  afterAll(() => app.close())

  const versions = async (query = '', path = '/api/v2/admin/tool-versions') => {
    const { body } = mustBe(await app.root.get(`${path}?page[size]=100&${query}`), 200)
    return body.data.map((each: { attributes: { version: string } }) => each.attributes.version)
  }

  test('catalogue: administrators only; members choose from what is enabled', async () => {
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

  test('catalogue: a release that is added, switched off or removed counts at once', async () => {
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

  test('catalogue: what several change about a release at the same moment is all there', async () => {
    const path = '/api/v2/admin/tool-versions'
    const { id } = mustBe(await app.root.post(path, doc('tool-versions', { version: '1.13.1' })), 201).body.data
    const changes = [{ beta: true }, { deprecated: true }, { 'deprecated-reason': 'broken' }, { sha: 'ab' }]
    const change = (attributes: object) => app.root.patch(`${path}/${id}`, doc('tool-versions', attributes))
    for (const answer of await Promise.all(changes.map(change))) mustBe(answer, 200)
    const { attributes } = mustBe(await app.root.get(`${path}/${id}`), 200).body.data
    expect(attributes).toMatchObject(Object.assign({}, ...changes))
    mustBe(await app.root.delete(`${path}/${id}`), 204)
  })

  test('catalogue: no release twice, none that is not exact; the other address has one tool', async () => {
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

  test('catalogue: the version of a release can be put right, but not to that of another', async () => {
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

  test('catalogue: a number of a version may be as long as clients make it', async () => {
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

  test('catalogue: an edited one is left alone by the next start', async () => {
    const before = await versions()
    const { features } = await import('../../index.ts')
    const feature = features.find(({ name }) => name === 'workspaces')
    await feature?.start?.(app.deps)
    expect(await versions()).toEqual(before)
  })
})
