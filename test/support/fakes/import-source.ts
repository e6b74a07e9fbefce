import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Client, createClient } from '../../../cli/client.ts'

/** A server that answers like this until the test is over; its address. */
export async function serving(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const plain = { ca: undefined, cert: undefined, key: undefined, skipVerify: false, timeoutMs: 10_000 }

/** A client of the command line for a server without TLS. */
export const clientOf = (address: string, token: string): Client =>
  createClient({ ...plain, address: new URL(address), token })
