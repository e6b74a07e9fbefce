import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Io } from '../io.ts'

/** A dev server of this user that runs now. */
export type DevServer = {
  address: string
  caCert: string
  clientCert: string
  clientKey: string
  rootToken: string | undefined
}

/**
 * Finds the dev server whose data directory is here. A file that somebody else could have put there is not trusted: it
 * must belong to this user alone, and name an address of this machine.
 */
export function findDevServer(io: Pick<Io, 'environment' | 'directory'>): DevServer | undefined {
  const path = join(io.environment.HOLDFAST_DATA_DIR || join(io.directory, 'data'), 'dev.json')
  const facts = isPrivateToUser(path) ? readFacts(path) : undefined
  const address = facts?.address ?? facts?.http_address
  if (!facts || !address || !/^https?:\/\/(?:127\.0\.0\.1|\[::1\]|localhost)(?::\d+)?$/.test(address)) return undefined
  return {
    address,
    caCert: facts.ca_cert ?? '',
    clientCert: facts.client_cert ?? '',
    clientKey: facts.client_key ?? '',
    rootToken: facts.root_token ?? undefined,
  }
}

function isPrivateToUser(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false })
  if (!found || process.platform === 'win32') return found !== undefined
  return found.uid === process.getuid?.() && (found.mode & 0o077) === 0
}

function readFacts(path: string): Partial<Record<string, string | null>> | undefined {
  try {
    const facts: unknown = JSON.parse(readFileSync(path, 'utf8'))
    return typeof facts === 'object' && facts !== null ? (facts as Record<string, string | null>) : undefined
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return undefined
    throw thrown
  }
}
