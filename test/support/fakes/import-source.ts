import { type Client, createClient } from '../../../cli/client.ts'

const plain = { ca: undefined, cert: undefined, key: undefined, skipVerify: false, timeoutMs: 10_000 }

/** A client of the command line for a server without TLS. */
export const clientOf = (address: string, token: string): Client =>
  createClient({ ...plain, address: new URL(address), token })
