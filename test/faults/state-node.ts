import { loadConfig, renderProblems } from '../../server/config/index.ts'
import { prepareDev } from '../../server/dev/index.ts'
import { systemClock } from '../../server/kernel/clock.ts'
import { randomIds } from '../../server/kernel/ids.ts'
import { openLog } from '../../server/process/serve.ts'
import { startServer } from '../../server/start.ts'

/** The root token of these servers. */
export const rootToken = 'faulty-root-token'

/** Runs a whole server on a data directory until it is killed; its one line on standard output is its address. */
async function main(dataDir: string, storage: string | undefined): Promise<void> {
  const environment = {
    HOLDFAST_DATA_DIR: dataDir,
    HOLDFAST_LISTEN: '127.0.0.1:0',
    HOLDFAST_HTTP_LISTEN: '127.0.0.1:0',
    HOLDFAST_ROOT_TOKEN: rootToken,
    ...(storage ? { HOLDFAST_STORAGE: storage } : {}),
  }
  const loaded = loadConfig({ mode: 'dev', args: [], environment })
  if (!loaded.ok) throw new Error(renderProblems(loaded.problems))
  await prepareDev({ clock: systemClock, ids: randomIds, pid: process.pid }, loaded.config)
  const { log } = openLog(loaded.config, { write: () => true })
  const server = await startServer(loaded.config, log)
  const { http } = await server.listen()
  process.stdout.write(`${http}\n`)
}

const [dataDir, storage] = process.argv.slice(2)
if (import.meta.main && dataDir) await main(dataDir, storage)
