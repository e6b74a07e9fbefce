import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { postgresUrl, testEngines } from '../../../test/support/databases.ts'
import { recordingLog } from '../../../test/support/recording-log.ts'
import { systemClock } from '../../kernel/clock.ts'
import { openStore } from '../open.ts'
import { choosePrimary, type WritableServer } from './primary-choice.ts'

const hosts = ['a', 'b', 'c'].map((label) => ({ label, url: '' }))

type Answer = { timeline: number; after?: number; started?: string } | 'none'

/** What is chosen when the servers answer like this, and the others that accept writes. */
async function chosenFrom(...answers: Answer[]): Promise<string[]> {
  const { chosen, rivals } = await choosePrimary(hosts, async (host): Promise<WritableServer> => {
    const answer = answers[hosts.indexOf(host)]
    if (answer === undefined || answer === 'none') throw new Error(`no ${host.label}`)
    await sleep(answer.after ?? 0, undefined, { ref: false })
    return { host, timeline: answer.timeline, started: answer.started ?? host.label }
  })
  return [chosen, ...rivals].map(({ host }) => host.label)
}

test('of the servers that accept writes, the one that was promoted last is chosen, even if it answers last', async () => {
  expect(await chosenFrom({ timeline: 1 }, { timeline: 2, after: 50 }, 'none')).toEqual(['b', 'a'])
  expect(await chosenFrom({ timeline: 3, after: 20 }, { timeline: 3 }, { timeline: 1 })).toEqual(['a', 'b', 'c'])
})

test('a server that is named twice has no rival', async () => {
  const same = { timeline: 1, started: '1' }
  expect(await chosenFrom(same, same, 'none')).toEqual(['a'])
})

test('a server that does not answer delays the choice by a quarter of a second, those that refuse do not', async () => {
  const before = performance.now()
  expect(await chosenFrom('none', { timeline: 1 }, 'none')).toEqual(['b'])
  expect(performance.now() - before).toBeLessThan(200)
  expect(await chosenFrom({ timeline: 1 }, { timeline: 2, after: 30_000 }, 'none')).toEqual(['a'])
  expect(performance.now() - before).toBeLessThan(5_000)
})

test('if no server accepts writes, each gives its reason', async () => {
  const failed = await chosenFrom('none', 'none', 'none').catch((thrown) => thrown)
  expect(failed.errors.map(String)).toEqual(['Error: no a', 'Error: no b', 'Error: no c'])
})

describe.runIf(testEngines.includes('postgres'))('postgres', () => {
  test('two names of one server are one', async () => {
    const { host } = new URL(postgresUrl())
    const { log, text } = recordingLog()
    const url = postgresUrl().replace(host, `${host},${host.replace('127.0.0.1', 'localhost')}`)
    const store = await openStore({ url, log, clock: systemClock })
    onTestFinished(() => store.close())
    expect(text()).toContain('database primary found')
    expect(text()).not.toContain('several database servers accept writes')
  })
})
