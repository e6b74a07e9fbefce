import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findChromium } from '../../scripts/setup/parts.mjs'
import { person } from '../support/platform.ts'
import { type TestApp, testApp } from '../support/test-app.ts'

const executablePath = findChromium()
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

test.runIf(!executablePath)('browser: skipped, Chromium is not installed', () => {
  expect(executablePath).toBeUndefined()
})

let app: TestApp
let browser: Browser
beforeAll(async () => {
  if (!executablePath) return
  app = await testApp()
  browser = await chromium.launch({ executablePath, args })
})
afterAll(async () => {
  await browser?.close()
  await app?.close()
})

/** A page whose complaints are kept: violations of the content policy show as errors on its console. */
async function openPage(): Promise<{ page: Page; errors: string[] }> {
  const page = await browser.newPage()
  const errors: string[] = []
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  page.on('dialog', (dialog) => {
    errors.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  return { page, errors }
}

test.runIf(executablePath)(
  'browser: the bare address leads through sign-in to the token page, and a token made there works',
  async () => {
    const ann = await person(app, 'ann')
    const { page, errors } = await openPage()
    await page.goto(`${app.url}/`)
    expect(new URL(page.url()).pathname).toBe('/app/sign-in')
    await page.fill('input[name=token]', ann.token)
    await page.click('text=Sign in with token')
    expect(new URL(page.url()).pathname).toBe('/app/settings/tokens')
    await page.fill('input[name=description]', '<script>alert(1)</script>')
    await page.click('form:has(input[name=description]) button')
    const made = /hfu\.[A-Za-z0-9]+/.exec(await page.innerText('body'))?.[0] ?? ''
    expect((await app.root.as(made).get('/api/v2/account/details')).body.data.attributes.username).toBe('ann')
    await page.reload()
    expect(await page.innerText('body')).not.toContain(made)
    expect(errors).toEqual([])
  },
)

test.runIf(executablePath)('browser: a wrong token is told so and signs nobody in', async () => {
  const { page } = await openPage()
  await page.goto(`${app.url}/app/sign-in`)
  await page.fill('input[name=token]', 'hfu.wrong')
  await page.click('text=Sign in with token')
  expect(new URL(page.url()).pathname).toBe('/app/sign-in')
  await page.goto(`${app.url}/app/settings/tokens`)
  expect(new URL(page.url()).pathname).toBe('/app/sign-in')
})
