import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { join, mustBe, organization, person, team, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

/** A text that would be a script if it were taken for one. */
const script = '<img src=x onerror=alert(1)>'

const dialogOf = (page: Page, name: string) => page.getByRole('dialog', { name })

test.runIf(chromiumPath)('workspaces: one is made, found by its filters, and changed with others', async () => {
  const ann = await person(site.app, 'ann')
  const acme = await organization(ann, 'acme')
  const crew = await team(acme, 'crew', { 'organization-access': { 'manage-workspaces': true } })
  for (const name of ['storage', 'taken']) {
    const id = await workspaceIn(acme, { name, description: script })
    if (name === 'taken') mustBe(await crew.post(`/api/v2/workspaces/${id}/actions/lock`, { reason: script }), 200)
  }
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/acme/workspaces')
  await page.getByText(/answered in \d+ ms/).waitFor()
  await page.getByRole('button', { name: 'New workspace' }).click()
  const dialog = dialogOf(page, 'New workspace')
  await dialog.getByLabel('Name').fill('net work')
  await dialog.getByText('Try net-work.').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await dialog.getByLabel('Name').fill('network')
  await dialog.getByLabel('Tags').fill('env=prod')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Create workspace' }).click()
  await page.waitForURL(`${site.app.url}/app/acme/workspaces/network`)
  await page.getByRole('heading', { level: 1, name: 'network' }).waitFor()

  await page.goto(`${site.app.url}/app/acme/workspaces`)
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.getByRole('menuitem', { name: 'Has the tag…' }).click()
  await dialogOf(page, 'Which tag?').getByLabel('Tag').fill('env=prod')
  await page.keyboard.press('Enter')
  await page.getByText('1 matches').waitFor()
  expect(new URL(page.url()).searchParams.get('tags')).toBe('["env=prod"]')
  expect(await page.locator('tbody th').allInnerTexts()).toEqual(['network'])
  await page.getByRole('button', { name: 'Remove filter Tag is env=prod' }).click()
  await page.getByText('3 match').waitFor()

  await page.getByLabel('Select all rows shown').check()
  await page.getByRole('button', { name: 'Lock…', exact: true }).click()
  const preview = dialogOf(page, 'Lock them?')
  await preview.getByText('2 will be locked, 0 as they are, 1 refused.').waitFor()
  expect(await preview.locator('tbody tr').first().innerText()).toContain('locked by Team crew')
  expect(await accessFaults(page)).toEqual([])
  await preview.getByLabel('Why').fill('moving')
  await preview.getByRole('button', { name: 'Lock 2' }).click()
  await page.getByText('2 workspaces locked').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(async () => (await ann.get('/api/v2/organizations/acme/workspaces?filter[locked]=true')).body.data.length)
    .toBe(1)
  expect(await accessFaults(page)).toEqual([])
  expect(errors).toEqual([])
})

test.runIf(chromiumPath)('workspace: its pages, its variables, its settings with undo, and its end', async () => {
  const eve = await person(site.app, 'eve')
  const org = await organization(eve, 'edge')
  const id = await workspaceIn(org, { name: 'router', description: script })
  await team(org, 'helpers')
  const state = stateOf({ serial: 1, resources: 2, outputs: { address: script }, secrets: { key: 'hush' } })
  mustBe(await eve.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
  const sent = stateDocument(state, { serial: 1, state: state.toString('base64') })
  mustBe(await eve.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201)
  mustBe(await eve.post(`/api/v2/workspaces/${id}/actions/unlock`, {}), 200)
  const { page, errors } = await site.openPage()
  await site.signIn(page, eve.token, '/app/edge/workspaces/router')
  await page.getByText(script).first().waitFor()
  expect(await page.content()).not.toContain('hush')
  await page.getByRole('button', { name: 'Reveal' }).click()
  await page.getByText('hush').waitFor()
  for (const [tab, text] of [
    ['State', 'Serial 1'],
    ['Resources', 'null_resource.r1'],
    ['Variables', 'No variables yet'],
    ['Access', 'Who can do what'],
    ['History', 'unlocked the workspace'],
    ['Settings', 'Delete the workspace…'],
  ] as const) {
    await page.getByRole('navigation', { name: 'Parts of this page' }).getByRole('link', { name: tab }).click()
    await page.getByText(text).first().waitFor()
    expect([tab, await accessFaults(page)]).toEqual([tab, []])
  }

  await page.getByLabel('Tool version').fill('1.9')
  await page.getByText('Write ~> 1.9 for the newest of these, or all three numbers.').waitFor()
  await page.getByLabel('Tool version').fill('~> 1.9')
  await page.getByRole('button', { name: 'Save settings' }).click()
  await page.getByText('The settings of router are saved').waitFor()
  await page.getByRole('link', { name: 'History' }).click()
  await page.getByRole('button', { name: 'Undo: tool-version' }).click()
  await page.getByText('router has the settings from before that change').waitFor()

  await page.getByRole('link', { name: /^Variables/ }).click()
  await page.getByRole('button', { name: 'New variable…' }).click()
  const variable = dialogOf(page, 'New variable')
  await variable.getByLabel('Name').fill('pass word')
  await variable.getByText('It must not contain spaces.').waitFor()
  await variable.getByLabel('Name').fill('password')
  await variable.getByRole('textbox', { name: 'Value' }).fill('s3cret')
  await variable.getByText('Sensitive', { exact: true }).click()
  expect(await accessFaults(page)).toEqual([])
  await variable.getByRole('button', { name: 'Create variable' }).click()
  await page.getByText('sensitive, never shown').waitFor()
  expect(await page.content()).not.toContain('s3cret')

  await page.getByRole('link', { name: 'Access' }).click()
  await page.getByRole('button', { name: 'Give access…' }).click()
  const access = dialogOf(page, 'Give a team access to router')
  await access.getByLabel('Team').selectOption({ label: 'helpers' })
  await access.getByLabel('Access').selectOption('write')
  expect(await accessFaults(page)).toEqual([])
  await access.getByRole('button', { name: 'Give access' }).click()
  await page.getByRole('row', { name: /helpers write this workspace/ }).waitFor()

  await page.getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete it by force…' }).click()
  const end = dialogOf(page, 'Delete router by force?')
  expect(await end.innerText()).toMatch(/nothing manages any more\s+2/)
  expect(await accessFaults(page)).toEqual([])
  await end.getByLabel('Type router to confirm').fill('router')
  await end.getByRole('button', { name: 'Delete it by force' }).click()
  await page.waitForURL(`${site.app.url}/app/edge/workspaces`)
  mustBe(await eve.get(`/api/v2/workspaces/${id}`), 404)
  expect(errors).toEqual([])
})

test.runIf(chromiumPath)('workspace: whoever may only read sees why the rest is not for them', async () => {
  const owner = await person(site.app, 'owner')
  const reader = await person(site.app, 'reader')
  const org = await organization(owner, 'rights')
  const readers = await team(org, 'readers', { 'organization-access': { 'read-workspaces': true } })
  await join(org, reader, [readers.id])
  await workspaceIn(org, { name: 'door' })
  const { page, errors } = await site.openPage({ viewport: { width: 390, height: 844 } })
  await site.signIn(page, reader.token, '/app/rights/workspaces/door')
  const lock = page.getByRole('button', { name: 'Lock…' })
  await lock.waitFor()
  expect(await lock.getAttribute('aria-disabled')).toBe('true')
  expect(await lock.getAttribute('data-tip')).toContain('You may not lock it. An owner of rights')
  await lock.click({ force: true })
  expect(await page.getByRole('dialog').count()).toBe(0)
  await page.goto(`${site.app.url}/app/rights/workspaces/door/settings`)
  await page.getByText('You may not change its settings. An owner of rights').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.goto(`${site.app.url}/app/rights/workspaces/window`)
  await page.getByText('There is no such workspace').waitFor()
  expect(errors.filter((error) => !error.includes('404'))).toEqual([])
})
