import { generateKeyPairSync } from 'node:crypto'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'

const site = siteInChromium()
const at = '/app/server/secrets'
const script = '<img src=x onerror=alert(1)>'
const hidden = 'correct-horse-battery'

const faults = (errors: readonly string[]) => errors.filter((error) => !error.startsWith('Failed to load resource'))

/** Everything that a browser keeps of a page: its address, its storages, and what it shows. */
const keptBy = (page: Page): Promise<string> =>
  page.evaluate(`(async () => {
    const stored = JSON.stringify({ ...localStorage, ...sessionStorage })
    const cached = (await caches.keys()).join()
    return [location.href, JSON.stringify(history.state), stored, cached, document.cookie].join(' ')
  })()`)

test.runIf(chromiumPath)(
  'kv: a secret is written, shown one value at a time, changed, compared, deleted and brought back',
  async () => {
    await site.app.root.post('/v1/sys/mounts/team', { type: 'kv', options: { version: '2' } })
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/browse`)
    await page.getByRole('link', { name: 'team/' }).click()
    await page.getByText('Nothing is in this folder yet.').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'New secret' }).click()
    await page.getByLabel('Name', { exact: true }).fill(`app/${script.replaceAll(' ', '_')}`)
    await page.getByLabel('Key 1').fill('password')
    await page.getByLabel('Value 1').fill(hidden)
    await page.getByRole('button', { name: 'Add a key' }).click()
    await page.getByLabel('Key 2').fill(script)
    await page.getByLabel('Value 2').fill(script)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create secret' }).click()
    await page.getByText('2 keys').waitFor()
    expect(await page.content()).not.toContain(hidden)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Show password' }).click()
    await page.getByText(hidden).waitFor()
    await page.getByText('password is hidden again in').waitFor()
    // The tip of the button is no part of the page.
    await page.mouse.move(0, 0)
    expect(await accessFaults(page)).toEqual([])
    expect(await keptBy(page)).not.toContain(hidden)
    await page.getByRole('button', { name: `Show ${script}` }).click()
    await page.getByText(hidden).waitFor({ state: 'detached' })

    await page.getByRole('link', { name: 'Edit', exact: true }).click()
    await page.getByLabel('Value 2').fill('second')
    const path = `/v1/team/data/app/${encodeURIComponent(script.replaceAll(' ', '_'))}`
    await site.app.root.post(path, { data: { other: 'x' } })
    await page.getByRole('button', { name: 'Write new version' }).click()
    await page.getByText('Somebody wrote version 2 while you were typing').waitFor()
    expect(await page.getByLabel('Value 2').inputValue()).toBe('second')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Write after version 2 nevertheless' }).click()
    await page.getByRole('button', { name: 'Write new version' }).click()
    await page.getByText('Version 3 is written').first().waitFor()

    await page.getByRole('link', { name: 'Compare' }).click()
    await page.getByText('sensitive').first().waitFor()
    expect(await page.content()).not.toContain(hidden)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Show values' }).click()
    await page.getByText(hidden).waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByText('3 versions').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Actions for version 1' }).click()
    await page.getByRole('menuitem', { name: 'Restore' }).click()
    await page.getByText('Version 1 is written again').waitFor()
    await page.getByRole('button', { name: 'Delete version 4' }).click()
    await page.getByText('Version 4 is deleted').waitFor()
    await page.getByRole('link', { name: 'Values' }).click()
    await page.getByRole('button', { name: 'Undelete' }).click()
    await page.getByText('2 keys').waitFor()
    await page.getByRole('link', { name: 'Versions' }).click()
    await page.getByRole('button', { name: 'Actions for version 2' }).click()
    await page.getByRole('menuitem', { name: 'Destroy…' }).click()
    await page.getByLabel('Type 2 to confirm').fill('2')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Destroy version' }).click()
    await page.getByText('Version 2 is destroyed').waitFor()

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByLabel('Texts kept with it').fill(`owner=${script}`)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('are saved').first().waitFor()
    await page.getByRole('link', { name: 'History' }).last().click()
    await page.getByText('one for each user and verb').waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect(await keptBy(page)).not.toContain(hidden)
    expect(faults(errors)).toEqual([])
  },
  180_000,
)

test.runIf(chromiumPath)(
  'kv: long folders come in pages, and an engine without versions says what a change loses',
  async () => {
    await site.app.root.post('/v1/sys/mounts/old', { type: 'kv', options: { version: '1' } })
    for (let made = 0; made < 105; made++) await site.app.root.post(`/v1/old/app-${1000 + made}`, { a: hidden })
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/browse/old`)
    await page.getByText('100 names on this page').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('5 names on this page').waitFor()
    await page.getByLabel('Names that begin with').fill('app-1050')
    await page.getByRole('link', { name: 'app-1050' }).click()
    await page.getByText('1 key').first().waitFor()
    expect(await page.content()).not.toContain(hidden)
    await page.getByRole('link', { name: 'Edit', exact: true }).first().click()
    await page.getByText('this engine keeps no versions').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.goto(`${site.app.url}${at}/secret/old/app-1050`)
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByText('nothing brings them back but a snapshot').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByLabel('Type app-1050 to confirm').fill('app-1050')
    await page.getByRole('button', { name: 'Delete secret' }).click()
    await page.getByText('old/app-1050 is deleted').waitFor()
    expect(faults(errors)).toEqual([])
  },
  180_000,
)

test.runIf(chromiumPath)(
  'methods: a role of applications is made and gets a secret id once; keys and roles of tokens are set',
  async () => {
    await site.app.root.post('/v1/sys/auth/apps', { type: 'approle' })
    await site.app.root.post('/v1/sys/auth/jobs', { type: 'jwt' })
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/mounts/auth/apps`)
    await page.getByRole('link', { name: 'Show its roles' }).click()
    await page.getByText('No roles yet').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name', { exact: true }).fill('web')
    await page.getByLabel('Secret ids last').fill('10m')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('link', { name: 'web', exact: true }).click()
    await page.getByText('role id').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Make a secret id' }).click()
    await page.getByLabel('Metadata').fill(`host=${script}`)
    await page.getByLabel('Logins', { exact: true }).fill('3')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Make secret id' }).click()
    const dialog = page.getByRole('dialog', { name: 'Secret id of web' })
    const secret_id = await dialog.locator('code').textContent()
    const { role_id } = (await site.app.root.get('/v1/auth/apps/role/web/role-id')).body.data
    const login = await site.app.anonymous.post('/v1/auth/apps/login', { role_id, secret_id })
    expect(login.status).toBe(200)
    await page.getByRole('button', { name: 'I have kept it' }).click()
    expect(await page.content()).not.toContain(secret_id)
    await page.getByRole('link', { name: 'Secret ids' }).click()
    await page.getByText(`host=${script}`).waitFor()
    await page.getByRole('cell', { name: '2 logins' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Destroy' }).click()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Destroy secret id' }).click()
    await page.getByText('No secret id is good now.').waitFor()
    expect((await site.app.anonymous.post('/v1/auth/apps/login', { role_id, secret_id })).status).toBe(400)

    await page.goto(`${site.app.url}${at}/methods/jobs?tab=settings`)
    await page.getByText('Nothing is set yet').waitFor()
    expect(await accessFaults(page)).toEqual([])
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString()
    await page.getByLabel('Or the keys themselves').fill(pem)
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('The settings of auth/jobs/ are saved').waitFor()
    await page.getByText('Ready: the keys are there').waitFor()
    await page.getByRole('button', { name: 'New role' }).click()
    await page.getByLabel('Name', { exact: true }).fill('deploy')
    await page.getByLabel('Claim that identifies').fill('sub')
    await page.getByLabel('Claims that a token must have').fill('{"ref": ["main"]}')
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect((await site.app.root.get('/v1/auth/jobs/role/deploy')).body.data).toMatchObject({
      role_type: 'jwt',
      bound_claims: { ref: ['main'] },
    })
    expect(faults(errors)).toEqual([])
  },
  120_000,
)
