import type { ChildServer } from '../harness/child-server.ts'
import type { Contender } from '../harness/compare-rates.ts'
import { bearerHeaders } from '../harness/platform-client.ts'
import { openClient, requestBytes } from '../harness/raw-load.ts'
import { benchRootToken } from '../servers/holdfast.ts'

/** Connections of every load here. */
export const connections = 32

/** The address of an organization's workspaces, or of something below it. */
export const workspacesPath = (name: string, query = ''): string => `/api/v2/organizations/${name}/workspaces${query}`

/** Reads of one address. Reconnects for each round: the server closes connections that are idle for long. */
export function readContender(
  name: string,
  server: ChildServer,
  path: string,
  { target, token = benchRootToken }: { target?: number; token?: string } = {},
): Contender {
  const requests = [requestBytes('GET', path.replaceAll('[', '%5B').replaceAll(']', '%5D'), bearerHeaders(token))]
  const run = async (ms: number): Promise<number> => {
    const client = openClient({ port: server.facts.port, requests, connections })
    const count = await client.run(ms)
    client.close()
    return count
  }
  return { name, target, run, cpu: server.cpu }
}
