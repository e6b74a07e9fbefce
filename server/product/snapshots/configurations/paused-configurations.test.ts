import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine } from '../../../../test/support/databases.ts'
import { sharedFolder } from '../../../../test/support/folders.ts'
import { sharedApp } from '../../../../test/support/shared.ts'
import { loadJobTimes } from '../../../kit/job-store.ts'
import { takeJobKind } from '../schedule/schedule.ts'
import { pauseAll } from './configuration-store.ts'

const auto = '/v1/sys/storage/raft/snapshot-auto'

eachEngine((engine) => {
  const app = sharedApp({ engine })
  const directory = sharedFolder()
  const whole = { interval: 3600, path_prefix: directory, storage_type: 'local', local_max_space: 10 ** 8 }

  const write = async (name: string, body: object) => {
    const { status, body: answer } = await app.root.post(`${auto}/config/${name}`, body)
    expect([200, 204]).toContain(status)
    return answer?.warnings ?? []
  }
  const facts = async (name: string) => {
    const { state, next_snapshot_start: next } = (await app.root.get(`${auto}/status/${name}`)).body.data
    return { state, next, job: (await loadJobTimes(app.deps.db, takeJobKind)).has(name) }
  }
  const paused = { state: 'paused', next: '', job: false }
  const scheduled = { state: 'scheduled', next: expect.stringContaining('2026-'), job: true }
  const make = async (name: string) => {
    await write(name, { ...whole, file_prefix: name })
    onTestFinished(async () => void (await app.root.delete(`${auto}/config/${name}`)))
  }

  test('pause by hand: no write ends it, each says so, and resuming does', async () => {
    await make('held')
    expect((await app.root.post(`${auto}/pause/held`)).status).toBe(204)
    const bodies = [{}, { retain: 3 }, { interval: 60 }, { ...whole }, { path_prefix: join(directory, 'b') }]
    for (const body of bodies) {
      expect(await write('held', body)).toContainEqual(expect.stringContaining('snapshot-auto/resume/held'))
      expect(await facts('held')).toEqual(paused)
    }
    expect((await app.root.post(`${auto}/resume/held`)).status).toBe(204)
    expect(await facts('held')).toEqual(scheduled)
    expect(await write('held', { retain: 4 })).toEqual([])
  })

  test('pause: health and metrics show it until the configuration is resumed', async () => {
    await make('seen')
    const health = async () => (await app.anonymous.get('/v1/sys/health')).body.snapshots_paused
    const metric = async () => {
      const { text } = await app.root.get('/metrics')
      return /^holdfast_autosnapshots_paused\{[^}]*config="seen"[^}]*\} (\d)/m.exec(text)?.[1]
    }
    const shows = (count: number) =>
      vi.waitFor(async () => expect([await health(), await metric()]).toEqual([count, String(count)]), 20_000)
    await shows(0)
    await app.root.post(`${auto}/pause/seen`)
    await shows(1)
    await app.root.post(`${auto}/resume/seen`)
    await shows(0)
  })

  test('pause after a restore from elsewhere: writing the configuration again ends it, a smaller change does not', async () => {
    for (const [index, body] of [{ interval: 60 }, { path_prefix: join(directory, 'c') }, undefined].entries()) {
      const name = `restored-${index}`
      await make(name)
      await app.deps.db.deleteFrom('jobs').where('key', '=', name).execute()
      await pauseAll(app.deps.db)
      for (const small of [{}, { retain: 3 }, { local_max_space: 10 ** 7 }]) {
        expect(await write(name, small)).toContainEqual(expect.stringContaining(`resume/${name}`))
        expect(await facts(name)).toEqual(paused)
      }
      // The last one is written as it was: as a whole, with nothing changed.
      expect(await write(name, body ?? { ...whole, file_prefix: name })).toEqual([])
      expect(await facts(name)).toEqual(scheduled)
    }
  })

  test('snapshot_timeout: the status shows what applies, and 0 means the default', async () => {
    await make('limited')
    const shown = async () => (await app.root.get(`${auto}/status/limited`)).body.data.snapshot_timeout
    expect(await shown()).toBe(3600)
    for (const [sent, applies] of [
      ['5m', 300],
      [0, 3600],
    ] as const) {
      await write('limited', { snapshot_timeout: sent })
      expect(await shown()).toBe(applies)
    }
  })

  test('pause after a restore from elsewhere: resuming ends it, and a pause by hand is kept as one', async () => {
    await make('resumed')
    await pauseAll(app.deps.db)
    expect((await app.root.post(`${auto}/resume/resumed`)).status).toBe(204)
    expect(await facts('resumed')).toEqual(scheduled)
    expect((await app.root.post(`${auto}/pause/resumed`)).status).toBe(204)
    await pauseAll(app.deps.db)
    await write('resumed', { ...whole, file_prefix: 'resumed' })
    expect(await facts('resumed')).toEqual(paused)
  })
})
