import { once } from 'node:events'
import { createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { failure } from '../kernel/failure.ts'
import { Deadline } from './exchange.ts'

/** A request that is being handled: its answer to come, and a way to hang up. */
async function asked(): Promise<{ outgoing: ServerResponse; hangUp: () => void; answered: Promise<unknown> }> {
  const server = createServer()
  const handled = once(server, 'request')
  server.listen(0, '127.0.0.1')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  await once(server, 'listening')
  const client = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1' })
  client.on('error', () => undefined)
  client.on('response', (response) => response.resume())
  const [, outgoing] = (await handled) as [unknown, ServerResponse]
  return { outgoing, hangUp: () => client.destroy(), answered: once(outgoing, 'close') }
}

test('deadline: the signal aborts with client.gone when the client disconnects', async () => {
  const { outgoing, hangUp, answered } = await asked()
  const { signal } = new Deadline(outgoing)
  expect(signal.aborted).toBe(false)
  hangUp()
  await answered
  expect(signal.aborted).toBe(true)
  expect(signal.reason).toMatchObject({ code: 'client.gone' })
})

test('deadline: a signal first read after the client disconnected is already aborted with client.gone', async () => {
  const { outgoing, hangUp, answered } = await asked()
  const deadline = new Deadline(outgoing)
  hangUp()
  await answered
  expect(deadline.signal.reason).toMatchObject({ code: 'client.gone' })
})

test('deadline: a response that was sent does not abort the signal, whether it was read before or after', async () => {
  const { outgoing, answered } = await asked()
  const deadline = new Deadline(outgoing)
  const { signal } = deadline
  outgoing.end('done')
  await answered
  expect(signal.aborted).toBe(false)
  expect(new Deadline(outgoing).signal.aborted).toBe(false)
})

test('deadline: after several aborts the signal holds the first reason, even if it is read only then', async () => {
  const { outgoing } = await asked()
  const deadline = new Deadline(outgoing)
  deadline.abort(failure('unavailable', 'first', 'First.'))
  deadline.abort(failure('unavailable', 'second', 'Second.'))
  expect(deadline.signal.reason).toMatchObject({ code: 'first' })
})
