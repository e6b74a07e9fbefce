import { accessSync, constants, existsSync, readdirSync } from 'node:fs'
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

/** A page whose console errors are collected: violations of the content policy appear there. */
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
