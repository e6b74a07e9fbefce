import { hash } from 'node:crypto'
import { type Awaitable, andThen } from '../../../kernel/awaitable.ts'
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
export function requireCertificate(deps: Deps, token: Token, request: RequestFacts): Awaitable<void> {
  const { certificate } = request
  if (!certificate || hash('sha256', certificate.leaf, 'hex') !== token.certificateFingerprint) {
    const found = certificate ? 'another one' : 'none'
    const text = `The token is bound to the certificate of its login, and the connection presents ${found}.`
    throw refusedHere(token, text)
  }
  // A connection may outlast the certificate that it began with.
  if (deps.clock.now() > endOf(certificate))
    throw refusedHere(token, 'The certificate that the token is bound to has expired.')
  return andThen(loginOf(deps, token), (login) => login && requireUsable(deps, token, login, request))
}

/** By the certificates of connections, each of which is read once. */
const certificateEnds = new WeakMap<ClientCertificate, Instant>()

function endOf(certificate: ClientCertificate): Instant {
  const end = certificateEnds.get(certificate) ?? readCertificate(certificate.leaf).notAfter
  certificateEnds.set(certificate, end)
  return end
}

function requireUsable(deps: Deps, token: Token, login: LoginOfToken, request: RequestFacts): Awaitable<void> {
  const objection = andThen(deps.mounts.find(`${login.path}/`), (mount) =>
    mount?.loginId === login.mountId
      ? deps.mountKinds.get(mount.type)?.objectionToUse?.(deps, login.metadata, { mount, request })
      : undefined,
  )
  return andThen(objection, (text) => {
    if (text !== undefined) throw refusedHere(token, `The certificate that the token is bound to is refused. ${text}`)
  })
}

/** By the tokens below a login, for as long as they are remembered. */
const loginsAbove = new WeakMap<Token, LoginOfToken>()

/**
 * The login that bound a token, or the first of its ancestors; undefined once that one was revoked and its children
 * were made orphans.
 */
function loginOf({ db }: Pick<Deps, 'db'>, token: Token): Awaitable<LoginOfToken | undefined> {
  if (token.mountId !== '') return token
  return loginsAbove.get(token) ?? findAndKeepLogin(db, token)
}

async function findAndKeepLogin(db: Deps['db'], token: Token): Promise<LoginOfToken | undefined> {
  const login = await findLoginAbove(db, token.parentId)
  if (login) loginsAbove.set(token, login)
  return login
}
