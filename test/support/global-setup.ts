import type { TestProject } from 'vitest/node'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the run's PostgreSQL listens; empty if the run needs none. */
    postgresUrl: string
  }
}

/** Several projects of one run share one server; each loads this file again, so the count is kept outside it. */
type Shared = { users: number; server: Promise<PostgresServer> | undefined }
const key = Symbol.for('holdfast.test.postgres')
const processWide = globalThis as unknown as Record<symbol, Shared | undefined>

/** Starts PostgreSQL once for the run, if any of its projects asks for it. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const engines = project.config.env.HOLDFAST_TEST_ENGINES ?? process.env.HOLDFAST_TEST_ENGINES ?? 'sqlite,postgres'
  if (!engines.includes('postgres')) {
    project.provide('postgresUrl', '')
    return async () => undefined
  }
  const shared: Shared = processWide[key] ?? { users: 0, server: undefined }
  processWide[key] = shared
  shared.users += 1
  shared.server ??= startPostgres()
  const { url } = await shared.server
  project.provide('postgresUrl', url)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    const server = await shared.server
    shared.server = undefined
    await server?.stop()
  }
}
