import { Value } from 'typebox/value'
import { beforeAll, expect, test } from 'vitest'
import { type Endpoint, querySchema } from '../../server/kit/endpoint.ts'
import type { Answer } from '../support/client.ts'
import { eachEngine } from '../support/databases.ts'
import { shared, sharedApp } from '../support/shared.ts'
import { addressIn, bodyFor, fillOrganization, isGuarded, paramsOf } from '../support/two-organizations.ts'

/** The information in an answer: links repeat the caller's own query and are left out. */
const toldBy = ({ body, text }: Answer): string =>
  body === undefined ? text : JSON.stringify({ data: body.data, included: body.included, errors: body.errors })

type Shape = {
  readonly type?: string
  readonly properties?: Record<string, Shape>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

/** Where an answer differs from what its endpoint declares; undeclared attributes count too. */
function schemaProblems({ returns }: Endpoint, { body }: Answer): string[] {
  const schema = returns?.[200]
  if (!schema) return ['no schema is declared']
  const wrong = Value.Errors(schema, body).map(({ instancePath, message }) => `${instancePath} ${message}`)
  const data = (schema as Shape).properties?.data
  // Data that may be null is declared as a union.
  const shape = data?.items ?? data?.anyOf?.[0] ?? data
  const declared = shape?.properties?.attributes?.properties ?? {}
  const sent = [body.data].flat().flatMap((resource) => Object.keys(resource?.attributes ?? {}))
  const undeclared = [...new Set(sent)].filter((name) => !(name in declared)).map((name) => `${name} is not declared`)
  return [...wrong, ...undeclared]
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const alpha = shared(() => fillOrganization(app, 'alpha'))
  const beta = shared(() => fillOrganization(app, 'beta'))
  let guarded: readonly Endpoint[]

  beforeAll(async () => {
    guarded = app.app.endpoints.filter(isGuarded)
  })

  const leaks = (answer: Answer): string[] => alpha.privateWords.filter((mark) => toldBy(answer).includes(mark))

  /** The endpoints whose documents the owner of an organization can read. */
  function shownToOwners(): readonly Endpoint[] {
    // Streams of events have no end to wait for.
    const streams = ['workspace-events.of-organization', 'workspace-events.of-workspace']
    // Lists whose filter names the owner of the entries.
    const filtered = ['team-workspaces.list', 'team-projects.list', 'state-versions.list', 'vars.list-bare']
    const exceptions = new Set([...streams, ...filtered])
    // Owners of organizations have no access to what belongs to the whole site.
    const forOwners = guarded.filter(({ access }) => access.kind !== 'rule' || access.name !== 'site:admin')
    // Downloads are elsewhere, logs are no documents, and the outputs of a plan that has not ended are 204.
    return forOwners.filter(
      ({ verb, id, returns = {}, mediaType }) =>
        verb === 'GET' && !exceptions.has(id) && !(302 in returns) && !(204 in returns) && mediaType === undefined,
    )
  }

  /** Everything that the owner of the first organization can read, by route. */
  async function documents(): Promise<Record<string, string>> {
    const read: Record<string, string> = {}
    for (const endpoint of shownToOwners()) {
      const { text } = await alpha.owner.get(addressIn(endpoint, alpha))
      // Each answer has signed addresses of its own.
      read[endpoint.route] = text.replaceAll(/("(?:hosted-[a-z-]+|log-read)-url":)"[^"]*"/g, '$1""')
    }
    return read
  }

  test('every path parameter is known to this test', () => {
    const unknown = guarded.filter((endpoint) => paramsOf(endpoint).some((name) => alpha.params[name] === undefined))
    expect(unknown.map(({ route }) => route)).toEqual([])
    expect(guarded.length).toBeGreaterThan(40)
  })

  test('the owner gets 200 for every GET, and the responses match their schemas', async () => {
    for (const endpoint of shownToOwners()) {
      const answer = await alpha.owner.get(addressIn(endpoint, alpha))
      expect({ route: endpoint.route, status: answer.status }).toEqual({ route: endpoint.route, status: 200 })
      expect({ route: endpoint.route, problems: schemaProblems(endpoint, answer) }).toEqual({
        route: endpoint.route,
        problems: [],
      })
    }
  })

  test('callers of another organization get 404 for every address and no data, and change nothing', async () => {
    const before = await documents()
    for (const endpoint of guarded) {
      for (const [name, caller] of Object.entries(beta.callers)) {
        const answer = await caller.send(endpoint.verb, addressIn(endpoint, alpha), bodyFor(endpoint))
        const found = { route: endpoint.route, name, status: answer.status, leaks: leaks(answer) }
        if (paramsOf(endpoint).length === 0) expect(found.leaks).toEqual([])
        else expect(found).toEqual({ ...found, status: 404, leaks: [] })
      }
    }
    expect(await documents()).toEqual(before)
  })

  test('forbidden and missing resources get the same body', async () => {
    const missing = await beta.owner.get('/api/v2/organizations/nonexisting')
    for (const endpoint of guarded.filter((each) => paramsOf(each).length > 0)) {
      const answer = await beta.owner.send(endpoint.verb, addressIn(endpoint, alpha), bodyFor(endpoint))
      expect({ route: endpoint.route, text: answer.text }).toEqual({ route: endpoint.route, text: missing.text })
    }
  })

  test('no filter, search or include of one organization reaches into another', async () => {
    for (const endpoint of guarded.filter(({ verb }) => verb === 'GET')) {
      const address = addressIn(endpoint, beta)
      for (const [parameter, { type }] of Object.entries<Shape>(querySchema(endpoint)?.properties ?? {})) {
        // What takes no text refuses every word alike.
        for (const mark of type === 'string' ? alpha.privateWords : alpha.privateWords.slice(0, 1)) {
          const answer = await beta.owner.get(`${address}?${new URLSearchParams({ [parameter]: mark })}`)
          const errors = answer.body?.errors ? [] : leaks(answer)
          expect({ route: endpoint.route, parameter, leaks: errors }).toEqual({
            route: endpoint.route,
            parameter,
            leaks: [],
          })
        }
      }
    }
  })
})
