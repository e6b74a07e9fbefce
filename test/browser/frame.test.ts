import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { organization, person, workspaceIn } from '../support/platform.ts'

const site = siteInChromium()

test.runIf(chromiumPath)('frame: keys lead to places, to the search, and to the table of keys', async () => {
  const ann = await person(site.app, 'ann')
  const acme = await organization(ann, 'acme')
  for (const name of ['network', 'storage']) await workspaceIn(acme, { name })
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/acme/workspaces')
  await page.getByRole('link', { name: 'network' }).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('stor')
  await page.getByRole('option', { name: 'storage' }).waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await page.getByText('Search everything').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('/')
  await page.keyboard.type('net')
  await page.getByText('1 matches').waitFor()
  expect(new URL(page.url()).search).toBe('?search=net')
  expect(errors).toEqual([])
})

test.runIf(chromiumPath)('frame: whoever is not signed in is led to the sign-in page, and back', async () => {
  const bob = await person(site.app, 'bob')
  await organization(bob, 'bees')
  const { page } = await site.openPage()
  await page.goto(`${site.app.url}/app/bees/workspaces?search=x`)
  await page.waitForURL(/sign-in\?next=/)
  await page.fill('input[name=token]', bob.token)
  await page.click('text=Sign in with token')
  await page.waitForURL(`${site.app.url}/app/bees/workspaces?search=x`)
  await page.getByText('Nothing matches.').waitFor()
})
