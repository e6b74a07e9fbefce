import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { copyWorkspaces } from '../support/many-workspaces.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'

const site = siteInChromium()
const most = 200

// The longest time from an event to the frame that shows its effect, and the longest work without a break.
const watch = `
  window.longest = 0
  const note = (list) => { for (const { duration } of list.getEntries()) longest = Math.max(longest, duration) }
  new PerformanceObserver(note).observe({ type: 'event', durationThreshold: 16 })
  new PerformanceObserver(note).observe({ type: 'longtask' })`
const nextFrame = 'new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))'

/** How many milliseconds the page is busy with what a person does; waiting for the server is not counted. */
async function busyMs(page: Page, act: () => Promise<unknown>): Promise<number> {
  await page.evaluate('longest = 0')
  await act()
  await page.evaluate(nextFrame)
  return await page.evaluate<number>('longest')
}

test.runIf(chromiumPath)(
  'long list: 10,000 workspaces scroll, sort, filter and are selected in 200 ms each',
  async () => {
    const zoe = await person(site.app, 'zoe')
    const acme = await organization(zoe, 'long')
    await copyWorkspaces(site.app.deps.db, await workspaceIn(acme, { name: 'first' }), 9_999)
    const { page, errors } = await site.openPage()
    await site.signIn(page, zoe.token, '/app/long/workspaces')
    await page.getByText('10,000 match, showing 1 to').waitFor()
    expect(await page.locator('tbody tr').count()).toBeLessThan(60)
    expect(await accessFaults(page)).toEqual([])
    await page.evaluate(watch)
    const actions: Readonly<Record<string, () => Promise<unknown>>> = {
      select: () => page.locator('tbody input[type=checkbox]').first().click(),
      down: () => page.keyboard.press('j'),
      'far down': async () => {
        await page.evaluate('document.getElementById("content").scrollTo(0, 180000)')
        await page.getByText(/showing 4,9\d\d to|showing 5,0\d\d to/).waitFor()
      },
      'back to the top': () => page.evaluate('document.getElementById("content").scrollTo(0, 0)'),
      sort: () => page.getByRole('button', { name: 'Name', exact: true }).click(),
      type: () => page.getByLabel('Search by name').press('9'),
      clear: async () => {
        await page.getByText(/^3,439 match/).waitFor()
        await page.getByLabel('Search by name').fill('')
        await page.getByText(/^10,000 match/).waitFor()
      },
    }
    const took: Record<string, number> = {}
    const slow = () => Object.entries(actions).filter(([name]) => (took[name] ?? Number.POSITIVE_INFINITY) > most)
    // A machine that others use stalls now and then, so the best of some rounds counts.
    for (let round = 0; round < 8 && slow().length > 0; round++)
      for (const [name, act] of Object.entries(actions))
        took[name] = Math.min(took[name] ?? Number.POSITIVE_INFINITY, await busyMs(page, act))
    expect(slow().map(([name]) => [name, took[name]])).toEqual([])
    expect(errors).toEqual([])
  },
)

test.runIf(chromiumPath)(
  'long list: changes wait while somebody reads, and rows come back where they were',
  async () => {
    const yan = await person(site.app, 'yan')
    const acme = await organization(yan, 'read')
    const id = await workspaceIn(acme, { name: 'first' })
    await copyWorkspaces(site.app.deps.db, id, 300)
    const { page, errors } = await site.openPage()
    await site.signIn(page, yan.token, '/app/read/workspaces')
    await page.getByText('301 match, showing 1 to').waitFor()
    await page.evaluate('document.getElementById("content").scrollTo(0, 4000)')
    await page.getByText(/showing 1\d\d to/).waitFor()
    mustBe(await yan.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'tea' }), 200)
    await page.getByRole('button', { name: '1 change: show now' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: '1 change: show now' }).click()
    await page.getByRole('button', { name: '1 change: show now' }).waitFor({ state: 'detached' })
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    const name = await page.evaluate<string>('document.activeElement.textContent')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
    await page.goBack()
    await page.getByText(/showing \d\d\d? to/).waitFor()
    expect(await page.evaluate<number>('document.getElementById("content").scrollTop')).toBeGreaterThan(1_000)
    expect(errors).toEqual([])
  },
)
