import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'

const site = siteInChromium()

test.runIf(chromiumPath)('overview: a lock that is held for long is told, and leads to its workspace', async () => {
  const ann = await person(site.app, 'ann')
  const acme = await organization(ann, 'acme')
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/acme/overview')
  await page.getByText('All is well').waitFor()
  expect(await accessFaults(page)).toEqual([])
  const id = await workspaceIn(acme, { name: 'network' })
  const reason = '<script>alert(1)</script>'
  mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, { reason }), 200)
  site.app.clock.advance('25h')
  // The session has ended by then.
  await page.context().clearCookies()
  await site.signIn(page, ann.token, '/app/acme/overview')
  await page.getByText(`Locked by ann: ${reason}`).waitFor()
  await page.getByText('1 thing needs attention').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Open lock: network' }).click()
  await page.waitForURL(`${site.app.url}/app/acme/workspaces/network`)
  expect(errors.filter((error) => !error.startsWith('Failed to load resource'))).toEqual([])
})
