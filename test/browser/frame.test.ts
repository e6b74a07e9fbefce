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

test.runIf(chromiumPath)('frame: a lost connection is told, keeps what was typed, and comes back', async () => {
  const cleo = await person(site.app, 'cleo')
  await workspaceIn(await organization(cleo, 'cliffs'), { name: 'bridge' })
  const { page } = await site.openPage()
  await site.signIn(page, cleo.token, '/app/cliffs/workspaces/bridge')
  await page.getByRole('button', { name: 'Lock…' }).click()
  await page.getByLabel('Why').fill('storm')
  await page.context().setOffline(true)
  await page.keyboard.press('Control+Enter')
  await page.getByText('Connection lost. You see what was true at').waitFor()
  await page.getByText(/Next attempt in \d+ s/).waitFor()
  const lock = page.getByRole('dialog').getByRole('button', { name: 'Lock', exact: true })
  expect(await lock.getAttribute('aria-disabled')).toBe('true')
  expect(await lock.getAttribute('data-tip')).toContain('The connection to the server is lost.')
  expect(await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).getAttribute('aria-disabled')).toBe(
    null,
  )
  expect(await page.evaluate('getComputedStyle(document.querySelector("main")).getPropertyValue("--bad")')).toBe(
    await page.evaluate('getComputedStyle(document.querySelector("main")).getPropertyValue("--text-2")'),
  )
  expect(await accessFaults(page)).toEqual([])
  await page.context().setOffline(false)
  await page.getByText('Connection lost.').waitFor({ state: 'detached' })
  expect(await page.getByLabel('Why').inputValue()).toBe('storm')
  await page.keyboard.press('Control+Enter')
  await page.getByText('Locked by you', { exact: true }).waitFor()
  expect(await page.innerText('main')).toContain('Reason: storm')
})
