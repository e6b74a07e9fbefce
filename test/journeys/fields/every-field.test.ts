import { describe, expect, test } from 'vitest'
import { toKebab } from '../../../server/kit/jsonapi/attributes.ts'
import { poolCalls } from '../../support/agent-pools.ts'
import type { Answer, Client } from '../../support/client.ts'
import { eachEngine } from '../../support/databases.ts'
import { doc, mustBe, organization, person, pointers, workspaceIn } from '../../support/platform.ts'
import { enableRuns, runnableWorkspace } from '../../support/runs.ts'
import { shared, sharedApp } from '../../support/shared.ts'
import { allSets, type Field, isNullable, otherValue, tooMuch } from './descriptions.ts'
import { type DocumentCase, documents, type Shown, type World } from './documents.ts'

const sets = await allSets()

const fieldsOf = (names: readonly string[] = []): [string, Field][] =>
  names.flatMap((name) => Object.entries(sets.get(name)?.fields ?? {}))

test('every set of fields belongs to a document whose fields are sent round', () => {
  const known = documents.flatMap(({ changed, created = [], noted, internal = [] }) =>
    [changed, created, noted, internal].flat(),
  )
  expect([...sets.keys()].sort()).toEqual(known.sort())
})

/** A field of a document, and what is done with it. */
type RoundTrip = { readonly kind: DocumentCase; readonly world: World; readonly name: string; readonly field: Field }

const particularOf = ({ kind, name }: RoundTrip) => kind.particular?.[name] ?? {}

const shownIn = (trip: RoundTrip, resource: Shown): unknown =>
  (particularOf(trip).shown ?? (({ attributes }: Shown) => attributes[toKebab(trip.name)]))(resource)

const resourceOf = (answer: Answer): Shown => answer.body.data

async function create({ kind, world }: Pick<RoundTrip, 'kind' | 'world'>, attributes: object = {}): Promise<Shown> {
  const document = doc(kind.type, { ...kind.base(world), ...attributes }, kind.relationships?.(world))
  return resourceOf(mustBe(await world.owner.post(kind.makeAt ?? kind.collection(world), document), 201))
}

const change = async ({ kind }: RoundTrip, by: Client, resource: Shown, attributes: object): Promise<Answer> =>
  by.patch(kind.address(resource), doc(kind.type, attributes))

/** The same document in a read of its own, and in the list. */
async function expectShown(trip: RoundTrip, by: Client, resource: Shown, value: unknown): Promise<void> {
  const { kind, world } = trip
  expect(shownIn(trip, resource)).toEqual(value)
  expect(shownIn(trip, resourceOf(mustBe(await by.get(kind.address(resource)), 200)))).toEqual(value)
  const list = mustBe(await by.get(`${kind.collection(world)}?page[size]=100`), 200).body.data as Shown[]
  const listed = list.find(({ id }) => id === resource.id)
  expect(listed && shownIn(trip, listed)).toEqual(value)
}

type Change = { readonly id: string; readonly attributes: { readonly before: object | null } }

/** The newest entry of the change log that names the field says what the field was and is; returns its id. */
async function expectRecorded(
  trip: RoundTrip,
  by: Client,
  resource: Shown,
  [before, after]: [unknown, unknown],
): Promise<string> {
  const { logged = {} } = particularOf(trip)
  const spelled = (value: unknown) => (typeof value === 'string' && logged[value]) || value
  const key = toKebab(trip.name)
  const changes: Change[] = mustBe(await by.get(trip.kind.history(trip.world, resource)), 200).body.data
  const newest = changes.find(({ attributes }) => attributes.before && Object.hasOwn(attributes.before, key))
  expect(newest?.attributes).toMatchObject({ before: { [key]: spelled(before) }, after: { [key]: spelled(after) } })
  return newest?.id ?? ''
}

/** What cannot be stored is refused at the field, and changes nothing. */
async function expectRefused(trip: RoundTrip, by: Client, resource: Shown, value: unknown): Promise<void> {
  const before = shownIn(trip, resource)
  const refused = mustBe(await change(trip, by, resource, { [toKebab(trip.name)]: value }), 422)
  const pointer = `/data/attributes/${toKebab(trip.name)}`
  expect(pointers(refused).some((each) => each.startsWith(pointer))).toBe(true)
  expect(shownIn(trip, resourceOf(mustBe(await by.get(trip.kind.address(resource)), 200)))).toEqual(before)
}

/** Sends a value, lets it be, sets it back, undoes that, sends null and too much. */
async function sendRound(trip: RoundTrip): Promise<void> {
  const { kind, world, name, field } = trip
  const { value, with: companions = {}, without = {}, stays, caller } = particularOf(trip)
  const key = toKebab(name)
  const first = await create(trip)
  const initial = shownIn(trip, first)
  const sent = value ? await value(world, first) : otherValue(field, initial)
  if (sent === undefined) return await expectShown(trip, world.owner, await create(trip, { [key]: initial }), initial)
  const made = caller ? first : await create(trip, { ...companions, [key]: sent })
  const by = caller ? await caller(world, made) : world.owner
  if (caller) mustBe(await change(trip, by, made, { ...companions, [key]: sent }), 200)
  const latest = resourceOf(mustBe(await by.get(kind.address(made)), 200))
  await expectShown(trip, by, latest, sent)
  const kept = resourceOf(mustBe(await change(trip, by, latest, {}), 200))
  await expectShown(trip, by, kept, sent)
  const excess = tooMuch(field)
  if (excess !== undefined) await expectRefused(trip, by, kept, excess)
  if (!isNullable(field)) await expectRefused(trip, by, kept, null)
  if (stays) return
  const own = kind.base(world)[key] ?? initial
  const back = resourceOf(mustBe(await change(trip, by, kept, { ...without, [key]: own }), 200))
  await expectShown(trip, by, back, own)
  const changeId = await expectRecorded(trip, by, back, [sent, own])
  if (kind.undo) {
    await expectShown(trip, by, resourceOf(mustBe(await by.post(kind.undo(back, changeId), {}), 200)), sent)
  }
  if (!isNullable(field)) return
  const cleared = resourceOf(mustBe(await change(trip, by, back, { ...without, [key]: null }), 200))
  await expectShown(trip, by, cleared, initial)
}

eachEngine((engine) => {
  const app = sharedApp({ engine, settings: { edition: 'hosted' } })
  const world = shared(async (): Promise<World> => {
    const owner = await person(app, 'ann')
    const made = await organization(owner, 'home')
    await enableRuns(made)
    const { id: poolId } = await poolCalls(owner, made).create()
    let count = 0
    return {
      owner,
      organization: made,
      workspaceId: await workspaceIn(made),
      poolId,
      runnableId: await runnableWorkspace(app, made),
      fresh: () => `trip-${++count}`,
    }
  })

  for (const kind of documents) {
    describe(`fields of ${kind.type} (${kind.noted[0]})`, () => {
      test.each(fieldsOf(kind.changed))('%s: is stored, shown, kept, recorded and set back', async (name, field) => {
        await sendRound({ kind, world, name, field })
      })

      test.each(fieldsOf(kind.created))('%s: is sent once, and shown from then on', async (name, field) => {
        const trip = { kind, world, name, field }
        const first = await create(trip)
        const value = (await particularOf(trip).value?.(world, first)) ?? otherValue(field, shownIn(trip, first))
        await expectShown(trip, world.owner, await create(trip, { [toKebab(name)]: value }), value)
      })

      test('what the server notes is shown as far as the description says so', async () => {
        const made = await create({ kind, world })
        const { attributes } = kind.found ? await kind.found(world, made) : made
        const isShown = (name: string) => Object.hasOwn(attributes, toKebab(name))
        for (const [name, { shown }] of fieldsOf(kind.noted)) expect(isShown(name), name).toBe(shown !== undefined)
        for (const [name] of fieldsOf(kind.internal)) expect(isShown(name), name).toBe(false)
      })
    })
  }
})
