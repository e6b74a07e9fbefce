import fc from 'fast-check'
import { expect, test } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { copyWorkspaces } from '../../../../../test/support/many-workspaces.ts'
import { doc, mustBe, organization, person, team } from '../../../../../test/support/platform.ts'
import { sharedApp } from '../../../../../test/support/shared.ts'
import { storeProject } from '../../../../../test/support/workspace-parts.ts'
import { randomIds } from '../../../../kernel/ids.ts'
import { inTransaction } from '../../../../storage/transaction.ts'
import { bumpVersion } from '../../../../storage/versions.ts'
import { replaceBindings } from '../tagging/tag-binding-store.ts'

/* The plain model: an array of workspaces, and filters that are predicates. */

type Made = {
  readonly name: string
  /** Those of the second project inherit `env=v1`, and the team sees them. */
  readonly project: number
  readonly tags: readonly string[]
  readonly env: string | undefined
  readonly version: string
  readonly isShared: boolean
}
type Kept = Made & { readonly id: string; readonly isLocked: boolean; readonly updated: number }

const envOf = ({ env, project }: Kept): string | undefined => env ?? (project === 1 ? 'v1' : undefined)
const hasTag = (kept: Kept, tag: string): boolean => kept.tags.includes(tag) || (tag === 'env' && !!envOf(kept))

/** A filter, as a query for these projects, or since this time, and as a predicate. */
type Filter = {
  readonly query: (projects: readonly string[], begun: number) => string
  readonly meets: (kept: Kept, begun: number) => boolean
}

const part = fc.constantFrom('a', 'b', 'net', 'NET-A', 't-b', 'zzz', '_', '-1')
const someTags = fc.uniqueArray(fc.constantFrom('red', 'blue', 'env', 'unknown'), { minLength: 1, maxLength: 2 })
const versions = fc.constantFrom('1.9.4', '1.5.7')
const filters: Readonly<Record<string, fc.Arbitrary<Filter>>> = {
  name: part.map((text) => ({
    query: () => `search[name]=${text}`,
    meets: ({ name }) => name.includes(text.toLowerCase()),
  })),
  beginning: part.map((text) => ({
    query: () => `search[wildcard-name]=${text}*`,
    meets: ({ name }) => name.startsWith(text.toLowerCase()),
  })),
  tags: someTags.map((tags) => ({
    query: () => `search[tags]=${tags}`,
    meets: (kept) => tags.every((tag) => hasTag(kept, tag)),
  })),
  excluded: someTags.map((tags) => ({
    query: () => `search[exclude-tags]=${tags}`,
    meets: (kept) => !tags.some((tag) => hasTag(kept, tag)),
  })),
  tagged: fc.constantFrom('v1', 'v2', 'v3').map((value) => ({
    query: () => `filter[tagged][0][key]=env&filter[tagged][0][value]=${value}`,
    meets: (kept) => envOf(kept) === value,
  })),
  project: fc.nat(2).map((number) => ({
    query: (projects) => `filter[project][id]=${projects[number]}`,
    meets: ({ project }) => project === number,
  })),
  locked: fc.boolean().map((is) => ({ query: () => `filter[locked]=${is}`, meets: ({ isLocked }) => isLocked === is })),
  version: versions.map((wanted) => ({
    query: () => `filter[tool-version]=${wanted}`,
    meets: ({ version }) => version === wanted,
  })),
  since: fc.nat(60_000).map((later) => ({
    query: (_, begun) => `filter[updated-since]=${new Date(begun + later).toISOString()}`,
    meets: ({ updated }, begun) => updated >= begun + later,
  })),
}

let names = 0
const made: fc.Arbitrary<Made> = fc.record({
  name: fc.constantFrom('net-a', 'net-b', 'dns-a', 'a_b').map((begin) => `${begin}-${++names}`),
  project: fc.nat(2),
  tags: fc.uniqueArray(fc.constantFrom('red', 'blue'), { maxLength: 2 }),
  env: fc.constantFrom(undefined, 'v1', 'v2'),
  version: versions,
  isShared: fc.boolean(),
})

/** What happens to a workspace between two pages, if anything; the number chooses which. */
const change = fc.record({
  kind: fc.constantFrom('create', 'delete', 'rename', 'tag', 'lock', 'version', undefined),
  at: fc.nat(),
  to: made,
})
type Change = typeof change extends fc.Arbitrary<infer C> ? C : never

const list = fc.record({
  filters: fc.subarray(Object.values(filters), { maxLength: 3 }).chain((some) => fc.tuple(...some)),
  sort: fc.constantFrom('', 'name', '-name', 'latest-change-at', '-latest-change-at'),
  size: fc.integer({ min: 3, max: 7 }),
  by: fc.constantFrom('owner', 'readers'),
  changes: fc.array(change, { maxLength: 12 }),
})
type List = typeof list extends fc.Arbitrary<infer L> ? L : never

type Listed = { readonly id: string; readonly attributes: Readonly<Record<string, string>> }

const places: Readonly<Record<string, (listed: Listed) => readonly string[]>> = {
  '': ({ id, attributes }) => [attributes['created-at'] ?? '', id],
  name: ({ attributes }) => [attributes.name ?? ''],
  'latest-change-at': ({ id, attributes }) => [
    attributes['latest-change-at'] ?? '',
    attributes['created-at'] ?? '',
    id,
  ],
}

function byPlace(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((each, index) => each !== b[index])
  return at < 0 ? 0 : (a[at] ?? '') < (b[at] ?? '') ? -1 : 1
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  let piles = 0

  /** An organization that the model knows, too. */
  const newPile = async () => {
    const mark = `${engine}-${++piles}`
    const owner = await person(app, `owner-${mark}`)
    const of = await organization(owner, `pile-${mark}`)
    const projects = [of.projectId, await storeProject(app, of, 'Heirs'), await storeProject(app, of, 'Others')]
    const target = { organizationId: of.id, projectId: projects[1] ?? '' }
    await inTransaction(app.deps.db, async (tx) => {
      await replaceBindings(tx, randomIds, target, { bindings: [{ key: 'env', value: 'v1' }], at: app.clock.now() })
    })
    const readers = await team(of, 'readers')
    const allow = async (type: 'workspace' | 'project', id: string) => {
      const to = { team: { data: { type: 'teams', id: readers.id } }, [type]: { data: { type: `${type}s`, id } } }
      mustBe(await owner.post(`/api/v2/team-${type}s`, doc(`team-${type}s`, { access: 'read' }, to)), 201)
    }
    await allow('project', target.projectId)
    const path = `/api/v2/organizations/${of.name}/workspaces`
    const kept = new Map<string, Kept>()

    const create = async (wanted: Made): Promise<string> => {
      const { name, project, tags, env, version, isShared } = wanted
      const relationships = {
        project: { data: { type: 'projects', id: projects[project] } },
        tags: { data: tags.map((tag) => ({ type: 'tags', attributes: { name: tag } })) },
        'tag-bindings': { data: env ? [{ type: 'tag-bindings', attributes: { key: 'env', value: env } }] : [] },
      }
      const answer = await owner.post(path, doc('workspaces', { name, 'tool-version': version }, relationships))
      const id: string = mustBe(answer, 201).body.data.id
      kept.set(id, { ...wanted, id, isLocked: false, updated: app.clock.now() })
      if (isShared) await allow('workspace', id)
      return id
    }

    /** Carries out a change; returns the id of the workspace it is about. */
    const apply = async ({ kind, at, to }: Change): Promise<string | undefined> => {
      app.clock.advance('1s')
      const candidates = [...kept.values()].filter(({ id }) => !id.includes('copy'))
      const found = candidates[at % candidates.length]
      if (kind === undefined || (kind !== 'create' && !found)) return undefined
      if (kind === 'create' || !found) return await create(to)
      const { id } = found
      const own = `/api/v2/workspaces/${id}`
      if (kind === 'delete') {
        if (found.isLocked) mustBe(await owner.post(`${own}/actions/unlock`), 200)
        mustBe(await owner.delete(own), 204)
        kept.delete(id)
      } else if (kind === 'lock') {
        mustBe(await owner.post(`${own}/actions/${found.isLocked ? 'unlock' : 'lock'}`), 200)
        kept.set(id, { ...found, isLocked: !found.isLocked })
      } else if (kind === 'tag') {
        const isRed = found.tags.includes('red')
        const body = { data: [{ type: 'tags', attributes: { name: 'red' } }] }
        mustBe(await (isRed ? owner.delete : owner.post)(`${own}/relationships/tags`, body), 204)
        const others = found.tags.filter((tag) => tag !== 'red')
        kept.set(id, { ...found, tags: isRed ? others : [...others, 'red'] })
      } else {
        const changed = kind === 'rename' ? { ...found, name: to.name } : { ...found, version: to.version }
        const body = doc('workspaces', { name: changed.name, 'tool-version': changed.version })
        const { attributes } = mustBe(await owner.patch(own, body), 200).body.data
        kept.set(id, { ...changed, updated: Date.parse(attributes['updated-at']) })
      }
      return id
    }
    return { path, projects, owner, readers, kept, create, apply, begun: app.clock.now() }
  }
  type Pile = Awaited<ReturnType<typeof newPile>>

  /** Reads all pages of a list, with a change before each but the first, and compares them with the model. */
  const check = async (pile: Pile, { filters: chosen, sort, size, by, changes }: List) => {
    const meets = (each: Kept): boolean =>
      (by === 'owner' || each.isShared || each.project === 1) && chosen.every((one) => one.meets(each, pile.begun))
    const query = [`sort=${sort}`, ...chosen.map((one) => one.query(pile.projects, pile.begun))].join('&')
    const caller = by === 'owner' ? pile.owner : pile.readers
    const touched = new Set<string | undefined>()
    const before = new Map(pile.kept)
    const seen: Listed[] = []
    const left = [...changes]
    for (let number: number | null = 1; number !== null; ) {
      const target: string = `${pile.path}?${query}&page[size]=${size}&page[number]=${number}`
      const { data, meta } = mustBe(await caller.get(target), 200).body
      expect(meta.pagination['total-count']).toBe([...pile.kept.values()].filter(meets).length)
      seen.push(...data)
      number = meta.pagination['next-page']
      const next = number === null ? undefined : left.shift()
      if (next) touched.add(await pile.apply(next))
    }
    const still = seen.filter(({ id }) => before.has(id) && !touched.has(id))
    const expected = [...before.values()].filter((each) => meets(each) && !touched.has(each.id))
    expect(still.map(({ id }) => id).toSorted()).toEqual(expected.map(({ id }) => id).toSorted())
    const inOrder = still.map((each) => places[sort.replace('-', '')]?.(each) ?? [])
    if (sort.startsWith('-')) inOrder.reverse()
    expect(inOrder).toEqual(inOrder.toSorted(byPlace))
  }

  /** Adds workspaces that are like one there is, and that nothing changes. */
  const addCopies = async ({ kept, create }: Pile, count: number) => {
    const like = { name: 'copied', project: 0, tags: ['blue'], env: undefined, version: '1.9.4', isShared: false }
    const id = await create(like)
    await inTransaction(app.deps.db, async (tx) => {
      await copyWorkspaces(tx, id, count)
      bumpVersion(tx, 'workspaces')
    })
    const original = kept.get(id) as Kept
    for (let n = 1; n <= count; n++)
      kept.set(`${id}-copy-${n}`, { ...original, id: `${id}-copy-${n}`, name: `ws-copy-${n}` })
  }

  // Those of a larger organization are read in threads.
  test.each([
    [0, 4],
    [1_001, 2],
  ])(
    'lists with %i copies: pages and totals are those of a plain model, whatever is written between two pages',
    async (copies, numRuns) => {
      const first = fc.array(made, { minLength: 10, maxLength: 20 })
      const lists = fc.array(list, { minLength: 2, maxLength: 4 })
      const property = fc.asyncProperty(first, lists, async (some, wanted) => {
        const pile = await newPile()
        for (const each of some) {
          app.clock.advance('1s')
          await pile.create(each)
        }
        if (copies > 0) await addCopies(pile, copies)
        for (const each of wanted) await check(pile, { ...each, size: copies > 0 ? 100 : each.size })
      })
      await fc.assert(property, { numRuns, endOnFailure: true })
    },
  )
})
