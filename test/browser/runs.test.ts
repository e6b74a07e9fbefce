import { expect, test } from 'vitest'
import { accessFaults, chromiumPath, siteInChromium } from '../support/chromium.ts'
import { mustBe, organization, person, workspaceIn } from '../support/platform.ts'
import { createRun, enableRuns, runnableWorkspace } from '../support/runs.ts'
import { builtInRunner, type GivenJob, type runnerWith } from '../support/scripted-runner.ts'

const site = siteInChromium()

/** A text that would be a script if it were taken for one. */
const script = '<img src=x onerror=alert(1)>'

const change = {
  actions: ['update'],
  before: { length: 8, result: '(sensitive)' },
  after: { length: 16, result: '(sensitive, changed)' },
  before_sensitive: { result: true },
  after_sensitive: { result: true },
}

/** Ends the plan of a job as a runner does. */
async function planned(runner: ReturnType<typeof runnerWith>, job: GivenJob): Promise<void> {
  const redacted = { plan_format_version: '1.2', resource_changes: [{ address: 'random_password.db', change }] }
  mustBe(await runner.renew(job), 200)
  mustBe(await runner.store(job, 'plan-redacted', JSON.stringify(redacted)), 201)
  for (const name of ['plan', 'lock-file', 'plan-json', 'provider-schemas'])
    mustBe(await runner.store(job, name, '{}'), 201)
  const summary = { has_changes: true, additions: 1, changes: 1 }
  mustBe(await runner.finish(job, { outcome: 'finished', exit_code: 2, summary }), 200)
}

test.runIf(chromiumPath)(
  'runs: one is started, waits and says why, is approved, and another one discarded',
  async () => {
    const ann = await person(site.app, 'ann')
    const acme = await organization(ann, 'acme')
    await enableRuns(acme)
    const workspaceId = await runnableWorkspace(site.app, acme, { name: 'network' })
    await workspaceIn(acme, { name: 'laptop', 'execution-mode': 'local' })
    const { page, errors } = await site.openPage()
    await site.signIn(page, ann.token, '/app/acme/workspaces/network/runs')
    await page.getByRole('heading', { name: 'No runs yet' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Start a run…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Start a run of network?' })
    await dialog.getByLabel('What for').fill(script)
    expect(await accessFaults(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Start the run' }).click()
    await page.getByRole('heading', { level: 1, name: script }).waitFor()
    await page.getByRole('heading', { name: 'Why it waits' }).waitFor()
    expect(await accessFaults(page)).toEqual([])

    const id = new URL(page.url()).pathname.split('/').at(-1) ?? ''
    const runner = await builtInRunner(site.app)
    const job = await runner.claim()
    await page.getByText('Planning').first().waitFor()
    mustBe(await runner.log(job, 0, `Configuration and plugins are ready.\n\x1b[32mok\x1b[0m ${script}\n`), 200)
    await page.getByText(`ok ${script}`).waitFor()
    await planned(runner, job)
    const decision = page.getByRole('region', { name: 'Decision' })
    await decision.getByText('creates 1').waitFor()
    await page.getByText('Needs approval').first().waitFor()
    await page.getByText('random_password.db').waitFor()
    await page.getByText('sensitive, changed').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Comment').fill(`seen ${script}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByText(`seen ${script}`).waitFor()
    await decision.getByRole('button', { name: 'Approve and apply' }).click()
    await page.getByText('Approved: it is applied now').waitFor()
    expect((await ann.get(`/api/v2/runs/${id}`)).body.data.attributes.status).toBe('apply_queued')
    await page.getByRole('button', { name: 'Cancel the run…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the run' }).click()
    await page.getByText('Canceled').first().waitFor()

    const other = await createRun(ann, workspaceId, { message: 'later' })
    await planned(runner, await runner.claim())
    // The address that command lines print.
    await page.goto(`${site.app.url}/app/acme/network/runs/${other.id}`)
    await page.getByRole('button', { name: 'Discard the run…' }).click()
    const discard = page.getByRole('dialog', { name: 'Discard this run?' })
    await discard.getByLabel('Why').fill('not today')
    await discard.getByRole('button', { name: 'Discard the run' }).click()
    await page.getByText('not today').waitFor()

    await page.goto(`${site.app.url}/app/acme/runs`)
    await page.getByRole('link', { name: 'later' }).waitFor()
    await page.getByRole('link', { name: 'Failed' }).click()
    await page.getByText('No run is like that.').waitFor()
    expect(await accessFaults(page)).toEqual([])
    await page.goto(`${site.app.url}/app/acme/workspaces/laptop/runs`)
    await page.getByRole('button', { name: 'Start a run…' }).and(page.locator('[aria-disabled]')).waitFor()
    expect(errors).toEqual([])
  },
)
