// What an organization and a server have after a while, for pictures of the pages.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Minted, mintCa, mintCrl, mintIntermediate, mintLeaf } from '../support/certificates.ts'

/** A server that runs in development mode. */
export type DevServer = {
  readonly url: string
  readonly secureUrl: string
  readonly token: string
  readonly folder: string
}

type Send = (verb: string, path: string, body?: unknown) => Promise<Answer>
type Answer = {
  readonly data: { readonly id: string; readonly relationships: Record<string, { readonly data: { id: string } }> }
}

const day = 86_400_000

/** Calls the API of a server as its administrator. */
export const sender =
  ({ url, token }: DevServer): Send =>
  async (verb, path, body) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/vnd.api+json' }
    const answer = await fetch(url + path, { method: verb, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${verb} ${path}: ${answer.status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }

const documentOf = (type: string, attributes: object, rest: object = {}) => ({ data: { type, attributes, ...rest } })

/** Fills the server through its API, as people and machines would. */
export async function fill(server: DevServer): Promise<void> {
  const send = sender(server)
  await fillOrganization(send)
  await fillCertificates(send, server)
  await fillSnapshots(send, server)
}

const names: Readonly<Record<string, readonly string[]>> = {
  payments: ['billing-prod', 'payments-api-prod', 'payments-db-prod'],
  network: ['dns-public', 'ingress-prod-eu', 'network-prod-ap', 'network-prod-eu', 'network-prod-us'],
  platform: ['iam-baseline', 'k8s-prod-eu', 'k8s-prod-us', 'mail-relay', 'observability-prod'],
  edge: ['k8s-edge-syd', 'edge-runners'],
}

async function fillOrganization(send: Send): Promise<void> {
  const at = '/api/v2/organizations/demo'
  for (const [project, members] of Object.entries(names)) {
    const { data } = await send('POST', `${at}/projects`, documentOf('projects', { name: project }))
    const team = await send('POST', `${at}/teams`, documentOf('teams', { name: `${project}-team` }))
    const relationships = {
      project: { data: { type: 'projects', id: data.id } },
      team: { data: { type: 'teams', id: team.data.id } },
    }
    const access = project === 'edge' ? 'read' : 'maintain'
    await send('POST', '/api/v2/team-projects', documentOf('team-projects', { access }, { relationships }))
    for (const [index, name] of members.entries()) await addWorkspace(send, { name, index, projectId: data.id })
  }
  for (const person of ['ines', 'mei', 'tomas']) {
    const attributes = { email: `${person}@example.com` }
    await send('POST', `${at}/organization-memberships`, documentOf('organization-memberships', attributes))
  }
  await send('POST', `${at}/agent-pools`, documentOf('agent-pools', { name: 'edge-runners' }))
}

type Wanted = { readonly name: string; readonly index: number; readonly projectId: string }

async function addWorkspace(send: Send, { name, index, projectId }: Wanted): Promise<void> {
  const tags = [
    ['env', 'prod'],
    ...(name.endsWith('-eu') ? [['region', 'eu']] : []),
    ...(index === 0 ? [['tier', '1']] : []),
  ].map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } }))
  const attributes = { name, 'execution-mode': 'local' }
  const relationships = {
    project: { data: { type: 'projects', id: projectId } },
    'tag-bindings': { data: tags },
  }
  const { data } = await send(
    'POST',
    '/api/v2/organizations/demo/workspaces',
    documentOf('workspaces', attributes, { relationships }),
  )
  const at = `/api/v2/workspaces/${data.id}`
  await send('POST', `${at}/actions/lock`, { reason: 'first import' })
  for (const serial of [1, 2, 3]) await storeState(send, data.id, serial, 12 + index * 37 + name.length)
  await send('POST', `${at}/actions/unlock`)
  for (const [key, value, sensitive] of [
    ['region', 'eu-west-1', false],
    ['db_password', 'not shown', true],
  ] as const)
    await send('POST', `${at}/vars`, documentOf('vars', { key, value, sensitive, category: 'terraform' }))
  if (name === 'billing-prod') await send('POST', `${at}/actions/lock`, { reason: 'migrating state to the G2 account' })
  if (name === 'k8s-prod-us') await send('POST', `${at}/actions/lock`, { reason: 'node pool upgrade' })
}

async function storeState(send: Send, workspaceId: string, serial: number, count: number): Promise<void> {
  const kinds = ['example_subnet', 'example_route', 'example_nat_gateway']
  const resources = Array.from({ length: count - 3 + serial }, (_, at) => ({
    mode: 'managed',
    type: kinds[at % kinds.length],
    name: `zone_${at}`,
    provider: 'provider["example.org/demo/example"]',
    instances: [{ schema_version: 0, attributes: { id: `id-${at}`, range: `10.${at < 3 ? serial : 1}.${at}.0/24` } }],
  }))
  const outputs = {
    gateway: { value: `10.${serial}.0.1`, type: 'string', sensitive: false },
    private_key: { value: 'not shown', type: 'string', sensitive: true },
  }
  const state = Buffer.from(
    JSON.stringify({ version: 4, terraform_version: '1.12.6', serial, lineage: workspaceId, outputs, resources }),
  )
  const attributes = { serial, lineage: workspaceId, md5: hash('md5', state), state: state.toString('base64') }
  await send('POST', `/api/v2/workspaces/${workspaceId}/state-versions`, documentOf('state-versions', attributes))
}

async function fillCertificates(send: Send, { secureUrl }: DevServer): Promise<void> {
  const since = new Date(Date.now() - 100 * day)
  const until = (days: number) => ({ notBefore: since, notAfter: new Date(Date.now() + days * day) })
  const root = mintCa({ commonName: 'Meridian Root G1', organization: 'Meridian', ...until(2_900) })
  const machines = mintIntermediate(root, { commonName: 'Meridian Machines G2', pathLength: 0, ...until(23.5) })
  const edge = mintIntermediate(root, { commonName: 'Meridian Edge', pathLength: 0, ...until(700) })
  const roles = {
    'ci-runners': { certificate: machines.pem, allowed_common_names: 'ci-*', token_policies: ['default'], ttl: 3600 },
    'edge-gateways': { certificate: root.pem, allowed_common_names: 'edge-gw-*', token_policies: ['default'] },
    nodes: { certificate: root.pem, allowed_dns_sans: '*.nodes.example.com', token_policies: ['default'] },
  }
  for (const [name, role] of Object.entries(roles)) await send('POST', `/v1/auth/cert/certs/${name}`, role)
  const fresh = { thisUpdate: new Date(Date.now() - day), nextUpdate: new Date(Date.now() + 6 * day) }
  const stale = { thisUpdate: new Date(Date.now() - 9 * day), nextUpdate: new Date(Date.now() - 2 * day) }
  await send('POST', '/v1/auth/cert/crls/meridian-root', { crl: mintCrl(root, fresh).pem })
  await send('POST', '/v1/auth/cert/crls/corp-issuing', { crl: mintCrl(edge, stale).pem })
  const short = { notBefore: new Date(Date.now() - 30 * day), notAfter: new Date(Date.now() + 60 * day) }
  const clients: [Minted, string][] = [
    ...Array.from({ length: 8 }, (_, at): [Minted, string] => [
      mintLeaf(machines, { commonName: `ci-runner-${at + 1}`, ...short, notAfter: new Date(Date.now() + 20 * day) }),
      'ci-runners',
    ]),
    ...['edge-gw-syd', 'edge-gw-fra'].map((commonName): [Minted, string] => [
      mintLeaf(edge, { commonName, ...short }),
      'edge-gateways',
    ]),
    [mintLeaf(edge, { commonName: 'edge-cam-0412', ...short }), 'edge-gateways'],
    [mintLeaf(edge, { commonName: 'edge-gw-old', ...short, notAfter: new Date(Date.now() - day) }), 'edge-gateways'],
    [
      mintLeaf(mintCa({ commonName: 'Somebody else', ...until(90) }), { commonName: 'ci-runner-9', ...short }),
      'ci-runners',
    ],
  ]
  for (const [client, role] of clients) await login(secureUrl, client, role)
}

/** A machine logs in; whether it is let in is not asked here. */
const login = (url: string, { chainPem, keyPem }: Minted, name: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const options = { method: 'POST', cert: chainPem, key: keyPem, rejectUnauthorized: false, agent: false as const }
    const sent = request(`${url}/v1/auth/cert/login`, options, (answer) => {
      answer.resume()
      answer.once('end', () => resolve())
    })
    sent.once('error', reject)
    sent.end(JSON.stringify({ name }))
  })

async function fillSnapshots(send: Send, { folder }: DevServer): Promise<void> {
  const at = '/v1/sys/storage/raft/snapshot-auto'
  const config = (interval: string, retain: number, path: string) => ({
    interval,
    retain,
    storage_type: 'local',
    path_prefix: join(folder, path),
    local_max_space: 1024 ** 3,
  })
  await send('POST', `${at}/config/nightly`, config('24h', 28, 'nightly'))
  await send('POST', `${at}/config/weekly-archive`, config('168h', 104, 'weekly'))
  // Nobody listens there, so that its snapshots fail.
  await send('POST', `${at}/config/offsite`, {
    interval: '6h',
    retain: 28,
    storage_type: 'cloudA-store',
    path_prefix: 'holdfast/',
    cloudA_bucket: 'backups',
    cloudA_region: 'eu-central-1',
    cloudA_access_key_id: 'demo',
    cloudA_secret_access_key: 'demo',
    cloudA_endpoint: '127.0.0.1:9',
    cloudA_disable_tls: true,
  })
  for (let run = 0; run < 6; run++) {
    await send('POST', '/v1/sys/policies/acl/growing', {
      policy: `# ${'x'.repeat(run * 900)}\npath "a" { capabilities = ["read"] }`,
    })
    await send('POST', `${at}/run/nightly`, {}).catch(() => undefined)
    await sleep(1_500)
  }
}

/** What dev mode has written down about a server. */
export function devServerIn(folder: string): DevServer {
  const facts = JSON.parse(readFileSync(join(folder, 'dev.json'), 'utf8'))
  return { url: facts.http_address, secureUrl: facts.address, token: facts.root_token, folder }
}
