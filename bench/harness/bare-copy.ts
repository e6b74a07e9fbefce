import { type ChildServer, startChildServer } from './child-server.ts'

/** Headers that Node writes by itself. */
const ownHeaders = new Set(['connection', 'date', 'keep-alive', 'transfer-encoding'])

/** A bare Node server that sends exactly the bytes that a server answers with at this address, headers included. */
export async function startBareCopy(
  server: ChildServer,
  path: string,
  headers: Record<string, string>,
): Promise<ChildServer> {
  const answer = await fetch(`http://127.0.0.1:${server.facts.port}${path}`, { headers })
  const sent = Object.fromEntries([...answer.headers].filter(([name]) => !ownHeaders.has(name)))
  return startChildServer(new URL('../servers/bare-http.ts', import.meta.url), {
    body: await answer.text(),
    headers: sent,
  })
}
