import { expect, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { organization, person, workspaceIn } from '../support/platform.ts'

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

test.runIf(chromiumPath)('keyboard: nothing on a narrow page has to be scrolled sideways to be read', async () => {
  const ben = await person(site.app, 'ben')
  await workspaceIn(await organization(ben, 'narrow'), { name: 'x'.repeat(80) })
  const { page } = await site.openPage({ viewport: { width: 360, height: 640 } })
  await site.signIn(page, ben.token, `/app/narrow/workspaces/${'x'.repeat(80)}`)
  const wide =
    '[...document.querySelectorAll("main *")].filter((each) => each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 0).length'
  expect(await page.evaluate(wide)).toBe(0)
})
