import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { organization, person } from '../support/platform.ts'

const site = siteInChromium({
  settings: { inForce: [{ key: 'log.level', shown: 'debug', where: 'HOLDFAST_LOG_LEVEL' }] },
})

test.runIf(chromiumPath)(
  'account: the browsers in which one is signed in are listed, and one is signed out',
  async () => {
    const ann = await person(site.app, 'ann')
    await organization(ann, 'acme')
    const { page, errors } = await site.openPage()
    await site.signIn(page, ann.token, '/app/account')
    const other = await site.openPage({
      userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
      viewport: { width: 390, height: 844 },
    })
    await site.signIn(other.page, ann.token, '/app/account')
    await other.page.getByText('Firefox on Linux this one').waitFor()
    expect(await accessFaults(other.page)).toEqual([])
    await page.reload()
    await page.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
    await page.getByText('Firefox on Linux is signed out').waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect((await other.page.request.get(`${site.app.url}/app/session`)).status()).toBe(401)
    await page.getByRole('button', { name: /^Sign out Chrome/ }).waitFor()
    expect(errors).toEqual([])
  },
)

test.runIf(chromiumPath)('server: figures, background work and settings have pages, also on a phone', async () => {
  const { page, errors } = await site.openPage({ viewport: { width: 390, height: 844 } })
  await site.signIn(page, site.app.rootToken, '/app/server/system/figures')
  await page.getByText('Time of a request').waitFor()
  await page.getByText('last 2 samples').first().waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Background work' }).click()
  await page.getByText(/match, showing 1 to|0 match/).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByText('HOLDFAST_LOG_LEVEL').waitFor()
  await page.getByLabel('Search by name').fill('nothing')
  await page.getByText('No setting matches.').waitFor()
  expect(await accessFaults(page)).toEqual([])
  expect(await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  expect(errors).toEqual([])
})
