import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'

const site = siteInChromium({ settings: { seal: { type: 'shamir', rootKey: { kind: 'file', path: '/nowhere' } } } })

test.runIf(chromiumPath)('system: it is unsealed, gets new key shares, is sealed, and opens with those', async () => {
  const { keys, root_token: token } = (
    await site.app.anonymous.put('/v1/sys/init', { secret_shares: 3, secret_threshold: 2 })
  ).body as { keys: string[]; root_token: string }
  const { page, errors } = await site.openPage()
  const give = async (label: string, button: string, shares: readonly string[]) => {
    for (const [at, share] of shares.entries()) {
      await page.getByText(`${at} of ${shares.length} given`).waitFor()
      await page.getByRole('textbox', { name: label }).fill(share)
      await page.getByRole('button', { name: button }).click()
    }
  }
  await page.goto(`${site.app.url}/app/server/system`)
  await page.getByRole('heading', { name: 'Holdfast is sealed' }).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await give('Key share', 'Give this share', keys.slice(0, 2))
  await page.waitForURL(/sign-in/)
  await site.signIn(page, token, '/app/server/system')
  await page.getByText('2 of 3 key shares').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Rotate the encryption key' }).click()
  await page.getByText('number 2').waitFor()

  await page.getByRole('button', { name: 'New key shares…' }).click()
  await page.getByLabel('Shares', { exact: true }).fill('2')
  await page.getByLabel('Needed to open').fill('2')
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Begin' }).click()
  await give('A present key share', 'Give this share', keys.slice(0, 2))
  await page.getByText('shown only this once').waitFor()
  expect(await accessFaults(page)).toEqual([])
  const fresh = await page.locator('dialog pre').allTextContents()
  expect(fresh).toHaveLength(2)
  await page.getByRole('button', { name: 'I have kept them' }).click()
  await page.getByRole('button', { name: 'New key shares…' }).click()
  await give('A new key share', 'Give this share', fresh)
  await page.getByText('The new key shares are in force').waitFor()

  await page.getByRole('button', { name: 'Seal…' }).click()
  await page.getByLabel(/^Type /).fill(new URL(site.app.url).host)
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'Seal the server' }).click()
  await page.getByRole('heading', { name: 'Holdfast is sealed' }).waitFor()
  await give('Key share', 'Give this share', fresh)
  await page.getByText('2 of 2 key shares').waitFor()
  // A sealed server answers with 503, and a stranger is led to the sign-in page: the console tells both.
  expect(errors.filter((error) => !error.startsWith('Failed to load resource'))).toEqual([])
})
