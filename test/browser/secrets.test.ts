import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { ownFolder } from '../support/folders.ts'
import { person } from '../support/platform.ts'

const site = siteInChromium()
const at = '/app/server/secrets'
const script = '<script>alert(1)</script>'

/** Opens a page, waits for what it shows, and looks for faults. */
async function open(page: Page, path: string, text: string): Promise<void> {
  await page.goto(`${site.app.url}${at}${path}`)
  await page.getByText(text).first().waitFor()
  expect(await accessFaults(page)).toEqual([])
}

/** An empty list and a refused field are answers, which the console tells as well. */
const faults = (errors: readonly string[]) => errors.filter((error) => !error.startsWith('Failed to load resource'))

const tokenOf = async (...policies: string[]) =>
  (await site.app.root.post('/v1/auth/token/create', { policies, meta: { owner: script } })).body.auth

test.runIf(chromiumPath)(
  'secrets: a policy is judged while it is typed, tried, used, deleted and brought back',
  async () => {
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/policies`)
    await page.getByText('Allows everything').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'New policy' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('default')
    await page.getByText('There is a policy default already.').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('team/Web')
    await page.getByLabel('Text', { exact: true }).fill('path "a" {\n  capabilities = ["raed"]\n}')
    await page.getByRole('alert').getByText("line 2, column 19: unknown capability 'raed'").waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByLabel('Text', { exact: true }).fill(`path "${script}" {\n  capabilities = ["read", "list"]\n}`)
    await page.getByText('list, read', { exact: true }).waitFor()
    await page.getByLabel('Path', { exact: true }).fill('elsewhere')
    await page.getByText('Refused').waitFor()
    await page.getByRole('button', { name: 'Create policy' }).click()
    await page.waitForURL(`${site.app.url}${at}/policies/team/web`)
    const { accessor } = await tokenOf('team/web')
    await site.app.root.post('/v1/identity/entity', { name: script, policies: ['team/web'] })

    await open(page, '/policies/team/web?tab=uses', 'Living tokens')
    await page.getByRole('link', { name: script }).waitFor()
    await page.getByRole('link', { name: 'Try a path…' }).click()
    await page.getByLabel('Paths').fill(`/v1/${script} /v1/elsewhere`)
    await page.getByRole('button', { name: 'Show what it may do' }).click()
    await page.getByText('list, read', { exact: true }).waitFor()
    await page.getByText('Refused', { exact: true }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await open(page, `/try?accessor=${accessor}&paths=elsewhere`, 'This token')
    await page.getByText('Refused', { exact: true }).waitFor()
    await open(page, '/try?paths=elsewhere', 'Everything')

    await open(page, '/policies/team/web', '1 token, 1 entity, 0 roles')
    await page.getByRole('button', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('1 token, 1 entity, 0 roles have it').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete policy' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('link', { name: 'team/web', exact: true }).waitFor()
    expect(faults(errors)).toEqual([])
  },
  90_000,
)

test.runIf(chromiumPath)(
  'secrets: an entity is made, named, merged with a preview, disabled and deleted',
  async () => {
    await site.app.root.post('/v1/sys/auth/crew', { type: 'cert' })
    const { accessor } = (await site.app.root.get('/v1/sys/auth')).body.data['crew/']
    const other = await site.app.root.post('/v1/identity/entity', { name: 'older', policies: ['lost'] })
    const canonical = { mount_accessor: accessor, canonical_id: other.body.data.id }
    await site.app.root.post('/v1/identity/entity-alias', { name: 'older.example', ...canonical })
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/entities`)
    await page.getByRole('button', { name: 'New entity' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('billing')
    await page.getByLabel('Metadata').fill(`team=${script}`)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create entity' }).click()
    await page.getByRole('heading', { name: 'billing' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'Aliases' }).click()
    await page.getByRole('button', { name: 'Add alias' }).click()
    await page.getByLabel('Name', { exact: true }).fill(script)
    await page.getByLabel('Auth method').selectOption({ label: 'auth/crew/' })
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Add alias' }).click()
    await page.getByRole('rowheader', { name: script }).waitFor()
    expect(await accessFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Merge…' }).click()
    await page.getByLabel('The other entity').fill('older')
    await page.getByText('2 aliases at auth/crew/ cannot all stay').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByLabel('Which aliases stay').selectOption({ label: 'Those of older' })
    await page.getByRole('button', { name: 'Merge older' }).click()
    await page.getByRole('rowheader', { name: 'older.example' }).waitFor()
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await page.getByText('None of its tokens is accepted any more.').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('button', { name: 'Disable', exact: true }).waitFor()
    await page.getByRole('button', { name: 'More actions for billing' }).click()
    await page.getByRole('menuitem', { name: 'Delete…' }).click()
    await page.getByRole('dialog').getByText('Deleted with it: 1 alias').waitFor()
    await page.getByRole('button', { name: 'Delete entity' }).click()
    await page.getByText('Entity billing deleted').waitFor()
    expect(faults(errors)).toEqual([])
  },
  90_000,
)

test.runIf(chromiumPath)(
  'secrets: a token is made and shown once, looked up, and revoked; long lists come in pages',
  async () => {
    for (let made = 0; made < 25; made++) await tokenOf('default')
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/tokens`)
    await page.getByText('20 tokens on this page').waitFor()
    await page.getByRole('link', { name: 'token', exact: true }).first().waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'token', exact: true }).first().click()
    await page.getByText(script).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.goBack()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.waitForURL(/after=/)
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('nightly')
    await page.getByRole('combobox', { name: 'Policies' }).fill('default')
    await page.keyboard.press('Enter')
    await page.getByLabel('Lifetime').fill('1h')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create token' }).click()
    const secret = await page.getByRole('dialog', { name: 'Your new token' }).locator('code').textContent()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'I have kept it' }).click()
    const caller = site.app.anonymous.as(secret ?? '')
    const { accessor } = (await caller.get('/v1/auth/token/lookup-self')).body.data
    await open(page, `/tokens/${accessor}`, 'nightly')
    await page.getByRole('button', { name: 'Renew' }).click()
    await page.getByText('The token is renewed').waitFor()
    await page.getByRole('button', { name: 'Revoke…' }).click()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('The token is revoked').waitFor()
    expect((await caller.get('/v1/auth/token/lookup-self')).status).toBe(403)
    expect(faults(errors)).toEqual([])
  },
  90_000,
)

test.runIf(chromiumPath)(
  'secrets: a method is enabled, tuned, moved and disabled',
  async () => {
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, `${at}/mounts`)
    await page.getByRole('link', { name: 'auth/token/' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Enable a method' }).click()
    await page.getByLabel('Type', { exact: true }).fill('no-such')
    await page.getByRole('button', { name: 'Enable method' }).click()
    await page.getByRole('alert').getByText("no auth method of type 'no-such'").waitFor()
    await page.getByLabel('Type', { exact: true }).fill('cert')
    await page.getByLabel('Path', { exact: true }).fill('edge/site')
    await page.getByLabel('For', { exact: true }).fill(script)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Enable method' }).click()
    await page.getByRole('link', { name: 'auth/edge/site/' }).click()
    await page.getByLabel('Lifetime').fill('30m')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Save settings' }).click()
    await page.getByText('The settings of auth/edge/site/ are saved').waitFor()
    expect((await site.app.root.get('/v1/sys/auth/edge/site/tune')).body.data.default_lease_ttl).toBe(1800)
    await page.getByRole('button', { name: 'Move…' }).click()
    await page.getByLabel('New path').fill('edge/north')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Move method' }).click()
    await page.waitForURL(`${site.app.url}${at}/mounts/auth/edge/north`)
    await page.getByRole('button', { name: 'Disable…' }).click()
    await page.getByLabel('Type auth/edge/north/ to confirm').fill('auth/edge/north/')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Disable method' }).click()
    await page.getByText('auth/edge/north/ is gone').waitFor()
    await open(page, '/mounts?kind=engines', 'cubbyhole/')
    await open(page, '/mounts/sys', 'It has no settings')
    expect(faults(errors)).toEqual([])
  },
  90_000,
)

test.runIf(chromiumPath)(
  'secrets: an audit device is tried, enabled and disabled, and a rate limit comes and goes',
  async () => {
    const log = join(ownFolder(), 'audit.log')
    const { page, errors } = await site.openPage({ viewport: { width: 390, height: 844 } })
    await site.signIn(page, site.app.rootToken, `${at}/audit`)
    await page.getByText('Nothing is recorded yet').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Enable a device' }).first().click()
    await page.getByLabel('File', { exact: true }).fill('/proc/nowhere/audit.log')
    await page.getByRole('button', { name: 'Try and enable' }).click()
    await page.getByRole('alert').getByText('The audit device cannot be used').waitFor()
    await page.getByLabel('File', { exact: true }).fill(log)
    await page.getByLabel('For', { exact: true }).fill(script)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Try and enable' }).click()
    await page.getByText('Records', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Add header' }).click()
    await page.getByLabel('Header', { exact: true }).fill('X-Trace-Id')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Add header' }).click()
    await page.getByRole('button', { name: 'Stop recording x-trace-id' }).click()
    await page.getByText('No header is recorded.').waitFor()
    expect(await readFile(log, 'utf8')).toContain('sys/config/auditing/request-headers')
    await page.getByRole('button', { name: 'Actions for file/' }).click()
    await page.getByRole('menuitem', { name: 'Disable…' }).click()
    await page.getByLabel('Type file/ to confirm').fill('file/')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Disable device' }).click()
    await page.getByText('Nothing is recorded yet').waitFor()

    await open(page, '/limits', 'No rate limits yet')
    await page.getByRole('button', { name: 'New limit' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('all')
    await page.getByLabel('Requests').fill('100000')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create limit' }).click()
    await page.getByText('100,000 in 1 s').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Actions for all' }).click()
    await page.getByRole('menuitem', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('100,000 in 1 s').waitFor()
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
    expect(faults(errors)).toEqual([])
  },
  90_000,
)

test.runIf(chromiumPath)('secrets: whoever has no token of /v1 is told what it takes', async () => {
  const ann = await person(site.app, 'ann')
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, `${at}/policies`)
  await page.getByText('This needs another sign-in').waitFor()
  expect(await accessFaults(page)).toEqual([])
  await page.goto(`${site.app.url}${at}/policies/web`)
  await page.getByText('This needs another sign-in').waitFor()
  expect(errors).toEqual([])
})
