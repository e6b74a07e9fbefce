import { accessSync, constants, existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { type TestApp, testApp } from './test-app.ts'

/** `HOLDFAST_CHROMIUM`, a browser on the PATH, or one that Playwright has downloaded; undefined if there is none. */
export const chromiumPath: string | undefined = process.env.HOLDFAST_CHROMIUM || findChromium()

function findChromium(): string | undefined {
  const downloads = process.env.PLAYWRIGHT_BROWSERS_PATH ?? join(homedir(), '.cache', 'ms-playwright')
  const builds = existsSync(downloads) ? readdirSync(downloads).filter((name) => name.startsWith('chromium')) : []
  const inBuild = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-linux/headless_shell']
  const onPath = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome.exe']
  return [
    ...onPath.flatMap((name) => (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...builds.flatMap((build) => inBuild.map((file) => join(downloads, build, file))),
  ].find(isExecutable)
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * A page whose faults are collected: errors of the console, where violations of the content policy appear, errors of
 * scripts, and requests to other hosts.
 */
type OpenPage = { readonly page: Page; readonly errors: string[] }

/** A server, and pages of a real browser for it. */
type SiteInChromium = {
  readonly app: TestApp
  openPage(options?: BrowserContextOptions): Promise<OpenPage>
  /** Signs in by token and opens the page at a path of the server. */
  signIn(page: Page, token: string, path: string): Promise<void>
}

/** A server and a browser for the tests around it; both are missing where there is no browser. */
export function siteInChromium(): SiteInChromium {
  const made: { app?: TestApp; browser?: Browser } = {}
  beforeAll(async () => {
    if (!chromiumPath) return
    made.app = await testApp()
    made.browser = await chromium.launch({ executablePath: chromiumPath, args })
  })
  afterAll(async () => {
    await made.browser?.close()
    await made.app?.close()
  })
  return {
    get app() {
      return made.app as TestApp
    },
    async openPage(options = {}) {
      const page = await (made.browser as Browser).newPage(options)
      const errors: string[] = []
      page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
      page.on('pageerror', ({ message }) => errors.push(message))
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${this.app.url}/`) && !/^(data|blob):/.test(url)) errors.push(`request to ${url}`)
      })
      page.on('dialog', (dialog) => {
        errors.push(`dialog: ${dialog.message()}`)
        void dialog.dismiss()
      })
      return { page, errors }
    },
    async signIn(page, token, path) {
      await page.goto(`${this.app.url}/app/sign-in?next=${encodeURIComponent(path)}`)
      await page.fill('input[name=token]', token)
      await page.click('text=Sign in with token')
      await page.waitForURL(`${this.app.url}${path}`)
    },
  }
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds wrong with a page, or with the part that a selector names: a rule and where it is broken. */
export async function accessFaults(page: Page, part = 'html'): Promise<string[]> {
  await page.evaluate(axeSource)
  return await page.evaluate(async (selector) => {
    type Found = { violations: { id: string; nodes: { html: string }[] }[] }
    const { axe } = globalThis as unknown as { axe: { run(context: string): Promise<Found> } }
    const { violations } = await axe.run(selector)
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 200)}`))
  }, part)
}
