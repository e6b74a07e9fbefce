import { Readable } from 'node:stream'
import { expect, onTestFinished, test, vi } from 'vitest'
import { eachEngine } from '../../../../../test/support/databases.ts'
import { openEvents } from '../../../../../test/support/event-source.ts'
import { organization, person } from '../../../../../test/support/platform.ts'
import { ownApp } from '../../../../../test/support/shared.ts'
import { restoreArchive, takeArchive } from '../../../../archive/index.ts'

// An archive is read and restored by threads of its own, which take their time on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

eachEngine((engine) => {
  test('events: streams of every node end after a restore, whose changes are no events', async () => {
    const here = await ownApp({ engine })
    const there = await ownApp({ beside: here })
    const ann = await person(here, 'ann')
    await organization(ann, 'acme')
    const archive = await takeArchive(here.deps)
    onTestFinished(() => archive.remove())
    const path = '/api/v2/organizations/acme/events'
    const open = ({ url }: typeof here) => openEvents({ url: `${url}${path}`, token: ann.token })
    const sources = [await open(here), await open(there)]
    onTestFinished(() => {
      for (const source of sources) source.close()
    })
    expect(sources.map(({ status }) => status)).toEqual([200, 200])
    await restoreArchive(here.deps, Readable.from(archive.open()))
    for (const { ended } of sources) await ended
    const again = await open(there)
    again.close()
    expect(again.status).toBe(200)
  })
})
