import { hash } from 'node:crypto'
import type { Instant } from '../../../kernel/clock.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { ClientCertificate, RequestFacts } from '../../../kit/endpoint.ts'
import { readCertificate } from '../../../pki/index.ts'
import { refusedHere } from './caller-token.ts'
import type { Token } from './records/token-rules.ts'
import { findLoginAbove, type LoginOfToken } from './records/token-store.ts'

/**
 * A token bound to a certificate works only over a connection that presents the same one (the idea of RFC 8705 §3), as
 * long as that is valid and the method of its login has nothing against it.
 */
export async function requireCertificate(deps: Deps, token: Token, request: RequestFacts): Promise<void> {
  const { certificate } = request
  if (!certificate || hash('sha256', certificate.leaf, 'hex') !== token.certificateFingerprint) {
    const found = certificate ? 'another one' : 'none'
    const text = `The token is bound to the certificate of its login, and the connection presents ${found}.`
    throw refusedHere(token, text)
  }
  // A connection may outlast the certificate that it began with.
  if (deps.clock.now() > endOf(certificate))
    throw refusedHere(token, 'The certificate that the token is bound to has expired.')
  const login = await loginOf(deps, token)
  if (login) await requireUsable(deps, token, login, request)
}

/** By the certificates of connections, each of which is read once. */
const certificateEnds = new WeakMap<ClientCertificate, Instant>()

function endOf(certificate: ClientCertificate): Instant {
  const end = certificateEnds.get(certificate) ?? readCertificate(certificate.leaf).notAfter
  certificateEnds.set(certificate, end)
  return end
}

async function requireUsable(deps: Deps, token: Token, login: LoginOfToken, request: RequestFacts): Promise<void> {
  const mount = await deps.mounts.find(`${login.path}/`)
  if (mount?.loginId !== login.mountId) return
  const objection = await deps.mountKinds.get(mount.type)?.objectionToUse?.(deps, login.metadata, { mount, request })
  if (objection === undefined) return
  throw refusedHere(token, `The certificate that the token is bound to is refused. ${objection}`)
}

/** By the tokens below a login, for as long as they are remembered. */
const loginsAbove = new WeakMap<Token, LoginOfToken>()

/**
 * The login that bound a token, or the first of its ancestors; undefined once that one was revoked and its children
 * were made orphans.
 */
async function loginOf({ db }: Pick<Deps, 'db'>, token: Token): Promise<LoginOfToken | undefined> {
  if (token.mountId !== '') return token
  const login = loginsAbove.get(token) ?? (await findLoginAbove(db, token.parentId))
  if (login) loginsAbove.set(token, login)
  return login
}
