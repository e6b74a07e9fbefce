import type { ChildServer } from '../harness/child-server.ts'
import { type Contender, compareRates, type Pace } from '../harness/compare-rates.ts'
import { bearerHeaders, documentOf, send } from '../harness/platform-client.ts'
import { openClient, requestBytes } from '../harness/raw-load.ts'
import { renderRates } from '../harness/table.ts'
import { ownCpu } from '../harness/usage.ts'
import { benchRootToken } from '../servers/holdfast.ts'
import type { RawLocks } from './raw-locks.ts'

/** Callers at the same time, each with a workspace of its own. */
export const lockerCount = 64

/** Lock and unlock in turn, durable and recorded in the change log, against transactions of the same writes. */
export async function compareLocks(pace: Pace, server: ChildServer, raw: RawLocks): Promise<string> {
  const contender = await lockContender(server)
  return renderRates(await compareRates([rawLocksContender(raw), contender], pace))
}

function rawLocksContender(raw: RawLocks): Contender {
  const run = async (ms: number): Promise<number> => {
    const until = performance.now() + ms
    let count = 0
    const caller = async (row: number): Promise<void> => {
      while (performance.now() < until) {
        await raw.write(row, 'lock')
        await raw.write(row, 'unlock')
        count++
      }
    }
    await Promise.all(Array.from({ length: lockerCount }, (_, row) => caller(row)))
    return count
  }
  return { name: 'two durable transactions', run, cpu: ownCpu }
}

/** Each caller continues where it stopped, so that a lock at the end of a round is released in the next. */
export async function lockContender(server: ChildServer): Promise<Contender> {
  const headers = bearerHeaders(benchRootToken)
  const clients = await Promise.all(
    Array.from({ length: lockerCount }, async (_, n) => {
      const document = documentOf('workspaces', { name: `locked-${n}` })
      const { id } = await send(server, '/organizations/large/workspaces', document)
      const actions = ['lock', 'unlock'].map((action) => `/api/v2/workspaces/${id}/actions/${action}`)
      const requests = actions.map((path) => requestBytes('POST', path, { ...headers, 'content-length': '0' }))
      return openClient({ port: server.facts.port, requests, connections: 1 })
    }),
  )
  const run = async (ms: number): Promise<number> => {
    const counts = await Promise.all(clients.map((client) => client.run(ms)))
    return counts.reduce((sum, count) => sum + count, 0) / 2
  }
  return { name: 'lock and unlock', target: 0.5, run, cpu: server.cpu }
}
