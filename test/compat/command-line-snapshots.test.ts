import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { snapshotJobs } from '../../server/features/snapshots/schedule/snapshot-jobs.ts'
import { startJobs } from '../../server/jobs/runner.ts'
import { eachEngine } from '../support/databases.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { testApp } from '../support/test-app.ts'

/** The command lines of this family, on the path or where a variable says. */
const programs = [
  ['bao', process.env.HOLDFAST_COMPAT_BAO ?? 'bao'],
  ['vault', process.env.HOLDFAST_COMPAT_VAULT ?? 'vault'],
] as const

const auto = 'sys/storage/raft/snapshot-auto'

describe.each(programs)('%s', (_name, program) => {
  describe.skipIf(!isInstalled(program, 'version'))('unmodified', () => {
    eachEngine((engine) => {
      test('automated snapshots: written from a file and in part, read, listed, taken, deleted', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'holdfast-compat-'))
        onTestFinished(() => rm(folder, { recursive: true }))
        const app = await testApp({ engine })
        onTestFinished(() => app.close())
        const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
        onTestFinished(() => runner.stop())
        const facts = { ADDR: app.url, TOKEN: app.rootToken, FORMAT: 'json' }
        const named = Object.entries(facts).flatMap(([name, value]) => [
          [`BAO_${name}`, value],
          [`VAULT_${name}`, value],
        ])
        const env = { PATH: process.env.PATH, HOME: folder, ...Object.fromEntries(named) }
        const run = async (...args: string[]) => {
          const { stdout } = await promisify(execFile)(program, args, { env })
          return stdout.trim() === '' ? undefined : JSON.parse(stdout)
        }
        const definition = {
          interval: '24h',
          path_prefix: join(folder, 'snapshots'),
          storage_type: 'local',
          local_max_space: '100000000',
        }
        await writeFile(join(folder, 'nightly.json'), JSON.stringify(definition))
        await run('write', `${auto}/config/nightly`, `@${join(folder, 'nightly.json')}`)
        await run('write', `${auto}/config/nightly`, 'retain=7')
        expect((await run('read', `${auto}/config/nightly`)).data).toEqual({
          ...definition,
          interval: 86_400,
          local_max_space: 100_000_000,
          retain: 7,
          file_prefix: 'holdfast-snapshot',
        })
        expect(await run('list', `${auto}/config`)).toEqual(['nightly'])
        await runner.runDue()
        const status = (await run('read', `${auto}/status/nightly`)).data
        const [name = ''] = await readdir(definition.path_prefix)
        expect(status).toMatchObject({
          last_snapshot_error: '',
          last_snapshot_url: `file://${definition.path_prefix}/${name}`,
        })
        await run('operator', 'raft', 'snapshot', 'restore', join(definition.path_prefix, name))
        await run('delete', `${auto}/config/nightly`)
        await expect(run('read', `${auto}/status/nightly`)).rejects.toThrow('No value found')
        expect(await readFile(join(definition.path_prefix, name))).toHaveLength(status.last_snapshot_size)
      })
    })
  })
})
