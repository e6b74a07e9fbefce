import { expect, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

test.runIf(chromiumPath)(
  'browser: the bare address leads through sign-in to the first page, and a token made on the account page works',
  async () => {
    const ann = await person(site.app, 'ann')
    const { page, errors } = await site.openPage()
    await page.goto(`${site.app.url}/`)
    await page.waitForURL('**/app/sign-in?next=*')
    // Nobody was signed in yet.
    errors.length = 0
    await page.fill('input[name=token]', ann.token)
    await page.click('text=Sign in with token')
    await page.getByText('You belong to no organization yet').waitFor()
    await page.getByRole('button', { name: 'account of ann' }).click()
    await page.getByRole('menuitem', { name: 'Your tokens' }).click()
    await page.waitForURL('**/app/account/tokens')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('What it is for').fill('<script>alert(1)</script>')
    await page.getByRole('button', { name: 'Create token' }).click()
    const made = (await page.locator('dialog pre').innerText()).trim()
    expect((await site.app.root.as(made).get('/api/v2/account/details')).body.data.attributes.username).toBe('ann')
    await page.reload()
    await page.getByText('<script>alert(1)</script>').waitFor()
    expect(await page.innerText('body')).not.toContain(made)
    expect(errors).toEqual([])
    await page.getByRole('button', { name: 'account of ann' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL('**/app/sign-in')
  },
)

test.runIf(chromiumPath)('browser: a wrong token leads back to the sign-in page and signs nobody in', async () => {
  const { page } = await site.openPage()
  await page.goto(`${site.app.url}/app/sign-in`)
  await page.fill('input[name=token]', 'hfu.wrong')
  await page.click('text=Sign in with token')
  expect(new URL(page.url()).pathname).toBe('/app/sign-in')
  await page.goto(`${site.app.url}/app/settings/tokens`)
  await page.waitForURL('**/app/sign-in?next=%2Fapp%2Faccount%2Ftokens')
})

test.runIf(chromiumPath)(
  'browser: workspaces can be searched and opened in a narrow window without sideways scrolling',
  async () => {
    const owner = await person(site.app, 'owner')
    const acme = await organization(owner, 'acme')
    const described = { description: `<i>x</i> ${'y'.repeat(80)}` }
    await workspaceIn(acme, { name: 'billing', ...described })
    const network = await workspaceIn(acme, { name: `network-${'x'.repeat(80)}`, ...described })
    const state = stateOf({ outputs: { ['z'.repeat(80)]: 'w'.repeat(80) } })
    await owner.post(`/api/v2/workspaces/${network}/actions/lock`)
    const announced = stateDocument(state, { state: state.toString('base64') })
    mustBe(await owner.post(`/api/v2/workspaces/${network}/state-versions`, announced), 201)
    mustBe(await owner.post(`/api/v2/workspaces/${network}/actions/unlock`), 200)
    const { page, errors } = await site.openPage()
    await page.setViewportSize({ width: 360, height: 640 })
    await page.goto(`${site.app.url}/app/sign-in`)
    await page.fill('input[name=token]', owner.token)
    await page.click('text=Sign in with token')
    await page.goto(`${site.app.url}/app/acme/workspaces`)
    await page.getByRole('link', { name: 'billing' }).waitFor()
    await page.locator('input[data-search]').fill('NET')
    await page.waitForURL('**/workspaces?search=NET')
    await page.getByRole('link', { name: 'billing' }).waitFor({ state: 'detached' })
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    await page.getByRole('link', { name: /^network-x+$/ }).click()
    await page.getByRole('heading', { name: /^network-x+$/ }).waitFor()
    await page.getByText('z'.repeat(80)).first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    expect(errors).toEqual([])
  },
)

test.runIf(chromiumPath)('browser: an unknown address shows a page with a link to the start page', async () => {
  const { page } = await site.openPage()
  await page.goto(`${site.app.url}/nothing/at/all`)
  await page.click('text=Go to the start page')
  await page.waitForURL('**/app/sign-in?next=*')
})
