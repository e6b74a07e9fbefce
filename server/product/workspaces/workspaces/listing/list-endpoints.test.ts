import { beforeAll, describe, expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { doc, mustBe, organization, type Person, person, team } from '../../../../../test/support/platform.ts'
import { shared, sharedApp } from '../../../../../test/support/shared.ts'
import { storeProject } from '../../../../../test/support/workspace-parts.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { replaceBindings } from '../tagging/tag-binding-store.ts'

type Pairs = Readonly<Record<string, string>>
type Made = { name: string; project?: string; tags?: string[]; bindings?: Pairs }

type LinkedToProject = { readonly relationships: { readonly project: { readonly data: { readonly id: string } } } }

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const ann = shared(() => person(app, 'ann'))
  const acme = shared(() => organization(ann, 'acme'))
  let core: string
  let edge: string

  const path = '/api/v2/organizations/acme/workspaces'

  const make = async (by: Person, of: string, { name, project, tags = [], bindings = {} }: Made) => {
    const relationships = {
      ...(project ? { project: { data: { type: 'projects', id: project } } } : {}),
      tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: tag } })) },
      'tag-bindings': {
        data: Object.entries(bindings).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } })),
      },
    }
    app.clock.advance('1s')
    const answer = await by.post(`/api/v2/organizations/${of}/workspaces`, doc('workspaces', { name }, relationships))
    return mustBe(answer, 201).body.data.id as string
  }

  beforeAll(async () => {
    core = await storeProject(app, acme, 'Core')
    edge = await storeProject(app, acme, 'Edge')
    await inTransaction(app.deps.db, async (tx) => {
      const bindings = [
        { key: 'stage', value: 'prod' },
        { key: 'owner', value: 'core' },
      ]
      const target = { organizationId: acme.id, projectId: core }
      await replaceBindings(tx, randomIds, target, { bindings, at: app.clock.now() })
    })
    await make(ann, 'acme', { name: 'network-prod', tags: ['net', 'eu'], bindings: { stage: 'prod' } })
    await make(ann, 'acme', { name: 'network-dev', tags: ['net'], bindings: { stage: 'dev', cost: 'x' } })
    await make(ann, 'acme', { name: 'DNS-prod', project: core, tags: ['eu'] })
    await make(ann, 'acme', { name: 'dns_dev', project: core, bindings: { stage: 'dev' } })
    await make(ann, 'acme', { name: 'cdn', project: edge, tags: ['x:y'], bindings: { cost: 'x', owner: 'edge' } })
  })

  const names = async (query: string, by: Pick<Person, 'get'> = ann): Promise<string[]> => {
    const { body } = mustBe(await by.get(`${path}?${query}`), 200)
    const found = body.data.map((each: { attributes: { name: string } }) => each.attributes.name)
    expect(body.meta.pagination['total-count']).toBe(found.length)
    return found
  }
  const all = ['network-prod', 'network-dev', 'DNS-prod', 'dns_dev', 'cdn']

  test.each([
    ['', all],
    ['search[name]=NET', ['network-prod', 'network-dev']],
    ['search[name]=s_d', ['dns_dev']],
    ['search[name]=%25', []],
    ['search[name]=', all],
    ['search[name]=nonexisting', []],
    ['search[wildcard-name]=*-PROD', ['network-prod', 'DNS-prod']],
    ['search[wildcard-name]=dns*', ['DNS-prod', 'dns_dev']],
    ['search[wildcard-name]=*n*', all],
    ['search[wildcard-name]=*', all],
    ['search[wildcard-name]=dns', []],
    ['search[wildcard-name]=c*n', []],
    ['search[wildcard_name]=cdn', ['cdn']],
    ['search[tags]=net', ['network-prod', 'network-dev']],
    ['search[tags]=NET,%20eu,,', ['network-prod']],
    ['search[tags]=x:y', ['cdn']],
    ['search[tags]=stage', ['network-prod', 'network-dev', 'DNS-prod', 'dns_dev']],
    ['search[tags]=stage,eu', ['network-prod', 'DNS-prod']],
    ['search[tags]=Stage', []],
    ['search[exclude-tags]=net', ['DNS-prod', 'dns_dev', 'cdn']],
    ['search[exclude_tags]=eu,cost', ['dns_dev']],
    ['search[exclude-tags]=owner', ['network-prod', 'network-dev']],
    ['filter[tagged][0][key]=stage&filter[tagged][0][value]=', ['network-prod', 'network-dev', 'DNS-prod', 'dns_dev']],
    ['filter[tagged][0][key]=stage&filter[tagged][0][value]=prod', ['network-prod', 'DNS-prod']],
    ['filter[tagged][0][key]=stage&filter[tagged][0][value]=dev', ['network-dev', 'dns_dev']],
    ['filter[tagged][7][key]=owner&filter[tagged][7][value]=core', ['DNS-prod', 'dns_dev']],
    ['filter[tagged][0][value]=x', ['network-dev', 'cdn']],
    ['filter[tagged][0][key]=&filter[tagged][0][value]=', all],
    ['filter[tagged][0][key]=stage&filter[tagged][0][value]=dev&filter[tagged][3][key]=owner', ['dns_dev']],
    ['filter%5Btagged%5D%5B0%5D%5Bkey%5D=cost&search%5Bname%5D=net', ['network-dev']],
    ['filter[current-run][status]=applied,planned', []],
    ['nonsense=1&filter[unknown]=2', all],
    ['sort=name', ['DNS-prod', 'cdn', 'dns_dev', 'network-dev', 'network-prod']],
    ['sort=-name', ['network-prod', 'network-dev', 'dns_dev', 'cdn', 'DNS-prod']],
    ['sort=latest-change-at', all],
    ['sort=-latest-change-at', [...all].reverse()],
    ['sort=current-run.created-at', all],
    ['sort=-current-run.created-at', all],
    ['search[name]=dns&search[exclude-tags]=eu&filter[tagged][0][key]=owner&sort=-name', ['dns_dev']],
  ])('list: the query "%s" finds the expected workspaces', async (query, expected) => {
    expect(await names(query)).toEqual(expected)
  })

  test('list: filters by project; an unknown project gives an empty list', async () => {
    expect(await names(`filter[project][id]=${core}`)).toEqual(['DNS-prod', 'dns_dev'])
    expect(await names(`filter[project][id]=${core}&search[name]=prod`)).toEqual(['DNS-prod'])
    expect(await names('filter[project][id]=prj-nonsense')).toEqual([])
  })

  test.each([
    ['sort=created-at', 'sort'],
    ['include=nonsense', 'include'],
    ['filter[tagged][x][key]=a', 'filter[tagged][x][key]'],
    ['search[name]=%zz', 'search[name]'],
    ['search[name]=%ff', 'search[name]'],
  ])('list: %s is 400 and names its parameter', async (query, parameter) => {
    const answer = mustBe(await ann.get(`${path}?${query}`), 400)
    expect(answer.body.errors[0].source).toEqual({ parameter })
  })

  test('include: an unknown value is 400 "Invalid include parameter", for list and show', async () => {
    for (const address of [path, `${path}/cdn`]) {
      const answer = mustBe(await ann.get(`${address}?include=organization,nonsense`), 400)
      expect(answer.body.errors[0].detail).toMatch(/Invalid include parameter$/)
    }
  })

  describe('pages', () => {
    const page = async (query: string) => {
      const { body } = mustBe(await ann.get(`${path}?${query}`), 200)
      return { names: body.data.map((each: { attributes: { name: string } }) => each.attributes.name), ...body }
    }

    test('a page has its number, the totals and links to the other pages', async () => {
      const { names: found, meta, links } = await page('page[size]=2&page[number]=2&search[name]=n&sort=name')
      expect(found).toEqual(['dns_dev', 'network-dev'])
      expect(meta.pagination).toEqual({
        'current-page': 2,
        'page-size': 2,
        'prev-page': 1,
        'next-page': 3,
        'total-pages': 3,
        'total-count': 5,
      })
      const link = (number: number) =>
        `${app.url}${path}?page%5Bnumber%5D=${number}&page%5Bsize%5D=2&search%5Bname%5D=n&sort=name`
      expect(links).toEqual({ self: link(2), first: link(1), prev: link(1), next: link(3), last: link(3) })
    })

    test.each([
      ['page[size]=0', 20, 1],
      ['page[size]=-1', 20, 1],
      ['page[size]=101', 100, 1],
      ['page[number]=0', 20, 1],
    ])('%s: a number that is not allowed becomes the default or the nearest allowed', async (query, size, number) => {
      const { meta, names: found } = await page(query)
      expect([meta.pagination['page-size'], meta.pagination['current-page'], found.length]).toEqual([size, number, 5])
    })

    test.each(['page[size]', 'page[number]'])('%s: no whole number is 400', async (parameter) => {
      const { body } = mustBe(await ann.get(`${path}?${parameter}=abc`), 400)
      expect(body.errors[0].source).toEqual({ parameter })
    })

    test('a page beyond the end is empty, has the real total and no next or prev link', async () => {
      const { names: found, meta, links } = await page('page[number]=999&page[size]=100')
      expect(found).toEqual([])
      expect(meta.pagination).toMatchObject({
        'current-page': 999,
        'total-count': 5,
        'next-page': null,
        'prev-page': null,
      })
      expect([links.next, links.prev]).toEqual([null, null])
      mustBe(await ann.get(`${path}?page[number]=9007199254740991`), 200)
    })
  })

  test('list: up to 100 tags and 50 bindings can be searched for; one more is 400', async () => {
    const tags = Array.from({ length: 101 }, (_, index) => `t${index}`)
    for (const name of ['search[tags]', 'search[exclude-tags]']) {
      mustBe(await ann.get(`${path}?${name}=${tags.slice(1)}`), 200)
      expect(mustBe(await ann.get(`${path}?${name}=${tags}`), 400).body.errors[0].source).toEqual({ parameter: name })
    }
    const bindings = tags.slice(50).map((key, index) => `filter[tagged][${index}][key]=${key}`)
    mustBe(await ann.get(`${path}?${bindings.slice(1).join('&')}`), 200)
    const { errors } = mustBe(await ann.get(`${path}?${bindings.join('&')}`), 400).body
    expect(errors[0].source).toEqual({ parameter: 'filter[tagged]' })
  })

  test('paging while workspaces are created and deleted: untouched workspaces appear exactly once', async () => {
    const busy = await organization(ann, 'busy')
    const at = `/api/v2/organizations/${busy.name}/workspaces`
    const ids = new Map<string, string>()
    for (let index = 0; index < 30; index++) {
      const name = `w${String(index).padStart(2, '0')}`
      ids.set(name, await make(ann, 'busy', { name }))
    }
    for (const sort of ['', '&sort=name', '&sort=-name']) {
      const seen: string[] = []
      for (let number = 1, pages = 1; number <= pages; number++) {
        const { body } = mustBe(await ann.get(`${at}?page[size]=4&page[number]=${number}${sort}`), 200)
        seen.push(...body.data.map((each: { attributes: { name: string } }) => each.attributes.name))
        pages = body.meta.pagination['total-pages']
        const [gone] = [...ids.keys()].filter((name) => seen.includes(name) && ids.has(name))
        if (gone) {
          mustBe(await ann.delete(`/api/v2/workspaces/${ids.get(gone)}`), 204)
          ids.delete(gone)
        }
        await make(ann, 'busy', { name: `a${sort.length}-${number}` })
      }
      expect(seen).toEqual([...new Set(seen)])
      expect([...ids.keys()].filter((name) => !seen.includes(name))).toEqual([])
    }
    const total = (await ann.get(`${at}?page[size]=1`)).body.meta.pagination['total-count']
    const stored = await app.deps.db
      .selectFrom('workspaces')
      .select('id')
      .where('organization_id', '=', busy.id)
      .execute()
    expect(total).toBe(stored.length)
  })

  test.each(['search[name]=w', 'search[name]=w&sort=-name', 'search[wildcard-name]=*w*', 'search[exclude-tags]=x'])(
    'paging with %s: after deletions between pages no workspace is missing or repeated',
    async (query) => {
      const { name: calm } = await organization(ann, `calm-${app.deps.ids.hex(8)}`)
      const ids: string[] = []
      for (let index = 0; index < 15; index++) ids.push(await make(ann, calm, { name: `w${10 + index}` }))
      const page = async (number: number): Promise<string[]> => {
        const at = `/api/v2/organizations/${calm}/workspaces?${query}&page[size]=3&page[number]=${number}`
        return mustBe(await ann.get(at), 200).body.data.map(({ id }: { id: string }) => id)
      }
      const seen = [...(await page(1)), ...(await page(2))]
      mustBe(await ann.delete(`/api/v2/workspaces/${seen[1]}`), 204)
      seen.push(...(await page(3)), ...(await page(4)))
      mustBe(await ann.delete(`/api/v2/workspaces/${seen.at(-1)}`), 204)
      seen.push(...(await page(5)))
      expect(seen.toSorted()).toEqual(ids.toSorted())
      expect(await page(1)).toHaveLength(3)
    },
  )

  test('permission filter: totals and pages contain only workspaces the caller can see', async () => {
    const some = await team(acme, 'some')
    expect(await names('', some)).toEqual([])
    const cdn = (await ann.get(`${path}/cdn`)).body.data.id as string
    const access = { access: 'read', runs: 'read', variables: 'read', state_versions: 'read', sentinel_mocks: 'none' }
    await inTransaction(app.deps.db, async (tx) => {
      await tx
        .insertInto('team_workspace_access')
        .values({
          id: 'tws-1',
          team_id: some.id,
          workspace_id: cdn,
          ...access,
          workspace_locking: 0,
          run_tasks: 0,
          policy_overrides: 0,
        })
        .execute()
      bumpVersion(tx, 'permissions')
    })
    expect(await names('', some)).toEqual(['cdn'])
    await inTransaction(app.deps.db, async (tx) => {
      const none = {
        workspace_locking: 0,
        run_tasks: 0,
        policy_overrides: 0,
        workspace_create: 0,
        workspace_delete: 0,
        workspace_move: 0,
      }
      await tx
        .insertInto('team_project_access')
        .values({
          id: 'tprj-1',
          team_id: some.id,
          project_id: core,
          project_settings: 'read',
          project_teams: 'none',
          project_variable_sets: 'none',
          ...access,
          ...none,
        })
        .execute()
      bumpVersion(tx, 'permissions')
    })
    expect(await names('', some)).toEqual(['DNS-prod', 'dns_dev', 'cdn'])
    expect(await names('search[name]=n&sort=-name', some)).toEqual(['dns_dev', 'cdn', 'DNS-prod'])
    expect(await names('filter[tagged][0][key]=stage', some)).toEqual(['DNS-prod', 'dns_dev'])
    expect(await names(`filter[project][id]=${acme.projectId}`, some)).toEqual([])
    const listed = mustBe(await some.get(path), 200).body.data
    for (const each of listed) {
      expect(each).toEqual(mustBe(await some.get(`/api/v2/workspaces/${each.id}`), 200).body.data)
      expect(each.attributes.permissions['can-update']).toBe(false)
    }
  })

  describe('include', () => {
    test('organization, project and effective bindings are included once; runs and the like add nothing', async () => {
      const include =
        'organization,project,effective-tag-bindings,current_run,current-run.plan,current_configuration_version.ingress_attributes,readme,outputs,locked_by,vars'
      const { body } = mustBe(await ann.get(`${path}?include=${include}&filter[project][id]=${core}`), 200)
      const types = body.included.map((each: { type: string }) => each.type)
      expect(types.filter((type: string) => type === 'organizations')).toHaveLength(1)
      expect(types.filter((type: string) => type === 'projects')).toHaveLength(1)
      expect(body.included[0].attributes.email).toBe('ann@example.com')
      const project = body.included.find((each: { type: string }) => each.type === 'projects')
      expect(project).toMatchObject({ id: core, attributes: { name: 'Core', 'workspace-count': 2 } })
      const [prod, dev] = body.data.map((each: { relationships: Record<string, { data: { id: string }[] }> }) =>
        each.relationships['effective-tag-bindings']?.data.map(({ id }) =>
          body.included.find((resource: { id: string }) => resource.id === id),
        ),
      )
      expect(prod.map((each: { attributes: object }) => each.attributes)).toEqual([
        { key: 'stage', value: 'prod' },
        { key: 'owner', value: 'core' },
      ])
      expect(prod.every((each: { links?: object }) => each.links !== undefined)).toBe(true)
      expect(dev[0].attributes).toEqual({ key: 'stage', value: 'dev' })
      expect([dev[0].links, dev[0].relationships]).toEqual([undefined, undefined])
      expect(dev[1].relationships['inherited-from'].links.related).toBe(`/api/v2/projects/${core}`)
    })

    test('included resources stand in the order in which the list refers to them', async () => {
      for (const sort of ['name', '-name']) {
        const { body } = mustBe(await ann.get(`${path}?include=project&sort=${sort}`), 200)
        const referred = body.data.map((each: LinkedToProject) => each.relationships.project.data.id)
        expect(body.included.map(({ id }: { id: string }) => id)).toEqual([...new Set(referred)])
      }
    })

    test('an empty list includes nothing', async () => {
      const { body } = mustBe(await ann.get(`${path}?include=organization,project&search[name]=nowhere`), 200)
      expect([body.data, body.included]).toEqual([[], []])
    })

    test('show takes the same include values; sparse fields leave out the rest', async () => {
      const shown = mustBe(await ann.get(`${path}/cdn?include=project&fields[workspaces]=name,project`), 200).body
      expect(shown.data.attributes).toEqual({ name: 'cdn' })
      expect(Object.keys(shown.data.relationships)).toEqual(['project'])
      expect(shown.included).toMatchObject([{ type: 'projects', id: edge }])
    })
  })
})
