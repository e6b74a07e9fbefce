import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startJobs } from '../../server/jobs/runner.ts'
import { snapshotJobs } from '../../server/product/snapshots/schedule/schedule-actions.ts'
import { eachEngine } from '../support/databases.ts'
import { isInstalled } from '../support/programs/programs.ts'
import { commandLineBench, commandLines } from './command-line-bench.ts'

const auto = 'sys/storage/raft/snapshot-auto'

describe.each(commandLines)('%s', (_name, program) => {
  describe.skipIf(!isInstalled(program, 'version'))('unmodified', () => {
    eachEngine((engine) => {
      test('automated snapshots: a configuration is written, changed, read, listed, run and deleted', async () => {
        const { app, directory, file, run } = await commandLineBench(program, engine)
        const runner = await startJobs(app.deps, snapshotJobs, { pollEvery: 60_000 })
        onTestFinished(() => runner.stop())
        const definition = {
          interval: '24h',
          path_prefix: join(directory, 'snapshots'),
          storage_type: 'local',
          local_max_space: '100000000',
        }
        await run('write', `${auto}/config/nightly`, `@${await file('nightly.json', JSON.stringify(definition))}`)
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
