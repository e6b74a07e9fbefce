import { expect, test } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { doc, mustBe, organization, person, pointers, team, workspaceIn } from '../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../test/support/shared.ts'

const made = (attributes: object = {}) => doc('configuration-versions', attributes)

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const org = shared(() => organization(ann, 'acme'))

  const newWorkspace = async () => {
    const id = await workspaceIn(org)
    const at = `/api/v2/workspaces/${id}`
    const current = async () =>
      mustBe(await ann.get(at), 200).body.data.relationships['current-configuration-version'].data?.id ?? null
    return { id, at, versions: `${at}/configuration-versions`, current }
  }

  test('readers and strangers get 404 for a new version, and nothing is made', async () => {
    const { versions } = await newWorkspace()
    const readers = await team(org, 'readers', { 'organization-access': { 'read-workspaces': true } })
    const eve = await person(app, 'eve')
    for (const caller of [readers, eve]) mustBe(await caller.post(versions, made()), 404)
    mustBe(await eve.get(versions), 404)
    expect(mustBe(await readers.get(versions), 200).body.meta.pagination['total-count']).toBe(0)
  })

  test('while remote execution is off, a new version is 422 and says who can set it on', async () => {
    const other = await organization(ann, 'without-runs')
    const disabled = doc('organizations', { 'remote-execution-enabled': false })
    mustBe(await ann.patch('/api/v2/organizations/without-runs', disabled), 200)
    const id = await workspaceIn(other)
    const refused = mustBe(await ann.post(`/api/v2/workspaces/${id}/configuration-versions`, made()), 422)
    expect(refused.body.errors).toMatchObject([
      {
        detail: expect.stringContaining('Remote execution is off for this organization'),
        source: { pointer: '/data' },
      },
    ])
  })

  test('attributes of another type are 422 at the attribute', async () => {
    const { versions } = await newWorkspace()
    const refused = mustBe(await ann.post(versions, made({ speculative: 'yes', provisional: null })), 422)
    expect(pointers(refused)).toEqual(['/data/attributes/provisional', '/data/attributes/speculative'])
  })

  test('a new version is shown and listed as it was made, newest first', async () => {
    const { versions, id } = await newWorkspace()
    const first = mustBe(await ann.post(versions, made()), 201).body.data
    expect(first).toMatchObject({
      attributes: {
        'auto-queue-runs': true,
        speculative: false,
        provisional: false,
        source: 'tfe-api',
        status: 'pending',
        error: null,
        'changed-files': [],
        size: null,
      },
      relationships: { 'ingress-attributes': { data: null }, workspace: { data: { id } } },
    })
    const second = mustBe(await ann.post(versions, made({ speculative: true })), 201).body.data
    for (const { attributes } of [first, second]) {
      expect(attributes['upload-url']).toMatch(/^http/)
      delete attributes['upload-url']
    }
    for (const each of [first, second]) {
      const path = `/api/v2/configuration-versions/${each.id}?include=ingress-attributes`
      expect(mustBe(await ann.get(path), 200).body.data).toEqual(each)
    }
    const listed = mustBe(await ann.get(versions), 200).body
    expect(listed.data).toEqual([second, first])
    expect(listed.meta.pagination['total-count']).toBe(2)
    const beyond = mustBe(await ann.get(`${versions}?page[number]=999`), 200).body
    expect([beyond.data, beyond.meta.pagination['current-page']]).toEqual([[], 999])
  })

  test('the source of a version sent by a command line says so', async () => {
    const { versions } = await newWorkspace()
    const headers = { 'X-Terraform-Integration': 'cloud' }
    expect(mustBe(await ann.post(versions, made(), { headers }), 201).body.data.attributes.source).toBe('terraform')
  })

  test('a version is the current one at once, unless it is speculative or provisional', async () => {
    const { at, versions, current } = await newWorkspace()
    expect(await current()).toBeNull()
    const { id } = mustBe(await ann.post(versions, made()), 201).body.data
    expect(await current()).toBe(id)
    for (const kind of ['speculative', 'provisional']) mustBe(await ann.post(versions, made({ [kind]: true })), 201)
    expect(await current()).toBe(id)
    const included = mustBe(await ann.get(`${at}?include=current_configuration_version`), 200).body.included
    expect(included).toMatchObject([{ type: 'configuration-versions', id }])
  })

  test('versions that are made at the same moment have places of their own', async () => {
    const { versions } = await newWorkspace()
    const answers = await Promise.all(Array.from({ length: 8 }, () => ann.post(versions, made())))
    const ids = answers.map((answer) => mustBe(answer, 201).body.data.id)
    const listed = mustBe(await ann.get(versions), 200).body.data.map(({ id }: { id: string }) => id)
    expect(listed.sort()).toEqual(ids.sort())
  })

  test('versions are gone with their workspace', async () => {
    const { at, versions } = await newWorkspace()
    const { id } = mustBe(await ann.post(versions, made()), 201).body.data
    mustBe(await ann.delete(at), 204)
    mustBe(await ann.get(`/api/v2/configuration-versions/${id}`), 404)
  })
})
