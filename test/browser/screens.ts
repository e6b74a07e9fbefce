// npm run screens [-- --all | --only overview-light,roles] [--to folder] [--scale 2]: pictures of the pages, in both themes
// and on a phone. Without a choice, it takes those that the README shows.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
} from 'playwright-core'
import { buildUi } from '../../scripts/setup/ui.mjs'
import { chromiumArgs, chromiumPath } from '../support/chromium-path.ts'
import { type DevServer, devServerIn, fill } from './demo.ts'
import { fillSecrets } from './demo-secrets.ts'

const ROOT = join(import.meta.dirname, '..', '..')

type Picture = {
  readonly path: string
  /** The buttons that are pressed first, by their names. */
  readonly press?: readonly string[]
  /** What is typed first, by the labels of the fields. */
  readonly type?: Readonly<Record<string, string>>
  /** The server cannot be reached any more. */
  readonly isLost?: boolean
}

const organization = '/app/demo'
const people = `${organization}/organization`
const workspace = `${organization}/workspaces/billing-prod`
const certificates = '/app/server/certificates'
const secrets = '/app/server/secrets'
const database = `${secrets}/secret/secret/payments/db-prod`

/** What is shown, by the name of its picture. */
const pages: Readonly<Record<string, Picture>> = {
  overview: { path: `${organization}/overview` },
  search: { path: `${organization}/overview`, press: ['Search or jump to'], type: { 'Search or jump to': 'prod' } },
  workspaces: { path: `${organization}/workspaces` },
  'workspaces-nothing': { path: `${organization}/workspaces?search=nothing-like-this` },
  'workspaces-new': { path: `${organization}/workspaces?new=true` },
  workspace: { path: workspace },
  'workspace-lock': { path: `${organization}/workspaces/dns-public`, press: ['Lock…'] },
  'workspace-force': { path: `${organization}/workspaces/first-steps`, press: ['Lock…'] },
  state: { path: `${workspace}/state` },
  resources: { path: `${workspace}/resources` },
  variables: { path: `${workspace}/variables` },
  'variables-new': { path: `${workspace}/variables`, press: ['New variable'] },
  'workspace-access': { path: `${workspace}/access` },
  'workspace-history': { path: `${workspace}/history` },
  'workspace-settings': { path: `${workspace}/settings` },
  access: { path: `${people}/access` },
  rights: { path: `${people}/access/rights` },
  'team-settings': { path: `${people}/access/teams/payments-team/settings` },
  projects: { path: `${people}/projects` },
  members: { path: `${people}/members` },
  tokens: { path: `${people}/tokens` },
  agents: { path: `${people}/agents` },
  connections: { path: `${people}/connections` },
  settings: { path: `${people}/settings` },
  retention: { path: `${people}/settings/retention` },
  tools: { path: `${people}/settings/tools` },
  deletion: { path: `${people}/settings/deletion` },
  history: { path: `${people}/history` },
  roles: { path: `${certificates}/roles` },
  role: { path: `${certificates}/roles/ci-runners` },
  'role-new': { path: `${certificates}/new-role` },
  crls: { path: `${certificates}/crls` },
  logins: { path: `${certificates}/logins` },
  explain: { path: `${certificates}/logins?verdict=refused`, press: ['Explain'] },
  'explain-paste': { path: `${certificates}/explain?paste=true` },
  trust: { path: `${certificates}/trust` },
  'certificate-settings': { path: `${certificates}/settings` },
  secrets: { path: `${secrets}/browse` },
  folder: { path: `${secrets}/browse/secret/payments` },
  'engine-settings': { path: `${secrets}/browse/secret`, press: ['Settings…'] },
  secret: { path: database, press: ['Show username'] },
  'secret-new': { path: `${secrets}/new-secret/secret/payments` },
  'secret-edit': { path: `${database}?tab=edit` },
  'secret-versions': { path: `${database}?tab=versions` },
  'secret-compare': { path: `${database}?tab=compare` },
  'secret-settings': { path: `${database}?tab=settings` },
  'secret-history': { path: `${database}?tab=history` },
  policies: { path: `${secrets}/policies` },
  policy: { path: `${secrets}/policies/billing-read` },
  'policy-new': { path: `${secrets}/new-policy` },
  'policy-uses': { path: `${secrets}/policies/billing-read?tab=uses` },
  try: { path: `${secrets}/try?policies=billing-read&paths=auth/cert/certs/web%20secret/data/payments/a%20sys/audit` },
  entities: { path: `${secrets}/entities` },
  'service-tokens': { path: `${secrets}/tokens` },
  mounts: { path: `${secrets}/mounts` },
  'mounts-new': { path: `${secrets}/mounts`, press: ['Enable a method'] },
  approle: { path: `${secrets}/methods/approle` },
  'approle-role': { path: `${secrets}/methods/approle?role=backup` },
  'approle-ids': { path: `${secrets}/methods/approle?role=backup&tab=secret-ids` },
  'approle-id-new': { path: `${secrets}/methods/approle?role=backup`, press: ['Make a secret id'] },
  'approle-new': { path: `${secrets}/methods/approle`, press: ['New role'] },
  jwt: { path: `${secrets}/methods/pipelines` },
  'jwt-role': { path: `${secrets}/methods/pipelines?role=release` },
  'jwt-settings': { path: `${secrets}/methods/pipelines?tab=settings` },
  mount: { path: `${secrets}/mounts/auth/cert` },
  audit: { path: `${secrets}/audit` },
  limits: { path: `${secrets}/limits` },
  snapshots: { path: '/app/server/snapshots?schedule=nightly' },
  'snapshots-new': { path: '/app/server/snapshots/new' },
  'snapshots-restore': { path: '/app/server/snapshots?schedule=nightly', press: ['Restore a file…'] },
  'snapshots-restore-stored': {
    path: '/app/server/snapshots?schedule=nightly',
    press: ['Actions of the snapshot of', 'Restore…'],
  },
  lost: { path: workspace, isLost: true },
  system: { path: '/app/server/system' },
  figures: { path: '/app/server/system/figures' },
  jobs: { path: '/app/server/system/jobs' },
  'settings-in-force': { path: '/app/server/system/settings' },
  'system-seal': { path: '/app/server/system', press: ['Seal…'] },
  account: { path: '/app/account' },
  'account-tokens': { path: '/app/account/tokens' },
  'organization-new': { path: '/app/new' },
  missing: { path: `${organization}/workspaces/no-such` },
  'sign-in': { path: '/app/sign-in' },
}

const inReadme = 'overview-light,explain-dark'

const looks: Readonly<Record<string, BrowserContextOptions>> = {
  light: { viewport: { width: 1280, height: 800 }, colorScheme: 'light' },
  dark: { viewport: { width: 1280, height: 800 }, colorScheme: 'dark' },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: 'light', isMobile: true, hasTouch: true },
}

/** A server in development mode, with data of its own. */
async function startServer(): Promise<DevServer & { stop(): void }> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-screens-'))
  const listeners = ['--listen', '127.0.0.1:0', '--http-listen', '127.0.0.1:0']
  const child = spawn(process.execPath, ['server/main.ts', 'dev', '--data-dir', folder, ...listeners], {
    cwd: ROOT,
    stdio: 'ignore',
  })
  const facts = join(folder, 'dev.json')
  while (!existsSync(facts) && child.exitCode === null) await sleep(100)
  const stop = (): void => {
    child.once('exit', () => rmSync(folder, { recursive: true, force: true }))
    child.kill()
  }
  return { ...devServerIn(folder), stop }
}

type Wish = {
  /** Those whose addresses are known only when the server is filled, by their names. */
  readonly more: Readonly<Record<string, Picture>>
  readonly folder: string
  readonly only: readonly string[] | undefined
  readonly scale: number
}

async function take(browser: Browser, server: DevServer, { more, folder, only, scale }: Wish): Promise<void> {
  for (const [look, options] of Object.entries(looks)) {
    const context = await browser.newContext({ ...options, deviceScaleFactor: scale })
    await context.request.post(`${server.url}/app/sign-in`, { data: { token: server.token } })
    for (const [name, picture] of Object.entries({ ...more, ...pages })) {
      if (only && !only.includes(name) && !only.includes(`${name}-${look}`)) continue
      const path = join(folder, `${name}-${look}.png`)
      if (name === 'sign-in') await context.clearCookies()
      await one(context, { ...picture, address: server.url + picture.path, path })
      console.log(path)
    }
    await context.close()
  }
}

/** Opens a page, does what its picture asks for, and takes it. */
async function one(context: BrowserContext, picture: Picture & { address: string; path: string }): Promise<void> {
  const page = await context.newPage()
  // The stream of events keeps the network busy for good.
  await page.goto(picture.address, { waitUntil: 'load' })
  await settled(page)
  try {
    for (const name of picture.press ?? []) {
      await pressed(page, name).click({ timeout: 3_000 })
      await settled(page)
    }
    for (const [label, text] of Object.entries(picture.type ?? {})) await page.getByLabel(label).last().fill(text)
    if (picture.type) await settled(page)
    if (picture.isLost) await lose(page)
  } catch (error) {
    console.error(`${picture.path}: ${(error as Error).message.split('\n')[0]}`)
  }
  await page.screenshot({ path: picture.path })
  await page.context().setOffline(false)
  await page.close()
}

const pressed = (page: Page, name: string): Locator =>
  page
    .getByRole('button', { name })
    .or(page.getByRole('link', { name }))
    .or(page.getByRole('menuitem', { name }))
    .first()

/** Cuts the connection, and waits until the page says so, which it notices by a search that fails. */
async function lose(page: Page): Promise<void> {
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('combobox').fill('a')
  await page.getByText('Connection lost.').waitFor({ timeout: 20_000 })
  await page.keyboard.press('Escape')
}

const settled = async (page: Page): Promise<void> => {
  await page.waitForLoadState('networkidle', { timeout: 1_200 }).catch(() => undefined)
  const busy = page.locator('main [aria-busy=true], dialog [role=status]').first()
  await busy.waitFor({ state: 'detached', timeout: 5_000 }).catch(() => undefined)
  await sleep(300)
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      all: { type: 'boolean' },
      only: { type: 'string', default: inReadme },
      to: { type: 'string', default: join(ROOT, 'docs', 'images') },
      scale: { type: 'string', default: '1' },
    },
  })
  const folder = values.to
  const only = values.all ? undefined : values.only.split(',')
  if (!chromiumPath) throw new Error('There is no Chromium here; HOLDFAST_CHROMIUM names one.')
  mkdirSync(folder, { recursive: true })
  await buildUi(process.execPath)
  const server = await startServer()
  const browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] })
  try {
    await fill(server)
    const more = await fillSecrets(server)
    await take(browser, server, { more, folder, only, scale: Number(values.scale) })
  } finally {
    await browser.close()
    server.stop()
  }
}

await main()
