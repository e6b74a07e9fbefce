// npm run screens [-- --only overview,tokens] [--to folder]: pictures of the pages, in both themes and on a phone.
import { spawn } from 'node:child_process'
import { hash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { type ApiClient, createApiClient } from '../../api-client/client.ts'
import { buildUi } from '../../scripts/setup/ui.mjs'
import { chromiumArgs, chromiumPath } from '../support/chromium-path.ts'

const ROOT = join(import.meta.dirname, '..', '..')

type Pages = Readonly<Record<string, string>>

/** What is shown, by the name of its picture. */
const pages: Pages = {
  overview: '/app/demo/overview',
  workspaces: '/app/demo/workspaces',
  workspace: '/app/demo/workspaces/network-prod-eu',
  state: '/app/demo/workspaces/network-prod-eu/states',
  policies: '/app/server/secrets/policies',
  policy: '/app/server/secrets/policies/billing-read',
  'new-policy': '/app/server/secrets/new-policy',
  'policy-uses': '/app/server/secrets/policies/billing-read?tab=uses',
  try: '/app/server/secrets/try?policies=billing-read&paths=auth/cert/certs/web%20sys/policies/acl/web%20sys/audit',
  entities: '/app/server/secrets/entities',
  tokens: '/app/server/secrets/tokens',
  mounts: '/app/server/secrets/mounts',
  mount: '/app/server/secrets/mounts/auth/cert',
  audit: '/app/server/secrets/audit',
  limits: '/app/server/secrets/limits',
  'sign-in': '/app/sign-in',
}

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
}

type DevServer = { readonly url: string; readonly token: string; readonly folder: string; stop(): void }

/** A server in development mode, with data of its own. */
async function startServer(): Promise<DevServer> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-screens-'))
  const listeners = ['--listen', '127.0.0.1:0', '--http-listen', '127.0.0.1:0']
  const child = spawn(process.execPath, ['server/main.ts', 'dev', '--data-dir', folder, ...listeners], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  const facts = join(folder, 'dev.json')
  while (!existsSync(facts) && child.exitCode === null) await sleep(100)
  const { http_address: url, root_token: token } = JSON.parse(readFileSync(facts, 'utf8'))
  const stop = (): void => {
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    child.kill()
  }
  return { url, token, folder, stop }
}

const names = [
  ...['billing-prod', 'dns-public', 'iam-baseline', 'ingress-prod-eu', 'k8s-edge-syd', 'k8s-prod-eu', 'k8s-prod-us'],
  ...['logs-archive', 'mail-relay', 'network-prod-ap', 'network-prod-eu', 'network-prod-us', 'observability-prod'],
]

const billing = `# What the billing services need.
path "auth/cert/certs/*" {
  capabilities = ["read", "list"]
}

path "sys/policies/acl/+" {
  capabilities = ["read"]
}

path "cubbyhole/billing/{{identity.entity.name}}" {
  capabilities = ["create", "read", "update"]
}

path "auth/cert/certs/root-ca" {
  capabilities = ["deny"]
}
`

/** Fills `/v1` with what there is after a while. Returns the pages whose addresses have ids. */
async function fillSecrets({ call }: ApiClient, folder: string): Promise<Pages> {
  for (const name of ['billing-read', 'deploy', 'edge-sensors', 'on-call', 'team/network'])
    await call('policies.write', { params: { path: { name } }, body: { policy: billing } })
  for (const name of ['billing', 'build-agents', 'ingress', 'mail-relay', 'payments-api'])
    await call('identity.write-entity', {
      body: { name, policies: name === 'ingress' ? [] : ['billing-read'], metadata: { team: 'finance' } },
    })
  const { data: methods } = await call('mounts.list-auth', {})
  const { data: entity } = await call('identity.read-entity-by-name', { params: { path: { name: 'billing' } } })
  const mount_accessor = methods['cert/']?.accessor ?? ''
  const alias = { name: 'billing.example.com', mount_accessor, canonical_id: entity.id }
  await call('identity.write-alias', { body: alias })
  for (const [display_name, ttl] of [
    ['nightly-backup', '8h'],
    ['deploy', '1h'],
    ['on-call', '30m'],
  ] as const)
    await call('tokens.create', { body: { display_name, ttl, policies: [display_name, 'billing-read'] } })
  const path = { path: 'edge/sensors' }
  await call('mounts.enable-auth', { params: { path }, body: { type: 'cert', description: 'Machines at the edge' } })
  const device = {
    type: 'file',
    description: 'Collected each night',
    options: { file_path: join(folder, 'audit.log') },
  }
  await call('audit.enable', { params: { path: { path: 'file' } }, body: device })
  await call('audit.write-header', { params: { path: { header: 'x-trace-id' } }, body: { hmac: true } })
  const limit = { path: 'auth/cert/login', rate: 20, interval: '1s' }
  await call('quotas.write', { params: { path: { name: 'logins' } }, body: limit as never })
  const own = await call('tokens.lookup-self', {})
  return {
    entity: `/app/server/secrets/entities/${entity.id}`,
    'entity-aliases': `/app/server/secrets/entities/${entity.id}?tab=aliases`,
    token: `/app/server/secrets/tokens/${own.data.accessor}`,
  }
}

/** Fills it with what an organization has after a while. */
async function fill({ call }: ApiClient): Promise<void> {
  const path = { organization: 'demo' }
  for (const [at, name] of names.entries()) {
    const attributes = { name, 'execution-mode': 'local' } as const
    const tags = [
      { type: 'tag-bindings', attributes: { key: 'env', value: 'prod' } },
      ...(at % 3 === 0 ? [{ type: 'tag-bindings', attributes: { key: 'region', value: 'eu' } }] : []),
    ]
    const relationships = { 'tag-bindings': { data: tags } } as never
    const { data } = await call('workspaces.create', {
      params: { path },
      body: { data: { type: 'workspaces', attributes, relationships } },
    })
    const params = { path: { workspaceId: data.id } }
    const lock = (reason: string) => call('workspaces.lock', { params, body: { reason } as never })
    await lock('first import')
    for (const serial of [1, 2]) await storeState(call, data.id, serial, 12 + at * 7)
    await call('workspaces.unlock', { params })
    if (name === 'billing-prod') await lock('migrating state to the new account')
  }
}

async function storeState(call: ApiClient['call'], workspaceId: string, serial: number, count: number): Promise<void> {
  const resources = Array.from({ length: count - 2 + serial }, (_, at) => ({
    ...{
      mode: 'managed',
      type: 'example_subnet',
      name: `zone_${at}`,
      provider: 'provider["example.org/demo/example"]',
    },
    instances: [{ schema_version: 0, attributes: { id: `subnet-${at}`, range: `10.${serial}.${at}.0/24` } }],
  }))
  const outputs = { gateway: { value: `10.${serial}.0.1`, type: 'string', sensitive: false } }
  const state = Buffer.from(
    JSON.stringify({ version: 4, terraform_version: '1.10.0', serial, lineage: workspaceId, outputs, resources }),
  )
  const attributes = {
    ...{ serial, lineage: workspaceId, md5: hash('md5', state) },
    state: state.toString('base64'),
  }
  const body = { data: { type: 'state-versions', attributes } } as never
  await call('state-versions.create', { params: { path: { workspaceId } }, body })
}

type Wanted = { readonly pages: Pages; readonly folder: string; readonly only: readonly string[] | undefined }

async function take(browser: Browser, server: DevServer, { pages, folder, only }: Wanted): Promise<void> {
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, deviceScaleFactor: 2 })
    const page = await context.newPage()
    for (const [name, address] of Object.entries(pages)) {
      if (only && !only.includes(name)) continue
      if (name === 'sign-in') await context.clearCookies()
      else await page.request.post(`${server.url}/app/sign-in`, { data: { token: server.token } })
      await page.goto(server.url + address, { waitUntil: 'networkidle', timeout: 20_000 }).catch(() => undefined)
      await sleep(500)
      await page.screenshot({ path: join(folder, `${name}-${look}.png`) })
      console.log(`${name}-${look}.png`)
    }
    await context.close()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { only: { type: 'string' }, to: { type: 'string' } } })
  const folder = values.to ?? join(ROOT, 'docs', 'images')
  if (!chromiumPath) throw new Error('There is no Chromium here; HOLDFAST_CHROMIUM names one.')
  mkdirSync(folder, { recursive: true })
  await buildUi(process.execPath)
  const server = await startServer()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] })
  try {
    const api = createApiClient({ baseUrl: server.url, token: server.token })
    await fill(api)
    const more = await fillSecrets(api, server.folder)
    await take(browser, server, { pages: { ...pages, ...more }, folder, only: values.only?.split(',') })
  } finally {
    await browser.close()
    server.stop()
  }
}

await main()
