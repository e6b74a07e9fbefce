import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { stateDocument, stateOf } from '../support/states.ts'

const site = siteInChromium()

test.runIf(chromiumPath)(
  'rollback: two versions are compared with their values, and the old one is brought back',
  async () => {
    const ann = await person(site.app, 'ann')
    const id = await workspaceIn(await organization(ann, 'acme'), { name: 'network' })
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/lock`, {}), 200)
    const versions: string[] = []
    for (const serial of [1, 2, 3]) {
      const state = stateOf({ serial, resources: serial, outputs: { size: serial }, secrets: { key: `hush${serial}` } })
      const sent = stateDocument(state, { serial, state: state.toString('base64') })
      versions.push(mustBe(await ann.post(`/api/v2/workspaces/${id}/state-versions`, sent), 201).body.data.id)
    }
    mustBe(await ann.post(`/api/v2/workspaces/${id}/actions/unlock`, {}), 200)
    const { page, errors } = await site.openPage()
    // The address of a version as it was before leads to the comparison of that version.
    await site.signIn(page, ann.token, '/app/acme/workspaces/network')
    await page.goto(`${site.app.url}/app/acme/workspaces/network/states/${versions[1]}`)
    await page.getByRole('heading', { name: '1 → 2' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/app/acme/workspaces/network/state')
    expect(new URL(page.url()).searchParams.get('b')).toBe(versions[1])
    expect(await page.locator('details', { hasText: 'null_resource.r1' }).innerText()).toContain('created')
    const output = await page.locator('details', { hasText: 'size' }).innerText()
    expect(output).toMatch(/before:\s*1\b[\s\S]*after:\s*2\b/)
    expect(await page.locator('details', { hasText: 'key' }).innerText()).toContain('sensitive, changed')
    expect(await page.content()).not.toContain('hush')
    expect(await accessFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Compare to serial 3' }).click()
    await page.getByRole('button', { name: 'Compare from serial 1' }).click()
    await page.getByRole('heading', { name: '1 → 3' }).waitFor()
    expect(new URL(page.url()).searchParams.get('a')).toBe(versions[0])
    await page.getByRole('button', { name: 'Roll back to 1…' }).click()
    const question = page.getByRole('dialog', { name: 'Roll back to serial 1?' })
    expect(await question.innerText()).toContain('2 resources are no longer managed, 2 outputs change')
    expect(await accessFaults(page)).toEqual([])
    await question.getByRole('button', { name: 'Roll back to 1', exact: true }).click()
    await page.getByText('network is rolled back to serial 1').waitFor()
    await page.getByText('rolled back to serial 1', { exact: false }).first().waitFor()
    const current = mustBe(await ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
    expect([current.attributes.serial, versions.includes(current.id)]).toEqual([1, false])
    expect((await ann.get(`/api/v2/workspaces/${id}`)).body.data.attributes.locked).toBe(false)
    expect(errors).toEqual([])
  },
)
