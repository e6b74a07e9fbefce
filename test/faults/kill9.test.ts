import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { tries } from '../support/fault-pace.ts'
import { ownFolder } from '../support/folders.ts'

const rounds = tries(100, 10)
const writers = 16

/** Lets a process write for a moment and kills it; returns the transactions it acknowledged. */
async function writeUntilKilled(url: string, round: number): Promise<string[]> {
  const program = join(import.meta.dirname, 'durable-writer.ts')
  const child = spawn(process.execPath, [program, url, `${round}`, `${writers}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  await once(child.stdout, 'data')
  // A different moment in each round, derived from its number so that it can be repeated.
  await sleep(10 + ((round * 37) % 90))
  child.kill('SIGKILL')
  await once(child, 'close')
  // The last line may have been cut off.
  return output.split('\n').slice(0, -1)
}

test('kill -9 during writes: everything acknowledged is stored, and nothing is stored partially', async () => {
  const folder = ownFolder()
  const file = join(folder, 'holdfast.db')
  const acknowledged: string[] = []
  for (let round = 0; round < rounds; round++) {
    const before = acknowledged.length
    acknowledged.push(...(await writeUntilKilled(`sqlite:${file}`, round)))
    expect(acknowledged.length).toBeGreaterThan(before)
    const database = new DatabaseSync(file)
    const rows = database.prepare('select id from operations').all()
    const integrity = database.prepare('pragma integrity_check').all()
    database.close()
    const halves = new Set(rows.map((row) => String(row.id)))
    expect(integrity).toEqual([{ integrity_check: 'ok' }])
    expect(acknowledged.filter((name) => !halves.has(`${name}-a`) || !halves.has(`${name}-b`))).toEqual([])
    const isHalf = (id: string) => !halves.has(id.replace(/[ab]$/, (half) => (half === 'a' ? 'b' : 'a')))
    expect([...halves].filter(isHalf)).toEqual([])
  }
})
