import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startJobs } from '../../server/jobs/runner.ts'
import { snapshotJobs } from '../../server/product/snapshots/schedule/schedule-actions.ts'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { ownFolder } from '../support/folders.ts'
import { person } from '../support/platform.ts'

const site = siteInChromium()

test.runIf(chromiumPath)('snapshots: a schedule is made, proved, looked into, restored and deleted', async () => {
  const folder = ownFolder()
  const runner = await startJobs(site.app.deps, snapshotJobs, { pollEvery: 200 })
  try {
    const { page, errors } = await site.openPage()
    await site.signIn(page, site.app.rootToken, '/app/server/snapshots')
    await page.getByText('No schedule yet').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('link', { name: 'New schedule' }).first().click()
    await page.getByLabel('Name', { exact: true }).fill('nightly')
    await page.getByLabel('Directory').fill('not absolute')
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByText('This must be an absolute path').waitFor()
    await page.getByLabel('Directory').fill(folder)
    await page.getByLabel('Room for all of them').fill('100000000')
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Create schedule' }).click()
    await page.getByText('The last snapshot is good').waitFor({ timeout: 30_000 })
    expect(await readdir(folder)).toHaveLength(1)
    await page.getByText('1 attempt: 1 proved').waitFor()
    expect(await accessFaults(page)).toEqual([])

    await page.getByRole('button', { name: 'Check destination' }).click()
    await page.getByText('snapshots can be kept here').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Actions of nightly' }).click()
    await page.getByRole('menuitem', { name: 'Pause' }).click()
    await page.getByText('nightly is paused').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('nightly is resumed').waitFor()

    await page.reload()
    await page.getByRole('button', { name: 'Actions of the snapshot' }).first().click()
    await page.getByRole('menuitem', { name: 'Browse…' }).click()
    await page.getByText('It is whole').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    await site.app.root.put('/v1/sys/policies/acl/late', { policy: 'path "a" { capabilities = ["read"] }' })
    await page.getByRole('button', { name: 'Actions of the snapshot' }).first().click()
    await page.getByRole('menuitem', { name: 'Restore…' }).click()
    await page.getByText('1 lost').first().waitFor()
    expect(await accessFaults(page)).toEqual([])
    const replace = page.getByRole('button', { name: 'Replace everything' })
    expect(await replace.getAttribute('aria-disabled')).toBe('true')
    await page.getByLabel('Type the name of this server').fill(new URL(site.app.url).host)
    await replace.click()
    await page.getByText('rows were restored').waitFor({ timeout: 30_000 })
    expect((await site.app.root.get('/v1/sys/policies/acl/late')).status).toBe(404)
    // An empty list and a refused field are answers, which the console tells as well.
    expect(errors.filter((error) => !error.startsWith('Failed to load resource'))).toEqual([])
  } finally {
    await runner.stop()
  }
})

test.runIf(chromiumPath)('snapshots: whoever has no token of /v1 is told what it takes', async () => {
  const ann = await person(site.app, 'ann')
  const { page, errors } = await site.openPage()
  await site.signIn(page, ann.token, '/app/server/snapshots')
  await page.getByText('This needs another sign-in').waitFor()
  expect(await accessFaults(page)).toEqual([])
  expect(errors).toEqual([])
})
