import { readFileSync } from 'node:fs'
import pg from 'pg'

const microsPerTick = 10_000

/** Reads how much processor time a PostgreSQL on this machine has used: all of its processes, in microseconds. */
export async function postgresCpu(url: string): Promise<() => number> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  const parent = /PPid:\s+(\d+)/.exec(readFileSync(`/proc/${rows[0].pid}/status`, 'utf8'))?.[1]
  await client.end()
  return () => {
    const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim().split(' ')
    return children.reduce((sum, pid) => sum + ownTime(pid), timeOfEnded(parent))
  }
}

function ownTime(pid: string): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000
  } catch {
    // It has ended since, and is among those that have.
    return 0
  }
}

/** Of the processes that have ended, such as parallel workers. */
function timeOfEnded(parent: string | undefined): number {
  const afterName = readFileSync(`/proc/${parent}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(afterName[13]) + Number(afterName[14])) * microsPerTick
}
