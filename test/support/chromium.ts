import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { chromiumArgs, chromiumPath } from './chromium-path.ts'
import { type TestApp, type TestAppOptions, testApp } from './test-app.ts'

export { chromiumPath } from './chromium-path.ts'

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
export function siteInChromium(options: TestAppOptions = {}): SiteInChromium {
  const made: { app?: TestApp; browser?: Browser } = {}
  beforeAll(async () => {
    if (!chromiumPath) return
    made.app = await testApp(options)
    made.browser = await chromium.launch({ executablePath: chromiumPath, args: [...chromiumArgs] })
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
