// npm run screens [-- --only overview] [--to folder]: pictures of the pages, in both themes and on a phone.
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

/** What is shown, by the name of its picture. */
const pages: Readonly<Record<string, string>> = {
  overview: '/app/demo/overview',
  workspaces: '/app/demo/workspaces',
  workspace: '/app/demo/workspaces/network-prod-eu',
  state: '/app/demo/workspaces/network-prod-eu/states',
  'sign-in': '/app/sign-in',
}

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
}

type DevServer = { readonly url: string; readonly token: string; stop(): void }

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
  return { url, token, stop }
}

const names = [
  ...['billing-prod', 'dns-public', 'iam-baseline', 'ingress-prod-eu', 'k8s-edge-syd', 'k8s-prod-eu', 'k8s-prod-us'],
  ...['logs-archive', 'mail-relay', 'network-prod-ap', 'network-prod-eu', 'network-prod-us', 'observability-prod'],
]

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

async function take(browser: Browser, server: DevServer, folder: string, only: string | undefined): Promise<void> {
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, deviceScaleFactor: 2 })
    const page = await context.newPage()
    for (const [name, address] of Object.entries(pages)) {
      if (only !== undefined && name !== only) continue
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
    await fill(createApiClient({ baseUrl: server.url, token: server.token }))
    await take(browser, server, folder, values.only)
  } finally {
    await browser.close()
    server.stop()
  }
}

await main()
