import { readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { silentNames } from '../../server/compat/silent-names.ts'
import type { Endpoint } from '../../server/kit/endpoint.ts'
import { warningsOfUnknown } from '../../server/kit/jsonapi/unknown-names.ts'
import { eachEngine } from '../support/databases.ts'
import { doc, mustBe } from '../support/platform.ts'
import { shared, sharedApp } from '../support/shared.ts'
import { type FilledOrganization, fillOrganization } from '../support/two-organizations.ts'

type Told = { readonly status: number; readonly warning: string; readonly text: string }

/** What each verb sends. Nothing in it is known, so that hardly anything is changed. */
function bodyFor({ body }: Endpoint): object | undefined {
  if (body?.kind !== 'json') return undefined
  const data = (body.schema as { properties?: { data?: { items?: object } } }).properties?.data
  const resource = { type: 'things', attributes: { astonishing: 1 }, astonishing: 1 }
  return { data: data?.items ? [resource] : resource }
}

/** What exists in the hosted edition alone. */
const isHosted = ({ id }: Endpoint): boolean => ['feature-sets.list', 'organizations.subscribe'].includes(id)

/** Reads no more than the head of an answer: a stream of events has no end. */
function headOf(url: string, token: string): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { authorization: `Bearer ${token}` }, agent: false }, (incoming) => {
      resolve({ status: incoming.statusCode ?? 0, warning: String(incoming.headers.warning), text: '' })
      incoming.destroy()
    })
    sent.on('error', reject)
    sent.end()
  })
}

/**
 * What published clients sent to an endpoint while their own tests ran (go-tfe 1.109, terraform-provider-tfe 0.80) or
 * ours (terraform 1.11, tofu 1.12): names, and of the values only those that are no text and no number. What the clients'
 * tests asked for by name, although it does not exist here, is to be told.
 */
type ClientRequest = {
  readonly client: string
  readonly route: string
  readonly parameters?: readonly string[]
  readonly document?: Readonly<Record<string, unknown>>
  readonly told?: readonly string[]
}

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const hosted = sharedApp({ engine, settings: { edition: 'hosted' } })
  const alpha = shared(() => fillOrganization(app, 'alpha'))
  let endpoints: readonly Endpoint[]
  let rounds = 0

  beforeAll(async () => {
    endpoints = app.app.endpoints.filter(({ api }) => api === 'api/v2')
    expect(endpoints.length).toBeGreaterThan(170)
  })

  /** What may change things has an organization of its own. */
  const organizationFor = (endpoint: Endpoint): Promise<FilledOrganization> | FilledOrganization => {
    if (endpoint.verb === 'GET' || endpoint.body?.kind === 'json') return alpha
    rounds += 1
    return fillOrganization(app, `round-${rounds}`)
  }

  async function send(endpoint: Endpoint, query: string): Promise<Told> {
    const filled = await organizationFor(endpoint)
    const path = endpoint.path.replace(/[:*](\w+)/g, (_, name: string) => filled.params[name] ?? 'x')
    const site = isHosted(endpoint) ? hosted : app
    const caller = path.startsWith('/admin/') ? site.root : filled.owner
    const address = `/api/v2${path}?${query}`
    if (endpoint.id.startsWith('workspace-events')) return headOf(`${app.url}${address}`, filled.owner.token)
    const { status, headers, text } = await caller.send(endpoint.verb, address, bodyFor(endpoint))
    return { status, warning: String(headers.warning), text }
  }

  test('every endpoint tells of an unknown parameter, or refuses it where it would change more than meant', async () => {
    for (const endpoint of endpoints) {
      const { status, warning, text } = await send(endpoint, 'surprise=1')
      const told = { route: endpoint.route, warning, text }
      if (endpoint.exactNames) expect(text).toContain("Parameter 'surprise' is unknown")
      else
        expect(told.warning, `${status} ${JSON.stringify(told)}`).toContain("Unknown parameter 'surprise' is ignored.")
    }
  })

  test('every endpoint with a document tells of an unknown member in it', async () => {
    for (const endpoint of endpoints.filter(({ body }) => body?.kind === 'json')) {
      const { status, warning, text } = await send(endpoint, '')
      const told = { route: endpoint.route, warning, text }
      const where = endpoint.exactNames ? told.text : told.warning
      expect(where, `${status} ${JSON.stringify(told)}`).toMatch(/Unknown (member|attribute) 'astonishing'/)
      if (endpoint.exactNames) expect(status).toBe(400)
    }
  })

  test('no endpoint warns of the parameters that it documents', async () => {
    const { paths } = mustBe(await app.root.get('/openapi.json'), 200).body
    type Parameter = { readonly name: string; readonly in: string }
    for (const endpoint of endpoints.filter(({ verb, id }) => verb === 'GET' && !id.startsWith('workspace-events'))) {
      const { parameters } = paths[`/api/v2${endpoint.path.replace(/[:*](\w+)/g, '{$1}')}`].get
      const names = (parameters as Parameter[]).filter((each) => each.in === 'query').map(({ name }) => name)
      const query = names.map((name) => `${encodeURIComponent(name === 'fields' ? 'fields[x]' : name)}=`).join('&')
      const { warning } = await send(endpoint, query)
      expect({ route: endpoint.route, warning }).toEqual({ route: endpoint.route, warning: 'undefined' })
    }
  })

  test('what published clients send gives no warning, but for what their own tests ask for', async () => {
    const file = join(import.meta.dirname, '../data/client-requests.json')
    const requests = JSON.parse(await readFile(file, 'utf8')) as readonly ClientRequest[]
    expect(requests.length).toBeGreaterThan(80)
    const byRoute = new Map(endpoints.map((endpoint) => [endpoint.route as string, endpoint]))
    for (const { client, route, parameters = [], document = {}, told = [] } of requests) {
      const endpoint = byRoute.get(route)
      if (!endpoint) throw new Error(`there is no ${route}`)
      const query = new URLSearchParams(parameters.map((name) => [name, '']))
      const warnings = warningsOfUnknown(endpoint, { query, fields: document }, silentNames)
      const names = warnings.map((text) => /'([^']*)'/.exec(text)?.[1])
      expect({ client, route, names }).toEqual({ client, route, names: told })
    }
  })

  test('what an endpoint shows may be sent back without a warning', async () => {
    const pairs = endpoints
      .filter(({ verb }) => verb === 'PATCH')
      .flatMap((patch) => {
        const read = endpoints.find(({ verb, path }) => verb === 'GET' && path === patch.path)
        return read?.returns?.[200] && patch.returns?.[200] ? [{ patch, read }] : []
      })
    expect(pairs.length).toBeGreaterThan(10)
    for (const { patch } of pairs) {
      const at = `/api/v2${patch.path.replace(/[:*](\w+)/g, (_, name: string) => alpha.params[name] ?? 'x')}`
      const caller = at.includes('/admin/') ? app.root : alpha.owner
      const { data } = (await caller.get(at)).body
      const { headers } = await caller.patch(at, { data })
      expect({ route: patch.route, warning: headers.warning }).toEqual({ route: patch.route, warning: undefined })
    }
  })

  test('pages and single documents tell in their meta, and what has no document in the header alone', async () => {
    const at = `/api/v2/organizations/${alpha.organization.name}`
    const unknown = "Unknown parameter 'serach[name]' is ignored. Did you mean 'search[name]'?"
    const page = await alpha.owner.get(`${at}/workspaces?serach[name]=a`)
    expect(page.headers.warning).toBe(`299 - "${unknown}"`)
    expect(page.body.meta).toEqual({ pagination: expect.anything(), warnings: [unknown] })
    expect(page.body.data.length).toBeGreaterThan(0)

    const workspace = `/api/v2/workspaces/${alpha.params.workspaceId}`
    const shown = await alpha.owner.get(`${workspace}?serach[name]=a`)
    expect(shown.body.meta).toEqual({ warnings: ["Unknown parameter 'serach[name]' is ignored."] })
    expect((await alpha.owner.get(workspace)).body).not.toHaveProperty('meta')

    const attributes = { descripton: 'é', 'auto-aply': true, 'vcs-repo': null }
    const changed = await alpha.owner.patch(`${workspace}?x=é`, doc('workspaces', attributes))
    expect(changed.body.meta.warnings).toEqual([
      "Unknown parameter 'x' is ignored.",
      "Unknown attribute 'descripton' is ignored. Did you mean 'description'?",
      "Unknown attribute 'auto-aply' is ignored. Did you mean 'auto-apply'?",
    ])

    const tags = { data: [{ type: 'tags', attributes: { name: 'one', colour: 'red' } }] }
    const added = await alpha.owner.post(`${workspace}/relationships/tags`, tags)
    expect([added.status, added.text, added.headers.warning]).toEqual([
      204,
      '',
      `299 - "Unknown attribute 'colour' at /data/*/attributes is ignored."`,
    ])
  })

  test('a refusal tells of the misspelt name that explains it', async () => {
    const at = `/api/v2/organizations/${alpha.organization.name}/workspaces`
    const refused = await alpha.owner.post(at, doc('workspaces', { nmae: 'é"\\' }))
    expect(refused.status).toBe(422)
    expect(refused.body.meta.warnings).toEqual(["Unknown attribute 'nmae' is ignored. Did you mean 'name'?"])
    const odd = await alpha.owner.post(at, doc('workspaces', { 'é"\\\n': 1 }))
    expect(odd.headers.warning).toBe(`299 - "Unknown attribute '?\\"\\\\?' is ignored."`)
    expect(odd.body.meta.warnings).toEqual([`Unknown attribute 'é"\\\n' is ignored.`])
  })

  test('callers who may not see something learn nothing of its parameters', async () => {
    const stranger = await fillOrganization(app, 'stranger')
    const { status, headers, body } = await stranger.owner.get(
      `/api/v2/workspaces/${alpha.params.workspaceId}?surprise=1`,
    )
    expect([status, headers.warning, body.meta]).toEqual([404, undefined, undefined])
  })
})
