import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

test.runIf(chromiumPath)(
  'download: a state is saved under a telling name, and nothing is saved once signed out',
  async () => {
    const ann = await person(site.app, 'ann')
    const id = await workspaceIn(await organization(ann, 'acme'), { name: 'network' })
    const state = stateOf({ serial: 3, resources: 1 })
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const sent = stateDocument(state, { serial: 3, state: state.toString('base64') })
    mustBe(await ann.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201)
    const { page, errors } = await site.openPage()
    await site.signIn(page, ann.token, '/app/acme/workspaces/network/state')
    const button = page.getByRole('button', { name: 'Download' })
    const [saved] = await Promise.all([page.waitForEvent('download'), button.click()])
    expect(saved.suggestedFilename()).toBe('network-3.tfstate')
    expect(readFileSync(await saved.path(), 'utf8')).toBe(state.toString())
    expect(errors).toEqual([])
    let downloads = 0
    page.on('download', () => downloads++)
    await page.context().clearCookies()
    await button.click()
    await page.getByText('The state was not downloaded').waitFor()
    expect(downloads).toBe(0)
  },
)
