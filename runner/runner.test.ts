import { spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { builtInRunnerToken } from '../server/product/workspaces/runners/index.ts'
import { archiveOf, type MadeEntry } from '../test/support/archives.ts'
import { eachEngine } from '../test/support/databases.ts'
import { ownFolder } from '../test/support/folders.ts'
import { type OwnRunnerOptions, ownRunner } from '../test/support/own-runner.ts'
import { doc, mustBe, organization, person, workspaceIn } from '../test/support/platform.ts'
import { enableRuns, newRun, uploadArchive } from '../test/support/runs.ts'
import { shared, sharedApp } from '../test/support/shared.ts'
import { toolDouble } from '../test/support/tool-double.ts'
import { namespaceLayer } from './sandbox/namespace-layer.ts'
import { toolsOnPath } from './tools/tool-store.ts'

const isUnix = process.platform !== 'win32'
const hasNamespaces = await namespaceLayer({
  user: undefined,
  privateFolder: '/tmp',
  loopbackPorts: [],
  allowsMetadata: false,
}).then(
  () => true,
  () => false,
)

describe.skipIf(!isUnix)('a runner', () => {
  eachEngine((engine) => {
    const app = sharedApp({ engine })
    const ann = shared(() => person(app, 'ann'))
    const org = shared(async () => {
      const acme = await organization(ann, 'acme')
      await enableRuns(acme)
      mustBe(await ann.patch('/api/v2/organizations/acme', doc('organizations', { 'run-concurrency': 0 })), 200)
      return acme
    })

    /** A runner with a double of the tool. */
    const withDouble = async (more: Partial<OwnRunnerOptions> = {}) => {
      const folder = ownFolder()
      chmodSync(folder, 0o711)
      const path = toolDouble(folder, more.name ?? (await defaultVersion()))
      return await ownRunner({ url: app.url, token: builtInRunnerToken(app.deps), folder, path, ...more })
    }

    const defaultVersion = async (): Promise<string> => {
      const id = await workspaceIn(org)
      return mustBe(await ann.get(`/api/v2/workspaces/${id}`), 200).body.data.attributes['resolved-tool-version']
    }

    const start = async (files: readonly MadeEntry[] | string, attributes: object = {}, workspace: object = {}) => {
      const workspaceId = await workspaceIn(org, workspace)
      const path = `/api/v2/workspaces/${workspaceId}/configuration-versions`
      const made = mustBe(await ann.post(path, doc('configuration-versions', { 'auto-queue-runs': false })), 201).body
        .data
      const entries = typeof files === 'string' ? [{ path: 'main.tf', body: files }] : files
      mustBe(await uploadArchive(app, made.attributes['upload-url'], archiveOf(entries)), 200)
      const run = mustBe(await ann.post('/api/v2/runs', newRun(workspaceId, attributes)), 201).body.data
      return { id: run.id as string, workspaceId }
    }
    const show = async (id: string) => mustBe(await ann.get(`/api/v2/runs/${id}`), 200).body.data.attributes
    const phase = async (id: string, kind: 'plan' | 'apply') =>
      mustBe(await ann.get(`/api/v2/runs/${id}/${kind}`), 200).body.data.attributes
    const logOf = async (id: string, kind: 'plan' | 'apply'): Promise<string> => {
      const url = new URL((await phase(id, kind))['log-read-url'])
      return (await app.anonymous.get(`${url.pathname}?limit=1000000`)).text
    }
    const reaches = async (id: string, status: string): Promise<void> => {
      await expect
        .poll(async () => {
          const { status: now, error } = await show(id)
          return now === 'errored' && status !== now ? error : now
        })
        .toBe(status)
    }
    const confirm = async (id: string) => mustBe(await ann.post(`/api/v2/runs/${id}/actions/apply`, {}), 202)
    const currentState = async (workspaceId: string) =>
      (await ann.get(`/api/v2/workspaces/${workspaceId}/current-state-version`)).body.data?.attributes

    it.each(['process', ...(hasNamespaces ? (['namespace'] as const) : [])] as const)(
      'plans, waits, and applies what was planned, in layer %s',
      async (layer) => {
        const { facts } = await withDouble({ layer })
        expect(facts.layer).toBe(layer)
        const { id, workspaceId } = await start('resource "terraform_data" "a" {}\nresource "terraform_data" "b" {}\n')
        await reaches(id, 'planned')
        expect(await show(id)).toMatchObject({
          'has-changes': true,
          'plan-digest': expect.stringMatching(/^[0-9a-f]{64}$/),
        })
        expect(await phase(id, 'plan')).toMatchObject({ 'resource-additions': 2, 'resource-destructions': 0 })
        expect(await logOf(id, 'plan')).toMatch(/^.*\n.*\nConfiguration and plugins are ready\.\n.*Plan:.*\+a \+b\n.$/)
        await confirm(id)
        await reaches(id, 'applied')
        expect(await logOf(id, 'apply')).toContain('Apply complete! Resources: 2 added')
        expect(await phase(id, 'apply')).toMatchObject({ 'resource-additions': 2 })
        expect(await currentState(workspaceId)).toMatchObject({ serial: 1, lineage: 'double' })
      },
    )

    it('hands in the state of an apply whose runner was killed, and ends it in error', async () => {
      const folder = ownFolder()
      chmodSync(folder, 0o711)
      const path = `${toolDouble(folder, await defaultVersion())}:/usr/bin:/bin`
      const token = builtInRunnerToken(app.deps)
      const flags = [`--address=${app.url}`, '--token-file=-', `--data-dir=${join(folder, 'runner')}`]
      const program = join(import.meta.dirname, 'main.ts')
      const killed = spawn(process.execPath, [program, ...flags, '--layer=process', '--tools=path'], {
        env: { PATH: path },
        stdio: ['pipe', 'ignore', 'inherit'],
      })
      killed.stdin.write(`${token}\n`)
      const wishes = '#double: apply-writes-partial\n#double: apply-hangs\n'
      const { id, workspaceId } = await start(`${wishes}resource "terraform_data" "a" {}\n`)
      await reaches(id, 'planned')
      await confirm(id)
      await expect.poll(() => logOf(id, 'apply')).toContain('hanging in apply')
      killed.kill('SIGKILL')
      await ownRunner({ url: app.url, token, folder, path })
      await expect.poll(async () => (await show(id)).status).toBe('errored')
      expect((await show(id)).error).toMatchObject({ code: 'executor-lost' })
      expect(await currentState(workspaceId)).toMatchObject({ serial: 1, lineage: 'double' })
      const again = await start('# nothing\n')
      await reaches(again.id, 'planned_and_finished')
    })

    it('ends a plan without changes at once', async () => {
      await withDouble()
      const { id } = await start('# nothing\n')
      await reaches(id, 'planned_and_finished')
      expect((await show(id))['has-changes']).toBe(false)
    })

    it.each([
      ['init-fails', 'init-failed', /Preparing failed\.\n(?:.*\n)*.*told to fail in init/],
      ['plan-fails', 'tool-failed', /told to fail in plan\n(?:.*\n)*.*exit code 1/],
      ['plan-crashes', 'tool-failed', /killed from outside/],
      ['plan-leaves-link', 'tool-failed', /link or device/],
    ])('ends in error for a tool that %s', async (wish, code, log) => {
      await withDouble()
      const { id } = await start(`#double: ${wish}\nresource "terraform_data" "a" {}\n`)
      await reaches(id, 'errored')
      expect((await show(id)).error).toMatchObject({ code })
      expect(await logOf(id, 'plan')).toMatch(log)
    })

    it('shows and applies the copy, whatever is left of a plan does later', async () => {
      const { folder } = await withDouble()
      const { id, workspaceId } = await start('#double: plan-goes-on\nresource "terraform_data" "a" {}\n')
      await reaches(id, 'planned')
      await confirm(id)
      await reaches(id, 'applied')
      expect(await currentState(workspaceId)).toMatchObject({ serial: 1 })
      expect(existsSync(join(folder, 'runner', 'work', id, 'configuration', 'rewritten'))).toBe(false)
    })

    it('cancels a plan and an apply by one interrupt, and keeps the state that the apply has left', async () => {
      await withDouble()
      const planned = await start('#double: plan-hangs\nresource "terraform_data" "a" {}\n')
      await expect.poll(() => logOf(planned.id, 'plan')).toContain('hanging in plan')
      mustBe(await ann.post(`/api/v2/runs/${planned.id}/actions/cancel`, {}), 202)
      await reaches(planned.id, 'canceled')
      expect(await logOf(planned.id, 'plan')).toContain('Interrupt received.')

      const applied = await start(
        '#double: apply-writes-partial\n#double: apply-hangs\nresource "terraform_data" "a" {}\n',
      )
      await reaches(applied.id, 'planned')
      await confirm(applied.id)
      await expect.poll(() => logOf(applied.id, 'apply')).toContain('hanging in apply')
      mustBe(await ann.post(`/api/v2/runs/${applied.id}/actions/cancel`, {}), 202)
      await reaches(applied.id, 'canceled')
      expect(await currentState(applied.workspaceId)).toMatchObject({ serial: 1 })
    })

    it('keeps secrets out of the log, as they are and in base64', async () => {
      await withDouble()
      const secret = 'correct-horse-battery'
      const workspaceId = await workspaceIn(org)
      const variable = doc('vars', { key: 'SECRET', value: secret, category: 'env', sensitive: true })
      mustBe(await ann.post(`/api/v2/workspaces/${workspaceId}/vars`, variable), 201)
      const path = `/api/v2/workspaces/${workspaceId}/configuration-versions`
      const made = mustBe(await ann.post(path, doc('configuration-versions', { 'auto-queue-runs': false })), 201).body
        .data
      const body = '#double: plan-prints-secret\n#double: plan-prints-environment\n'
      mustBe(await uploadArchive(app, made.attributes['upload-url'], archiveOf([{ path: 'main.tf', body }])), 200)
      const run = mustBe(await ann.post('/api/v2/runs', newRun(workspaceId)), 201).body.data
      await reaches(run.id, 'planned_and_finished')
      const log = await logOf(run.id, 'plan')
      expect(log).toContain('The secret is (sensitive).\n(sensitive)')
      expect(log).toContain('SECRET=(sensitive)')
      expect(log).not.toContain(secret)
      expect(log).not.toContain(Buffer.from(secret).toString('base64').slice(0, 20))
      expect(log).toContain(`TFE_RUN_ID=${run.id}`)
    })

    it('cuts a log that is too long, and finishes', async () => {
      await withDouble({ logBytes: 300_000 })
      const { id } = await start('#double: plan-prints-100MB\n')
      await reaches(id, 'planned_and_finished')
      const log = await logOf(id, 'plan')
      expect(log.length).toBeLessThan(310_000)
      expect(log).toContain('the rest of the output was dropped')
    })

    it('says which tool is missing', async () => {
      await withDouble()
      const { id } = await start('# nothing\n', { 'plan-only': true, 'tool-version': '1.6.0' })
      await reaches(id, 'errored')
      expect((await show(id)).error).toMatchObject({ code: expect.stringMatching(/^tool-/) })
      expect(await logOf(id, 'plan')).toContain('Preparing failed.')
    })

    it('names a working directory that is missing', async () => {
      await withDouble()
      const { id } = await start('# nothing\n', {}, { 'working-directory': 'deep/below' })
      await reaches(id, 'errored')
      expect((await show(id)).error).toMatchObject({ code: 'working-directory-missing' })
    })

    for (const tool of ['opentofu', 'terraform'] as const) {
      const program = tool === 'opentofu' ? 'tofu' : 'terraform'
      it.skipIf(spawnSync(program, ['version']).status !== 0)(`plans and applies with ${program}`, async () => {
        const [found] = (await toolsOnPath('/usr/local/bin:/usr/bin')).filter(({ name }) => name === tool)
        const version = found?.version ?? ''
        const added = await app.root.post('/api/v2/admin/tool-versions', doc('tool-versions', { tool, version }))
        expect([201, 422]).toContain(added.status)
        await ownRunner({
          url: app.url,
          token: builtInRunnerToken(app.deps),
          layer: hasNamespaces ? 'namespace' : 'process',
        })
        const body =
          'variable "p" {\n  default = 1\n}\nresource "terraform_data" "a" {\n  input = join(" ", [terraform.workspace, var.p])\n}\noutput "o" {\n  value = terraform_data.a.output\n}\n'
        const { id, workspaceId } = await start(
          [{ path: 'main.tf', body }],
          {},
          { 'tool-version': `${tool}:${version}` },
        )
        await reaches(id, 'planned')
        expect(await logOf(id, 'plan')).toContain('1 to add')
        await confirm(id)
        await reaches(id, 'applied')
        expect(await logOf(id, 'apply')).toContain('1 added')
        expect((await currentState(workspaceId)).serial).toBeGreaterThan(0)
        // Now there is a state when the tool is initialised.
        const again = mustBe(await ann.post('/api/v2/runs', newRun(workspaceId)), 201).body.data
        await reaches(again.id, 'planned_and_finished')
        expect(await logOf(again.id, 'plan')).toContain('No changes')
      })
    }
  })
})
