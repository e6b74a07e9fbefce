import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { doc, mustBe, type Organization, organization, person, team, workspaceIn } from '../support/platform.ts'

const site = siteInChromium()
const script = '<img src=x onerror=alert(1)>'

/** Opens a page by its address, and looks at it as those who cannot see do. */
async function look(page: Page, path: string, text: string): Promise<void> {
  await page.goto(`${site.app.url}${path}`)
  await page.getByText(text, { exact: false }).first().waitFor()
  expect([path, await accessFaults(page)]).toEqual([path, []])
}

/** Reads a secret that is shown once, and closes it. */
async function secretOf(page: Page): Promise<string> {
  const secret = (await page.locator('dialog pre').innerText()).trim()
  expect(await accessFaults(page)).toEqual([])
  await page.getByRole('button', { name: 'I have kept it' }).click()
  return secret
}

const projectIn = async (acme: Organization, name: string) =>
  mustBe(
    await acme.owner.post(
      `/api/v2/organizations/${acme.name}/projects`,
      doc('projects', { name, description: script }),
    ),
    201,
  )

test.runIf(chromiumPath)(
  'organization: a team is made, gets access and a token, and is deleted by its name',
  async () => {
    const ann = await person(site.app, 'ann')
    const acme = await organization(ann, 'acme')
    await projectIn(acme, 'network')
    const { page, errors } = await site.openPage()
    await site.signIn(page, ann.token, '/app/acme/organization')
    await page.getByRole('button', { name: 'New team' }).click()
    expect(await accessFaults(page)).toEqual([])
    await page.getByLabel('Name').fill('deploy')
    await page.getByRole('button', { name: 'Create team' }).click()
    await page.waitForURL('**/access/teams/deploy')
    await page.getByText('Nobody is in this team yet.').waitFor()

    await page.getByRole('link', { name: 'Teams and access' }).first().click()
    await page.getByRole('link', { name: 'deploy in network: no access' }).click()
    await page.getByRole('button', { name: 'Give access…' }).click()
    await page.getByLabel('Access', { exact: true }).selectOption('custom')
    expect(await accessFaults(page)).toEqual([])
    await page.getByLabel('Runs').selectOption('apply')
    await page.getByRole('button', { name: 'Save access' }).click()
    await page.getByRole('link', { name: 'deploy in network: custom' }).waitFor()
    await page.getByText('Plan and apply').waitFor()
    expect(await accessFaults(page)).toEqual([])

    await page.goto(`${site.app.url}/app/acme/organization/access/rights`)
    await page.getByLabel('deploy: Read all projects').click()
    await page.getByText('Team deploy may now: Read all projects').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Team deploy may no longer: Read all projects').waitFor()

    await page.goto(`${site.app.url}/app/acme/organization/access/teams/deploy/tokens`)
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('What it is for').fill(script)
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await secretOf(page)
    mustBe(await site.app.root.as(token).get('/api/v2/organizations/acme'), 200)
    await page.getByRole('button', { name: `Actions of ${script}` }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke token' }).click()
    await page.getByText('No tokens yet').waitFor()
    mustBe(await site.app.root.as(token).get('/api/v2/organizations/acme'), 401)

    await page.getByRole('link', { name: 'Settings' }).last().click()
    await page.getByText('AppRole logins may act as this team').click()
    await page.getByRole('button', { name: 'Save team' }).click()
    await page.getByText('Team deploy was saved').waitFor()
    const teams = mustBe(await ann.get('/api/v2/organizations/acme/teams'), 200).body.data
    expect(
      teams.find(({ attributes }: { attributes: { name: string } }) => attributes.name === 'deploy').attributes,
    ).toMatchObject({ 'allowed-login-methods': ['approle'], 'allow-certificate-login': false })
    await page.getByRole('button', { name: 'Delete team…' }).click()
    await page.getByLabel('Type deploy to confirm').fill('deploy')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete team', exact: true }).click()
    await page.waitForURL('**/access/teams')
    expect(errors).toEqual([])
  },
  60_000,
)

test.runIf(chromiumPath)(
  'organization: somebody is invited by a link, and every page can be read',
  async () => {
    const ben = await person(site.app, 'ben')
    const bees = await organization(ben, 'bees')
    await projectIn(bees, 'network')
    await workspaceIn(bees, { name: 'first' })
    await team(bees, 'builders', { 'organization-access': { 'read-workspaces': true } })
    const at = '/app/bees/organization'
    mustBe(await ben.post('/api/v2/organizations/bees/authentication-token', doc('authentication-tokens')), 201)
    mustBe(await ben.post('/api/v2/organizations/bees/agent-pools', doc('agent-pools', { name: 'pool' })), 201)
    const { page, errors } = await site.openPage()
    await site.signIn(page, ben.token, `${at}/members`)
    await page.getByRole('button', { name: 'Invite' }).click()
    await page.getByLabel('E-mail address').fill('guest@corp.example')
    await page.getByRole('button', { name: 'Invite' }).last().click()
    expect(await secretOf(page)).toMatch(/\/app\/memberships\/\w{32}$/)
    for (const [path, text] of [
      [`${at}/access`, 'builders'],
      [`${at}/access/workspaces`, 'first'],
      [`${at}/access/rights`, 'Read all workspaces'],
      [`${at}/access/teams`, 'builders'],
      [`${at}/access/teams/owners`, 'ben'],
      [`${at}/access/teams/builders/access`, 'network'],
      [`${at}/access/teams/builders/settings`, 'Who sees it'],
      [`${at}/projects`, script],
      [`${at}/projects/network`, 'No workspace is in this project.'],
      [`${at}/projects/network/settings`, 'Default tags'],
      [`${at}/members?status=invited`, 'guest@corp.example'],
      [`${at}/tokens`, 'Limit how long new tokens last'],
      [`${at}/agents`, 'every workspace'],
      [`${at}/agents/pool`, 'No tokens yet'],
      [`${at}/connections`, 'No key is stored.'],
      [`${at}/settings`, 'Defaults of workspaces'],
      [`${at}/settings/retention`, 'Old state'],
      [`${at}/settings/tools`, 'Releases'],
      [`${at}/settings/deletion`, 'All state of 1 workspace is lost'],
      [`${at}/history?kind=projects`, 'network'],
      ['/app/new', 'E-mail address of the owners'],
      ['/app/account', 'Sign out everywhere'],
      ['/app/settings/tokens', 'New token'],
    ] as const)
      await look(page, path, text)
    expect(new URL(page.url()).pathname).toBe('/app/account/tokens')
    expect(errors).toEqual([])
  },
  120_000,
)

test.runIf(chromiumPath)(
  'organization: one is created, changed and deleted by typing its name',
  async () => {
    const { page, errors } = await site.openPage()
    const eve = await person(site.app, 'eve')
    await site.signIn(page, eve.token, '/app')
    await page.getByRole('link', { name: 'Create an organization' }).click()
    await page.getByLabel('Name').fill('<b>')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.getByText('may contain only letters').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByLabel('Name').fill('eden')
    await page.getByRole('button', { name: 'Create organization' }).click()
    await page.waitForURL('**/app/eden/workspaces')
    // The server refused the first name.
    errors.length = 0
    await page.goto(`${site.app.url}/app/eden/organization/settings/retention`)
    await page.getByLabel('Old state').selectOption('data-retention-policy-delete-olders')
    await page.getByLabel('Days').fill('30')
    await page.getByRole('button', { name: 'Save policy' }).click()
    await page.getByText('The retention policy was saved').waitFor()
    await page.goto(`${site.app.url}/app/eden/organization/settings/deletion`)
    await page.getByRole('button', { name: 'Delete organization…' }).click()
    await page.getByLabel('Type eden to confirm').fill('eden')
    await page.getByRole('button', { name: 'Delete organization', exact: true }).click()
    await page.getByText('Organization eden is deleted').waitFor()
    mustBe(await eve.get('/api/v2/organizations/eden'), 404)
    expect(errors).toEqual([])
  },
  60_000,
)

test.runIf(chromiumPath)(
  'sign-in: the page has no fault for those who cannot see, in both themes and on a phone',
  async () => {
    for (const options of [
      { colorScheme: 'light' },
      { colorScheme: 'dark' },
      { viewport: { width: 390, height: 844 } },
    ] as const) {
      const { page, errors } = await site.openPage(options)
      await look(page, '/app/sign-in', 'Sign in with token')
      await look(page, '/app/invitations/unknown-link-of-somebody-0000000', 'This link does not work')
      expect(errors.filter((error) => !error.includes('404'))).toEqual([])
    }
  },
  60_000,
)
