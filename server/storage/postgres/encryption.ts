import pg from 'pg'
import { clientConfig } from './connection.ts'
import { parseHosts } from './database-address.ts'

/** How what is sent to a database server is protected on its way. */
type Encryption = {
  /** Its name or address; empty for a Unix socket. */
  readonly host: string
  readonly tls: 'none' | 'unverified' | 'verified'
}

/**
 * How each server of an address is connected to, as the driver understands the address and the environment. None if it
 * cannot be understood, which the start reports.
 */
export function encryptionOf(url: string): Encryption[] {
  try {
    return parseHosts(url).map((each) => {
      const client = new pg.Client(clientConfig(each.url, {})) as pg.Client & { connectionParameters: Parameters }
      const { host, isDomainSocket, ssl } = client.connectionParameters
      return { host: isDomainSocket ? '' : host, tls: levelOf(ssl) }
    })
  } catch {
    return []
  }
}

/** What the driver made of an address. */
type Parameters = {
  readonly host: string
  readonly isDomainSocket: boolean
  readonly ssl: boolean | undefined | { readonly rejectUnauthorized?: boolean }
}

function levelOf(ssl: Parameters['ssl']): Encryption['tls'] {
  if (!ssl) return 'none'
  return typeof ssl === 'object' && ssl.rejectUnauthorized === false ? 'unverified' : 'verified'
}
