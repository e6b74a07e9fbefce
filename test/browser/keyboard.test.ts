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
  await page.getByRole('heading', { level: 1, name: 'network' }).waitFor()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(focused)).toBe('Skip to the content')
  expect((await page.getByText('Skip to the content').boundingBox())?.x).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement?.closest("main") !== null')).toBe(true)
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
    await page.getByRole('button', { name: 'Lock…' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Lock door?' }).waitFor()
    await page.keyboard.type('tea')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Locked by you', { exact: true }).waitFor()
    expect(await page.innerText('main')).toContain('Reason: tea')
    await page.getByRole('button', { name: 'Unlock', exact: true }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('door is unlocked', { exact: true }).waitFor()
    mustBe(await (await organizationToken(keys)).post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const force = page.getByRole('button', { name: 'Break the lock…' })
    await force.waitFor()
    await force.focus()
    await page.keyboard.press('Space')
    await page.getByRole('dialog').waitFor()
    expect(await page.evaluate('document.activeElement?.tagName')).toBe('INPUT')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate(focused)).toBe('Break the lock…')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('the machine is gone')
    await page.keyboard.press('Enter')
    await page.getByText('door is unlocked by force').waitFor()
    const [change] = mustBe(await carl.get(`/api/v2/workspaces/${id}/changes`), 200).body.data
    expect(change.attributes.after).toMatchObject({ locked: false, reason: 'the machine is gone' })
    expect(errors).toEqual([])
  },
)

test.runIf(chromiumPath)('list: rows have ranges, menus and neighbours, and columns can be hidden', async () => {
  const eve = await person(site.app, 'eve')
  const rows = await organization(eve, 'rows')
  for (const name of ['one', 'three', 'two']) await workspaceIn(rows, { name })
  const { page, errors } = await site.openPage()
  await site.signIn(page, eve.token, '/app/rows/workspaces')
  await page.getByText('showing 1 to 3').waitFor()
  await page.getByLabel('Select one').click()
  await page.getByLabel('Select two').click({ modifiers: ['Shift'] })
  await page.getByText('3 selected').waitFor()
  await page.getByRole('button', { name: 'Choose columns' }).click()
  await page.getByRole('menuitem', { name: 'Tool' }).click()
  await page.getByRole('columnheader', { name: 'Tool' }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Actions of three' }).click()
  await page.getByRole('menuitem', { name: 'Lock…' }).click()
  await page.getByRole('dialog').getByText('three').first().waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'three' }).click()
  await page.getByRole('link', { name: 'History' }).click()
  await page.waitForURL('**/three/history')
  await page.keyboard.press(']')
  await page.waitForURL('**/two/history')
  await page.keyboard.press('[')
  await page.waitForURL('**/three/history')
  await page.keyboard.press('e')
  await page.waitForURL('**/three/settings')
  expect(errors).toEqual([])
})

test.runIf(chromiumPath)('pages: no width makes the whole page scroll sideways', async () => {
  const dora = await person(site.app, 'dora')
  const id = await workspaceIn(await organization(dora, 'widths'), {
    name: 'x'.repeat(80),
    description: 'word '.repeat(40),
  })
  const long = stateOf({ serial: 2, resources: 1 })
    .toString()
    .replace('"r0"', `"${'long_'.repeat(50)}"`)
  mustBe(await dora.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: 'y'.repeat(200) }), 200)
  for (const [serial, state] of [
    [1, stateOf({ serial: 1 })],
    [2, Buffer.from(long)],
  ] as const) {
    const sent = stateDocument(state, { serial, state: state.toString('base64') })
    mustBe(await dora.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201)
  }
  const { page } = await site.openPage()
  await site.signIn(page, dora.token, '/app/widths/workspaces')
  const workspace = `/app/widths/workspaces/${'x'.repeat(80)}`
  const tabs = ['', '/state', '/resources', '/variables', '/access', '/history', '/settings']
  for (const path of ['/app/account', '/app/widths/workspaces', ...tabs.map((tab) => workspace + tab)]) {
    await page.goto(`${site.app.url}${path}`)
    await page.waitForLoadState('networkidle').catch(() => undefined)
    for (const width of [320, 600, 800, 1024]) {
      await page.setViewportSize({ width, height: 640 })
      expect([path, width, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([path, width, width])
    }
  }
})
