import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openApiPath } from '../../server/http/openapi.ts'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { doc, mustBe, organization } from '../support/platform.ts'
import { type FilledOrganization, fillOrganization } from '../support/two-organizations.ts'

const site = siteInChromium()

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page that is open, in light and wide as in dark and narrow: the rule, and what breaks it. */
async function violationsOn(page: Page): Promise<string[]> {
  await page.evaluate(axe)
  const found: string[] = []
  for (const [colorScheme, width] of [
    ['light', 1280],
    ['dark', 360],
  ] as const) {
    await page.emulateMedia({ colorScheme })
    await page.setViewportSize({ width, height: 800 })
    const violations = await page.evaluate<string[]>(`axe.run().then(({ violations }) =>
      violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html)))`)
    found.push(...violations.map((each) => `${page.url()}, ${width} wide, ${colorScheme}: ${each}`))
  }
  return found
}

/** Where the pages are that a reader with a session can open, whose addresses need more than ids. */
async function addressesOfLinks({ owner, params }: FilledOrganization): Promise<Readonly<Record<string, string>>> {
  const { root } = site.app
  const pathOf = (url: string): string => new URL(url).pathname
  const made = mustBe(
    await root.post('/api/v2/admin/users', doc('users', { username: 'guest', email: 'guest@example.com' })),
    201,
  ).body.data
  const reset = mustBe(await root.post(`/api/v2/admin/users/${owner.id}/actions/reset-password`), 201).body.data
  const email = { email: 'member@example.com' }
  const members = `/api/v2/organizations/${params.organization}/organization-memberships`
  const joining = mustBe(await owner.post(members, doc('organization-memberships', email)), 201).body.data
  const request = new URLSearchParams({
    client_id: 'terraform-cli',
    response_type: 'code',
    redirect_uri: 'http://localhost:10003/login',
    code_challenge: 'c'.repeat(43),
    code_challenge_method: 'S256',
    state: 's',
  })
  return {
    '/app/invitations/{token}': pathOf(made.attributes['invitation-url']),
    '/app/resets/{token}': pathOf(reset.attributes['reset-url']),
    '/app/memberships/{token}': pathOf(joining.attributes['invitation-url']),
    '/oauth/authorization': `/oauth/authorization?${request}`,
  }
}

/** Addresses that answer with something else than a page. `/ui` has the pages of `/app` once more. */
const noPage =
  /^\/(?:openapi\.json|metrics|healthz|readyz|api\/blob\/.*|\.well-known\/.*|ui(?:\/.*)?|app\/session|app\/assets\/.*|.*\.css|.*\/download)$/

test.runIf(chromiumPath)('accessibility: a page that is hard to read is told', async () => {
  const { page } = await site.openPage()
  await page.setContent('<!doctype html><html lang="en"><title>A page</title><main><h1>A page</h1><input></main>')
  expect(await violationsOn(page)).toEqual([
    'about:blank, 1280 wide, light: label: <input>',
    'about:blank, 360 wide, dark: label: <input>',
  ])
})

test.runIf(chromiumPath)(
  'accessibility: axe finds nothing wrong with any page, in either colour scheme and width',
  async () => {
    const acme = await fillOrganization(site.app, 'acme')
    // With a single organization, the list of them leads to its workspaces at once.
    await organization(acme.owner, 'another')
    const links = await addressesOfLinks(acme)
    const paths = site.app.app.endpoints
      .filter(({ api, verb }) => api === 'site' && verb === 'GET')
      .map(openApiPath)
      .filter((path) => !noPage.test(path))
    const filled = (path: string) => path.replace(/\{(\w+)\}/g, (_, name: string) => acme.params[name] ?? `no-${name}`)
    const { page } = await site.openPage()
    const open = async (path: string) => {
      const answer = await page.goto(`${site.app.url}${path}`)
      expect([path, answer?.status()]).toEqual([path, 200])
      await page.waitForSelector('h1')
    }
    const wrong: string[] = []
    const check = async () => wrong.push(...(await violationsOn(page)))
    await open('/app/sign-in')
    await check()
    await page.fill('input[name=token]', 'wrong')
    await page.click('text=Sign in with token')
    await check()
    await site.signIn(page, acme.owner.token, '/app/account')
    for (const path of paths) {
      await open(links[path] ?? filled(path))
      await check()
    }
    const { organization: name } = acme.params
    for (const below of ['', '/state', '/resources', '/variables', '/access', '/history', '/settings']) {
      await open(`/app/${name}/workspaces/${acme.params.name}${below}`)
      await check()
    }
    await open('/app/nothing/at/all')
    await check()
    expect(wrong).toEqual([])
  },
  300_000,
)
