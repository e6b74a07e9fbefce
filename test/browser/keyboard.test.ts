import { expect, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, organizationToken, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

/** The text of what has the focus. */
const focused = 'document.activeElement?.textContent?.trim() ?? ""'

test.runIf(chromiumPath)('keyboard: the first tab stop is visible and skips to the content', async () => {
  const ann = await person(site.app, 'ann')
  await workspaceIn(await organization(ann, 'acme'), { name: 'network' })
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/acme/workspaces/network')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(focused)).toBe('Skip to the content')
  expect((await page.locator('a.skip').boundingBox())?.x).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate(focused)).toBe('acme')
  expect(errors).toEqual([])
})

test.runIf(chromiumPath)(
  'keyboard: a workspace is locked, and the lock of somebody else broken, by keys alone',
  async () => {
    const carl = await person(site.app, 'carl')
    const keys = await organization(carl, 'keys')
    const id = await workspaceIn(keys, { name: 'door' })
    const { page, errors } = await site.openPage()
    await site.signIn(page, carl.token, '/app/keys/workspaces/door')
    await page.focus('summary')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.type('tea')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=locked by carl')
    expect(await page.innerText('main')).toContain(': tea')
    expect(await page.evaluate(focused)).toBe('You have locked door.')
    await page.focus('main button')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=not locked')
    mustBe(await (await organizationToken(keys)).post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    await page.reload()
    expect(await page.isVisible('text=Force unlock now')).toBe(false)
    await page.focus('summary')
    await page.keyboard.press('Space')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(focused)).toBe('Force unlock now')
    await page.keyboard.press('Enter')
    await page.waitForSelector('text=not locked')
    expect(errors).toEqual([])
  },
)

test.runIf(chromiumPath)(
  'pages: no width makes the whole page scroll sideways, and print leaves the forms out',
  async () => {
    const dora = await person(site.app, 'dora')
    const id = await workspaceIn(await organization(dora, 'widths'), {
      name: 'of-a-medium-length',
      description: 'word '.repeat(40),
    })
    const long = stateOf({ serial: 2, resources: 1 })
      .toString()
      .replace('"r0"', `"${'long_'.repeat(50)}"`)
    mustBe(await dora.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const send = async (state: Buffer, serial: number): Promise<string> => {
      const sent = stateDocument(state, { serial, state: state.toString('base64') })
      return mustBe(await dora.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201).body.data.id
    }
    await send(stateOf({ serial: 1 }), 1)
    const version = await send(Buffer.from(long), 2)
    mustBe(await dora.post(`/api/v2/workspaces/${id}/actions/unlock`, {}), 200)
    const { page } = await site.openPage()
    await site.signIn(page, dora.token, '/app/account')
    for (const path of [
      '/app/account',
      '/app/widths/workspaces',
      '/app/widths/workspaces/of-a-medium-length',
      '/app/widths/workspaces/of-a-medium-length/states',
      `/app/widths/workspaces/of-a-medium-length/states/${version}`,
      '/app/widths/workspaces/of-a-medium-length/resources',
    ]) {
      await page.goto(`${site.app.url}${path}`)
      for (const width of [320, 513, 600, 704, 705, 800]) {
        await page.setViewportSize({ width, height: 640 })
        expect([path, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width, width])
      }
      await page.emulateMedia({ media: 'print' })
      expect(await page.locator('form:visible, nav:visible, details:visible').count()).toBe(0)
      await page.emulateMedia({ media: 'screen' })
    }
  },
)

test.runIf(chromiumPath)('keyboard: nothing on a narrow page has to be scrolled sideways to be read', async () => {
  const ben = await person(site.app, 'ben')
  await workspaceIn(await organization(ben, 'narrow'), { name: 'x'.repeat(80) })
  const { page } = await site.openPage({ viewport: { width: 360, height: 640 } })
  await site.signIn(page, ben.token, `/app/narrow/workspaces/${'x'.repeat(80)}`)
  const wide =
    '[...document.querySelectorAll("main *")].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).length'
  expect(await page.evaluate(wide)).toBe(0)
})
