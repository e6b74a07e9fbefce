import { createHash } from 'node:crypto'
import type { Answer } from './client.ts'
import type { Engine } from './databases.ts'
import { doc, mustBe, type Organization, organization, type Person, person } from './platform.ts'
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts'

/** What a made-up state holds. */
type StateShape = {
  readonly serial?: number
  /** How many managed resources, with one instance each. */
  readonly resources?: number
  readonly outputs?: Readonly<Record<string, string | number>>
  /** Outputs that are sensitive. */
  readonly secrets?: Readonly<Record<string, string>>
}

const outputOf = (value: string | number, sensitive: boolean) => ({ value, type: typeof value, sensitive })

/** A state file of format 4. */
export function stateOf({ serial = 1, resources = 0, outputs = {}, secrets = {} }: StateShape): Buffer {
  const entries = [
    ...Object.entries(outputs).map(([name, value]) => [name, outputOf(value, false)]),
    ...Object.entries(secrets).map(([name, value]) => [name, outputOf(value, true)]),
  ]
  const state = {
    version: 4,
    terraform_version: '1.10.0',
    serial,
    lineage: 'one',
    outputs: Object.fromEntries(entries),
    resources: Array.from({ length: resources }, (_, index) => ({
      mode: 'managed',
      type: 'null_resource',
      name: `r${index}`,
      provider: 'provider["example.org/acme/null"]',
      instances: [{ schema_version: 0, attributes: { id: String(index) } }],
    })),
  }
  return Buffer.from(JSON.stringify(state, null, 2))
}

/** A state without anything in it. */
export const emptyState: Buffer = stateOf({})

/** The digest clients announce. */
export const md5Of = (state: Buffer): string => createHash('md5').update(state).digest('hex')

/** The document that announces a state. */
export const stateDocument = (state: Buffer, attributes: object = {}): object =>
  doc('state-versions', { serial: 1, md5: md5Of(state), lineage: 'one', ...attributes })

/** A server with a person and an organization, and what tests of state do all the time. */
export type StateBench = {
  readonly app: TestApp
  readonly ann: Person
  readonly org: Organization
  workspace(): Promise<string>
  /** A workspace that ann has locked. */
  locked(): Promise<string>
  unlock(id: string): Promise<Answer>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into documents of every shape
  workspaceOf(id: string): Promise<any>
  announce(id: string, state: Buffer, attributes?: object): Promise<Answer>
  /** Announces a state with its content. */
  announceWithContent(id: string, state: Buffer, attributes?: object): Promise<Answer>
  put(url: string, content: Buffer): Promise<Answer>
  get(url: string): Promise<Answer>
  // biome-ignore lint/suspicious/noExplicitAny: a document of a state version
  download(version: any): Promise<Buffer>
}

/** Starts a server for tests of state. */
export async function stateBench(engine: Engine, options: TestAppOptions = {}): Promise<StateBench> {
  const app = await testApp({ engine, ...options })
  const ann = await person(app, 'ann')
  const org = await organization(ann, 'acme')
  let count = 0
  const workspace = async (): Promise<string> => {
    const body = doc('workspaces', { name: `ws-${++count}` })
    return mustBe(await ann.post(`/api/v2/organizations/${org.name}/workspaces`, body), 201).body.data.id
  }
  const announced = (id: string, state: Buffer, attributes: object = {}) =>
    ann.post(`/api/v2/workspaces/${id}/state-versions`, stateDocument(state, attributes))
  const pathOf = (url: string): string => url.slice(new URL(url).origin.length)
  const get = (url: string) => app.anonymous.get(pathOf(url))
  return {
    app,
    ann,
    org,
    workspace,
    locked: async () => {
      const id = await workspace()
      mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`), 200)
      return id
    },
    unlock: (id) => ann.post(`/api/v2/workspaces/${id}/actions/unlock`),
    workspaceOf: async (id) => mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data,
    announce: announced,
    announceWithContent: (id, state, attributes) =>
      announced(id, state, { state: state.toString('base64'), ...attributes }),
    put: (url, content) =>
      app.anonymous.send('PUT', pathOf(url), undefined, {
        raw: content,
        headers: { 'content-type': 'application/octet-stream' },
      }),
    get,
    download: async (version) =>
      Buffer.from(mustBe(await get(version.attributes['hosted-state-download-url']), 200).text),
  }
}
