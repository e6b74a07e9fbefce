import { connect } from 'node:net'
import { defaultListenerLimits } from './limits.ts'
import { openListener } from './listener.ts'

/** A parser that is left hanging answers nothing. */
const patienceMs = 2_000

/**
 * Connects to itself once and looks whether the verb LIST arrives, followed by another request. Reading it takes parts of
 * Node that are not documented (docs/decisions/0006), so another Node may have changed them. Takes about 20 ms.
 */
export async function readsListVerb(): Promise<boolean> {
  const verbs: (string | undefined)[] = []
  const place = { name: 'self-test', host: '127.0.0.1', port: 0, limits: defaultListenerLimits }
  const listener = await openListener(place, (request, response) => {
    verbs.push(request.method)
    response.end()
  }).catch(() => undefined)
  // Without a loopback address nothing can be tried, and nothing says that it does not work.
  if (!listener) return true
  const socket = connect(listener.address)
  // How the connection ends does not matter: what has arrived does.
  socket.on('error', () => undefined)
  socket.setTimeout(patienceMs, () => socket.destroy())
  socket.end('LIST / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  socket.resume()
  await new Promise((resolve) => socket.once('close', resolve))
  await listener.close(0)
  return verbs.join() === 'LIST,GET'
}
