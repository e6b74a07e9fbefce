import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Outbox } from './outbox.ts'

/** A server that keeps requests until so many are there, as if one turn had brought them all. */
async function gathering(count: number) {
  const waiting: { path: string; response: ServerResponse }[] = []
  const all = Promise.withResolvers<typeof waiting>()
  const server = createServer((request, response) => {
    waiting.push({ path: request.url ?? '', response })
    if (waiting.length === count) all.resolve(waiting)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, all: all.promise, url: `http://127.0.0.1:${port}` }
}

test('outbox: the first response of a turn is sent at once, the others at its end, each to its client', async () => {
  const { url, all } = await gathering(5)
  const asked = [1, 2, 3, 4, 5].map(async (n) => [`/${n}`, await (await fetch(`${url}/${n}`)).text()])
  const outbox = new Outbox()
  const letters = await all
  for (const { path, response } of letters) outbox.end(response, `for ${path}`, 'latin1')
  expect(letters.map(({ response }) => response.writableEnded)).toEqual([true, false, false, false, false])
  await nextTurn()
  expect(letters.every(({ response }) => response.writableEnded)).toBe(true)
  expect(await Promise.all(asked)).toEqual([1, 2, 3, 4, 5].map((n) => [`/${n}`, `for /${n}`]))
})

test('outbox: answers on one connection keep the order of the requests', async () => {
  const { port, all } = await gathering(3)
  const socket = connect(port, '127.0.0.1')
  const path = ['/a', '/b', '/c']
  socket.write(
    path
      .map((each) => `GET ${each} HTTP/1.1\r\nHost: x\r\n${each === '/c' ? 'Connection: close\r\n' : ''}\r\n`)
      .join(''),
  )
  const outbox = new Outbox()
  for (const { path: asked, response } of (await all).toReversed()) outbox.end(response, `<${asked}>`, 'latin1')
  expect((await text(socket)).match(/<.*?>/g)).toEqual(['</a>', '</b>', '</c>'])
})

test('outbox: a client that disconnected does not hold up the responses to others', async () => {
  const { port, url, all } = await gathering(3)
  const gone = connect(port, '127.0.0.1')
  gone.write('GET /gone HTTP/1.1\r\nHost: x\r\n\r\n')
  const asked = ['/first', '/last'].map(async (path) => (await fetch(url + path)).text())
  const letters = (await all).toSorted((a, b) => Number(a.path === '/gone') - Number(b.path === '/gone'))
  const outbox = new Outbox()
  for (const { path, response } of [letters[0], letters[2], letters[1]].flatMap((each) => each ?? [])) {
    if (path === '/gone') response.destroy()
    outbox.end(response, path, 'latin1')
  }
  expect((await Promise.all(asked)).toSorted()).toEqual(['/first', '/last'])
})
