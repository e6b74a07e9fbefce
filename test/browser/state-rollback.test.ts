import { expect, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

test.runIf(chromiumPath)('rollback: by way of the list, an old version is compared and brought back', async () => {
  const ann = await person(site.app, 'ann')
  const id = await workspaceIn(await organization(ann, 'acme'), { name: 'network' })
  mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
  for (const serial of [1, 2, 3]) {
    const state = stateOf({ serial, resources: serial, outputs: { size: serial } })
    const sent = stateDocument(state, { serial, state: state.toString('base64') })
    mustBe(await ann.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201)
  }
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/acme/workspaces/network/states')
  await page.click('text=Serial 2')
  expect(await page.textContent('h1')).toBe('Serial 2 of network')
  expect(await page.locator('tbody tr').allInnerTexts()).toEqual([
    expect.stringMatching(/null_resource\.r1\s+added/),
    expect.stringMatching(/size\s+changed/),
    // Below, what a rollback would change in the newest state.
    expect.stringMatching(/null_resource\.r2\s+removed/),
    expect.stringMatching(/size\s+changed/),
  ])
  await page.click('summary:has-text("Roll back")')
  await page.click('button:has-text("Roll back now")')
  const serials = page.locator('tbody th > a')
  expect(await serials.allInnerTexts()).toEqual(['Serial 2', 'Serial 3', 'Serial 2', 'Serial 1'])
  expect(await page.textContent('[role=status]')).toContain('Rolled back to serial 2.')
  expect(await page.evaluate('document.activeElement?.id')).toBe('notice')
  expect(await page.textContent('main')).toContain('Serial 2 becomes the current state')
  const wanted = await serials.nth(2).getAttribute('href')
  await page.click('text=an earlier serial 2')
  expect(new URL(page.url()).pathname).toBe(wanted)
  expect(errors).toEqual([])
})
