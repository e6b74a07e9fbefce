import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig, renderProblems } from '../../server/config/index.ts'
import { prepareDev } from '../../server/dev/index.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { prepareRuntime } from '../../server/process/runtime.ts'
import { openLog } from '../../server/process/serve.ts'
import { startServer } from '../../server/start.ts'
import type { ServerFacts } from '../harness/child-server.ts'

prepareRuntime()

/** The root token of every bench server. */
export const benchRootToken = 'bench-root-token'

/** The whole server on an embedded store of its own, its log written to nowhere at the usual level. */
export async function serve(options: { environment?: Record<string, string> }): Promise<ServerFacts> {
  const dataDir = options.environment?.HOLDFAST_DATA_DIR ?? (await mkdtemp(join(tmpdir(), 'holdfast-bench-')))
  const environment = {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
    HOLDFAST_ROOT_TOKEN: benchRootToken,
    // Connections wait while the others are measured.
    HOLDFAST_LIMITS_HEADER_TIMEOUT: '4m',
    HOLDFAST_LIMITS_IDLE_TIMEOUT: '10m',
    ...options.environment,
  }
  const loaded = loadConfig({ mode: 'dev', args: [], environment })
  if (!loaded.ok) throw new Error(renderProblems(loaded.problems))
  await prepareDev({ clock: systemClock, ids: randomIds, pid: process.pid }, loaded.config)
  const { log } = openLog(loaded.config, { write: () => true })
  const server = await startServer(loaded.config, log)
  const { http, https } = await server.listen()
  const portOf = (address: string | undefined): number => Number(new URL(address ?? 'http://x:0').port)
  return { port: portOf(http), httpsPort: portOf(https), dataDir }
}
