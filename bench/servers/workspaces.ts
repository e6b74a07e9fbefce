import { sql } from 'kysely'
import { systemClock } from '../../server/kernel/clock.ts'
import { silentLog } from '../../server/kernel/log.ts'
import { openStore } from '../../server/storage/open.ts'
import type { ServerFacts } from '../harness/child-server.ts'
import { fillOrganization } from '../harness/workspace-fill.ts'
import { benchRootToken, serve as serveHoldfast } from './holdfast.ts'

/** Organizations by name, with how many workspaces each is to have. */
export type WorkspaceServerOptions = {
  readonly organizations: Readonly<Record<string, number>>
  /** An address of PostgreSQL; the embedded store without it. */
  readonly storage?: string
}

const digits = 'ABCDEFGH'

/** The whole server with organizations that are as large as asked for, each with a first workspace named `template`. */
export async function serve(options: WorkspaceServerOptions): Promise<ServerFacts> {
  const environment: Record<string, string> = options.storage ? { HOLDFAST_STORAGE: options.storage } : {}
  const facts = await serveHoldfast({ environment })
  const url = options.storage ?? `sqlite:${facts.dataDir}/holdfast.db`
  const store = await openStore({ url, log: silentLog, clock: systemClock })
  const templates: Record<string, string> = {}
  for (const [index, [name, total]] of Object.entries(options.organizations).entries()) {
    await post(facts.port, '/organizations', 'organizations', { name, email: 'bench@example.com' })
    const path = `/organizations/${name}/workspaces`
    const id = await post(facts.port, path, 'workspaces', { name: 'template' })
    await fillOrganization(store.db, id, total, digits[index] ?? 'Z')
    templates[name] = id
  }
  // PostgreSQL does this by itself some time after many rows have been inserted.
  if (options.storage) await sql`analyze`.execute(store.db)
  await store.close()
  return { ...facts, url, templates }
}

async function post(port: number, path: string, type: string, attributes: object): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v2${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${benchRootToken}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type, attributes } }),
  })
  if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: { id: string } }).data.id
}
