import { once } from 'node:events'
import { expect, test } from 'vitest'
import { eachEngine } from '../../support/databases.ts'
import { doc, join as joinOrganization, mustBe, person, team } from '../../support/platform.ts'
import { eachTool, type Workbench, workbench } from './workbench.ts'

/** A resource that comes with the command line, so that nothing is downloaded. */
const resource = (input: string) => `resource "terraform_data" "it" {\n  input = "${input}"\n}\n`
const outputs = `output "answer" {\n  value = terraform_data.it.output\n}
output "password" {\n  value = "hunter2"\n  sensitive = true\n}
output "list" {\n  value = ["a", 1]\n}\n`

const named = (bench: Workbench, name: string) => bench.cloud(`      name = "${name}"`)
const remote = (bench: Workbench, workspaces: string) =>
  `terraform {\n  backend "remote" {\n    hostname = "${bench.host}"\n    organization = "acme"
    workspaces {\n      ${workspaces}\n    }\n  }\n}\n`
const workspaceOf = async (bench: Workbench, name: string) =>
  mustBe(await bench.ann.get(`/api/v2/organizations/acme/workspaces/${name}`), 200).body.data
const pulled = async (desk: { run(...args: string[]): Promise<string> }) => JSON.parse(await desk.run('state', 'pull'))

eachTool((tool) => {
  eachEngine((engine) => {
    test('init creates the workspace, apply stores state and outputs and releases the lock', async () => {
      const bench = await workbench(tool, engine)
      const desk = await bench.desk(named(bench, 'network') + resource('one') + outputs)
      await desk.run('init')
      const fresh = await workspaceOf(bench, 'network')
      expect(fresh.attributes['terraform-version']).toMatch(/^\d+\.\d+\.\d+/)
      await desk.run('apply', '-auto-approve')
      const { attributes, relationships } = await workspaceOf(bench, 'network')
      expect(attributes).toMatchObject({ locked: false, 'resource-count': 1 })
      expect(relationships.outputs.data).toHaveLength(3)
      const shown = JSON.parse(await desk.run('output', '-json'))
      expect(shown).toMatchObject({
        answer: { value: 'one', sensitive: false },
        password: { value: 'hunter2', sensitive: true },
        list: { value: ['a', 1] },
      })
      expect(await desk.run('plan')).toContain('No changes')
      await desk.run('destroy', '-auto-approve')
      expect((await workspaceOf(bench, 'network')).attributes['resource-count']).toBe(0)
    })

    test('a killed apply leaves the lock; force-unlock releases it, and the state is intact', async () => {
      const bench = await workbench(tool, engine)
      const slow = `${resource('one')}resource "terraform_data" "slow" {
  depends_on = [terraform_data.it]
  provisioner "local-exec" {
    command = "touch started && sleep 60"
  }
}\n`
      const desk = await bench.desk(named(bench, 'killed') + resource('one'))
      await desk.run('init')
      await desk.run('apply', '-auto-approve')
      await desk.write('main.tf', named(bench, 'killed') + slow)
      const running = desk.start('apply', '-auto-approve')
      await untilLocked(bench, 'killed')
      running.kill('SIGKILL')
      await once(running, 'close')
      const refused = await desk.attempt('apply', '-auto-approve', '-lock-timeout=0s')
      expect([refused.code, refused.out]).toEqual([1, expect.stringMatching(/lock/i)])
      await desk.run('force-unlock', '-force', 'acme/killed')
      await desk.write('main.tf', named(bench, 'killed') + resource('two'))
      await desk.run('apply', '-auto-approve')
      expect((await pulled(desk)).resources).toHaveLength(1)
    })

    test('a job that holds a lock of its own applies without locking; once that lock is lost, it cannot write', async () => {
      const bench = await workbench(tool, engine)
      const desk = await bench.desk(named(bench, 'leased') + resource('one'))
      await desk.run('init')
      const { id } = await workspaceOf(bench, 'leased')
      const act = (action: string, body: object = {}) =>
        bench.ann.post(`/api/v2/workspaces/${id}/actions/${action}`, body)
      const lease = { 'expires-after': '10m' }
      const { 'locked-at': since } = mustBe(await act('lock', lease), 200).body.data.attributes
      mustBe(await act('extend-lock', { ...lease, 'locked-at': since }), 200)
      await desk.run('apply', '-auto-approve', '-lock=false')
      mustBe(await act('unlock'), 200)
      expect((await workspaceOf(bench, 'leased')).attributes).toMatchObject({ locked: false, 'resource-count': 1 })
      await desk.write('main.tf', named(bench, 'leased') + resource('two'))
      expect((await desk.attempt('apply', '-auto-approve', '-lock=false')).code).not.toBe(0)
      mustBe(await act('extend-lock', { ...lease, 'locked-at': since }), 409)
    })

    test('state push: an older serial and another lineage are refused, a newer serial is accepted', async () => {
      const bench = await workbench(tool, engine)
      const desk = await bench.desk(named(bench, 'pushed') + resource('one'))
      await desk.run('init')
      await desk.run('apply', '-auto-approve')
      const old = JSON.parse(await desk.run('state', 'pull'))
      await desk.write('main.tf', named(bench, 'pushed') + resource('two'))
      await desk.run('apply', '-auto-approve')
      const push = async (state: object) => {
        await desk.write('push.json', JSON.stringify(state))
        return (await desk.attempt('state', 'push', 'push.json')).code
      }
      expect(await push(old)).toBe(1)
      expect(await push({ ...old, lineage: 'another', serial: 99 })).toBe(1)
      expect(await push({ ...old, serial: 99 })).toBe(0)
      expect((await pulled(desk)).resources[0].instances[0].attributes.input.value).toBe('one')
    })

    // With a cloud block these command lines do not send the force flag; with this backend they do.
    test('state push: with force an older serial is accepted', async () => {
      const bench = await workbench(tool, engine)
      const backend = remote(bench, 'name = "forced"')
      const desk = await bench.desk(backend + resource('one'))
      await desk.run('init')
      await desk.run('apply', '-auto-approve')
      await desk.write('old.json', await desk.run('state', 'pull'))
      for (const input of ['two', 'three']) {
        await desk.write('main.tf', backend + resource(input))
        await desk.run('apply', '-auto-approve')
      }
      expect((await desk.attempt('state', 'push', '-ignore-remote-version', 'old.json')).code).toBe(1)
      await desk.run('state', 'push', '-force', '-ignore-remote-version', 'old.json')
      expect((await pulled(desk)).resources[0].instances[0].attributes.input.value).toBe('one')
    })

    test('by tags: workspaces are created, listed, selected and deleted, unless they have resources', async () => {
      const bench = await workbench(tool, engine)
      const tagged = bench.cloud('      tags = ["app", "edge"]')
      const desk = await bench.desk(tagged + resource('one'))
      mustBe(
        await bench.ann.post(
          '/api/v2/organizations/acme/workspaces',
          doc('workspaces', { name: 'first' }, { tags: { data: ['app', 'edge'].map(tagNamed) } }),
        ),
        201,
      )
      await desk.run('init')
      await desk.run('workspace', 'new', 'second')
      const listed = await desk.run('workspace', 'list')
      expect(listed).toMatch(/first[\s\S]*second/)
      expect((await workspaceOf(bench, 'second')).attributes['tag-names'].sort()).toEqual(['app', 'edge'])
      await desk.run('apply', '-auto-approve')
      await desk.run('workspace', 'select', 'first')
      expect((await desk.attempt('workspace', 'delete', 'second')).code).toBe(1)
      await desk.run('workspace', 'select', 'second')
      await desk.run('destroy', '-auto-approve')
      await desk.run('workspace', 'select', 'first')
      await desk.run('workspace', 'delete', 'second')
      mustBe(await bench.ann.get('/api/v2/organizations/acme/workspaces/second'), 404)
    })

    test.skipIf(tool !== 'terraform')(
      'by tags with values: a new workspace gets the tag bindings and is listed by them',
      async () => {
        const bench = await workbench(tool, engine)
        const tags = { env: 'prod', area: 'edge' }
        const data = Object.entries(tags).map(([key, value]) => ({ type: 'tag-bindings', attributes: { key, value } }))
        const first = doc('workspaces', { name: 'first' }, { 'tag-bindings': { data } })
        mustBe(await bench.ann.post('/api/v2/organizations/acme/workspaces', first), 201)
        const desk = await bench.desk(bench.cloud('      tags = { env = "prod", area = "edge" }') + resource('one'))
        await desk.run('init')
        await desk.run('workspace', 'new', 'bound')
        await desk.run('apply', '-auto-approve')
        const { id } = await workspaceOf(bench, 'bound')
        const bound = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/tag-bindings`), 200).body.data
        const pairs = bound.map(({ attributes }: { attributes: object }) => Object.values(attributes))
        expect(Object.fromEntries(pairs)).toEqual(tags)
        expect(await desk.run('workspace', 'list')).toMatch(/bound[\s\S]*first/)
      },
    )

    test('remote state of another workspace can be read', async () => {
      const bench = await workbench(tool, engine)
      const source = await bench.desk(named(bench, 'source') + resource('from afar') + outputs)
      await source.run('init')
      await source.run('apply', '-auto-approve')
      const reader = await bench.desk(`${named(bench, 'reader')}data "terraform_remote_state" "source" {
  backend = "remote"
  config = {
    hostname = "${bench.host}"
    organization = "acme"
    workspaces = { name = "source" }
  }
}
output "read" {\n  value = data.terraform_remote_state.source.outputs.answer\n}\n`)
      await reader.run('init')
      await reader.run('apply', '-auto-approve')
      expect(await reader.run('output', '-raw', 'read')).toContain('from afar')
    })

    test('the remote backend with a prefix lists only workspaces with that prefix', async () => {
      const bench = await workbench(tool, engine)
      const backend = remote(bench, 'prefix = "app-"')
      for (const name of ['app-prod', 'unrelated']) {
        mustBe(await bench.ann.post('/api/v2/organizations/acme/workspaces', doc('workspaces', { name })), 201)
      }
      const desk = await bench.desk(backend + resource('one'), { environment: { TF_WORKSPACE: 'prod' } })
      await desk.run('init')
      await desk.run('apply', '-auto-approve')
      const listed = await desk.run('workspace', 'list')
      expect([listed.includes('prod'), listed.includes('unrelated')]).toEqual([true, false])
      expect((await workspaceOf(bench, 'app-prod')).attributes['resource-count']).toBe(1)
    })

    test('two concurrent applies of two users both succeed, and an outsider cannot init', async () => {
      const bench = await workbench(tool, engine)
      const bob = await person(bench.app, 'bob')
      const owners = (await bench.ann.get('/api/v2/organizations/acme/teams')).body.data[0].id
      await joinOrganization(bench.org, bob, [owners])
      const configuration = named(bench, 'shared') + resource('one')
      const desks = [await bench.desk(configuration), await bench.desk(configuration, { token: bob.token })]
      for (const desk of desks) await desk.run('init')
      await Promise.all(desks.map((desk) => desk.run('apply', '-auto-approve', '-lock-timeout=60s')))
      expect((await workspaceOf(bench, 'shared')).attributes).toMatchObject({ locked: false, 'resource-count': 1 })
      const stranger = await person(bench.app, 'stranger')
      const outside = await bench.desk(configuration, { token: stranger.token })
      expect((await outside.attempt('init')).code).toBe(1)
    })

    test('a team that may only read cannot write', async () => {
      const bench = await workbench(tool, engine)
      const desk = await bench.desk(named(bench, 'guarded') + resource('one'))
      await desk.run('init')
      await desk.run('apply', '-auto-approve')
      const readers = await team(bench.org, 'readers', { 'organization-access': { 'read-workspaces': true } })
      const reading = await bench.desk(named(bench, 'guarded') + resource('two'), { token: readers.token })
      await reading.run('init')
      expect((await reading.attempt('apply', '-auto-approve')).code).toBe(1)
      expect((await pulled(desk)).resources[0].instances[0].attributes.input.value).toBe('one')
    })

    test.skipIf(tool !== 'tofu')('state encrypted by tofu is stored and returned unchanged', async () => {
      const bench = await workbench(tool, engine)
      const block = named(bench, 'sealed').replace(
        'terraform {\n',
        `terraform {
  encryption {
    key_provider "pbkdf2" "pass" {\n      passphrase = "correct horse battery staple"\n    }
    method "aes_gcm" "it" {\n      keys = key_provider.pbkdf2.pass\n    }
    state {\n      method = method.aes_gcm.it\n      enforced = true\n    }
  }\n`,
      )
      const desk = await bench.desk(block + resource('one') + outputs)
      await desk.run('init')
      await desk.run('apply', '-auto-approve')
      const { id } = await workspaceOf(bench, 'sealed')
      const current = mustBe(await bench.ann.get(`/api/v2/workspaces/${id}/current-state-version`), 200).body.data
      expect(current.attributes).toMatchObject({ encrypted: true, 'resource-count-known': false })
      expect(await desk.run('plan')).toContain('No changes')
      expect(JSON.parse(await desk.run('output', '-json')).answer.value).toBe('one')
    })
  })
})

const tagNamed = (name: string) => ({ type: 'tags', attributes: { name } })

async function untilLocked(bench: Workbench, name: string): Promise<void> {
  for (;;) {
    if ((await workspaceOf(bench, name)).attributes.locked) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
