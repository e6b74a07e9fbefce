import { CliFailure } from '../io.ts'
import type { Connection } from './server-connection.ts'

/** A failure that may pass: no server was reached, the connection broke, or a proxy could not reach the server. */
export class TransientFailure extends CliFailure {
  /** False if the server may have carried out the call anyway. */
  readonly isUndone: boolean

  constructor(text: string, { isUndone, exitCode = 1 }: { readonly isUndone: boolean; readonly exitCode?: number }) {
    super(text, exitCode)
    this.isUndone = isUndone
  }
}

const untrustedCodes = /SELF_SIGNED|UNABLE_TO_(?:VERIFY|GET_ISSUER)|CERT_(?:UNTRUSTED|SIGNATURE)/

/** Connection errors that end when a server has restarted. */
const transientCodes = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/

/** Says what a failed connection means and what to do about it; `waitedMs` is the time since the request was sent. */
export function toCliFailure(error: NodeJS.ErrnoException, connection: Connection, waitedMs: number): Error {
  if (error instanceof CliFailure) return error
  const text = explainConnectionError(error, connection, waitedMs)
  if (!transientCodes.test(error.code ?? '')) return new CliFailure(text)
  return new TransientFailure(text, { isUndone: error.syscall === 'connect' || error.syscall === 'getaddrinfo' })
}

/** A listener for TLS that is sent plain HTTP closes the connection at once; one that waited has understood the request. */
const misunderstoodMs = 2_000

function explainConnectionError(error: NodeJS.ErrnoException, connection: Connection, waitedMs: number): string {
  const { address, addressVariable, ca, otherServer } = connection
  const at = address.origin
  const named = addressVariable && !otherServer ? ` (from ${addressVariable})` : ''
  if (error.code === 'ECONNREFUSED') {
    const remedy = otherServer ? '' : " Start one with 'holdfast dev', or name another with --address."
    return `No server answers at ${at}${named}.${remedy}`
  }
  if (error.code === 'ENOTFOUND') return `The host of ${at}${named} is unknown.`
  if (untrustedCodes.test(error.code ?? '')) {
    const known = ca === undefined ? '' : ' The CA in use has not issued it.'
    const flag = otherServer?.caFlag ?? '--ca-cert or HOLDFAST_CACERT'
    return `The certificate of ${at} is not trusted (${error.code}).${known} Name its CA with ${flag}.`
  }
  if (error.code === 'EPROTO' && address.protocol === 'https:')
    return `${at} does not speak TLS. Is it a plain http:// address?`
  if (/^(?:ECONNRESET|EPIPE)$/.test(error.code ?? '') && waitedMs >= misunderstoodMs)
    return `${at} closed the connection before it answered. If it is being restarted, try again in a moment.`
  if (/^(?:ECONNRESET|EPIPE|HPE_)/.test(error.code ?? '') && address.protocol === 'http:')
    return `${at} closes the connection. Is it an https:// address?`
  return `${at} cannot be reached: ${error.message}`
}
