import { type Agent, get, type IncomingMessage } from 'node:http'
import { get as getOverTls } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { mintCa, mintServer } from '../../test/support/certificates.ts'
import { listenOnLoopback } from '../../test/support/fakes/loopback.ts'
import { systemClock } from '../kernel/clock.ts'
import type { GuardLists } from './address-guard.ts'
import { createOutbound } from './fetch.ts'

const ca = mintCa()
const { pem: cert, keyPem: key } = mintServer(ca)

const schemes = ['http', 'https'] as const

/** A server that counts its connections, and how a library asks it. */
async function served(scheme: (typeof schemes)[number], lists: GuardLists = {}, addresses = ['127.0.0.1']) {
  let asked = 0
  const server = await listenOnLoopback(
    (_request, response) => {
      asked++
      response.end('hello')
    },
    scheme === 'https' ? { cert, key } : undefined,
  )
  const resolver = async () => addresses.map((address) => ({ address, family: 4 }))
  const agents = createOutbound({ clock: systemClock, resolver, ...lists }).agents()
  onTestFinished(async () => {
    agents.destroy()
    await server.close()
  })
  const ask = async (host: string): Promise<string> => {
    const url = new URL(`${scheme}://${host}:${server.port}/`)
    return text(await responseOf(url, agents.of(url)))
  }
  return { ask, asked: () => asked }
}

const responseOf = (url: URL, agent: Agent): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const request =
      url.protocol === 'https:' ? getOverTls(url, { agent, ca: ca.pem }, resolve) : get(url, { agent }, resolve)
    request.on('error', reject)
  })

test.each(schemes)('agents: %s connects to the address that was checked, by name and by address', async (scheme) => {
  const { ask } = await served(scheme)
  expect(await ask('localhost')).toBe('hello')
  expect(await ask('127.0.0.1')).toBe('hello')
  expect(await ask('localhost')).toBe('hello')
})

test.each(schemes)('agents: %s refuses a denied address, by name and by address', async (scheme) => {
  const { ask, asked } = await served(scheme, { deny: ['127.0.0.0/8'] })
  for (const host of ['localhost', '127.0.0.1']) {
    await expect(ask(host)).rejects.toMatchObject({ code: 'outbound.denied-address' })
  }
  expect(asked()).toBe(0)
})

test.each(schemes)('agents: %s refuses what is always denied', async (scheme) => {
  const { ask } = await served(scheme, {}, ['169.254.169.254'])
  for (const host of ['localhost', '169.254.169.254']) {
    await expect(ask(host)).rejects.toThrow('169.254.169.254 is a cloud metadata address')
  }
})

test('agents: a name with an allowed and a denied address is called at the allowed one', async () => {
  const { ask } = await served('http', {}, ['169.254.169.254', '127.0.0.1'])
  expect(await ask('localhost')).toBe('hello')
})

test('agents: an error of the connection is that of the request', async () => {
  const { ask } = await served('http', {}, ['127.0.0.2'])
  await expect(ask('localhost')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
})
