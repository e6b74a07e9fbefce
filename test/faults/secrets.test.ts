import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { Client } from '../support/client.ts'
import { emptyPostgres, testEngines } from '../support/databases.ts'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'
import {
  anySecretCommand,
  keptVersions,
  noSecret,
  obey,
  readView,
  type SecretModel,
  sendCommand,
  viewOf,
} from '../support/kv-model.ts'
import { mustBe } from '../support/platform.ts'
import { ServerProcess } from './server-process.ts'

const rounds = tries(40, 3)
const callers = 8

/** A secret as its only caller knows it: after the last answer, and after the request that had none if that was done. */
type Known = { readonly key: string; answered: SecretModel; perhaps: SecretModel; answers: number }

/** Sends random commands about one secret until the server is killed. */
async function useUntilKilled(root: Client, secret: Known, seed: number, isKilled: () => boolean): Promise<void> {
  const [commands = []] = fc.sample(fc.array(anySecretCommand, { minLength: 500, maxLength: 500 }), {
    seed,
    numRuns: 1,
  })
  for (const command of commands) {
    const { after, status, wrote } = obey(secret.answered, command)
    secret.perhaps = after
    const answer = await sendCommand(root, secret.key, command).catch((thrown) => {
      if (!isKilled()) throw thrown
    })
    if (!answer) return
    expect([answer.status, wrote && answer.body.data.version]).toEqual([status, wrote])
    secret.answered = after
    secret.answers += 1
    if (isKilled()) return
  }
}

/** What a mount holds by its counters, and by reading all of its secrets. */
async function figures(
  root: Client,
  secrets: readonly Known[],
): Promise<readonly [counted: number[], found: number[]]> {
  const { holdfast } = mustBe(await root.get('/v1/sys/mounts/m'), 200).body.data
  const views = await Promise.all(secrets.map(({ key }) => readView(root, key)))
  const there = views.filter(({ current }) => current > 0)
  const versions = there.reduce((sum, { numbers }) => sum + numbers.length, 0)
  return [
    [holdfast.secrets, holdfast.versions],
    [there.length, versions],
  ]
}

test.each(testEngines)(
  'kill -9 of a server on %s: each secret is as after its last request, or as before it',
  {
    timeout: 90_000 + rounds * 30_000,
  },
  async (engine) => {
    const folder = ownFolder()
    const database = engine === 'postgres' ? await emptyPostgres() : undefined
    if (database) onTestFinished(() => database.remove())
    let server = await ServerProcess.start(folder, database?.url)
    mustBe(await server.root.post('/v1/sys/mounts/m', { type: 'kv-v2' }), 204)
    mustBe(await server.root.post('/v1/m/config', { max_versions: keptVersions }), 204)
    const secrets = Array.from({ length: callers }, (_, caller): Known => {
      return { key: `team-${caller}/secret`, answered: noSecret, perhaps: noSecret, answers: 0 }
    })
    for (let round = 1; round <= rounds; round++) {
      let isKilled = false
      const using = Promise.all(
        secrets.map((secret, caller) => useUntilKilled(server.root, secret, round * callers + caller, () => isKilled)),
      )
      const enough = round * 3
      const begun = async (): Promise<void> => {
        while (secrets.some(({ answers }) => answers < enough)) await sleep(5)
      }
      await Promise.race([begun(), using])
      await sleep((round * 37) % 80)
      isKilled = true
      await server.kill()
      await using
      server = await ServerProcess.start(folder, database?.url)
      for (const secret of secrets) {
        const seen = await readView(server.root, secret.key)
        if (isDeepStrictEqual(seen, viewOf(secret.perhaps))) secret.answered = secret.perhaps
        expect(seen).toEqual(viewOf(secret.answered))
      }
      const [counted, found] = await figures(server.root, secrets)
      expect(counted).toEqual(found)
    }
  },
)
