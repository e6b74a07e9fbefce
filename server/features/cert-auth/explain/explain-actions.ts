import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseAddress } from '../../../kernel/address-range.ts'
import { toIso } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import {
  alternativeNames,
  type Certificate,
  isCa,
  nameText,
  readPemCertificates,
  serialText,
} from '../../../pki/index.ts'
import { nameKeyOf } from '../roles/role.ts'
import { findRole, pageOfRoles } from '../roles/role-store.ts'
import { ChainJudge, type ExplainedRole, type ExplainRequest, type GivenChain } from './chain-judge.ts'

/** Roles explained in one answer; the search for those that accept the chain goes on beyond them. */
const maxExplainedRoles = 50

/** Roles read in one go and judged before others get a turn. */
const batchSize = 20

/** The certificates of a request, the leaf first. */
export function readChain(pem: string): GivenChain {
  const [leaf, ...others] = readPemCertificates(pem).certificates
  if (leaf) return [leaf, ...others]
  const text = "'certificate' must hold the client certificate as PEM, followed by its intermediates."
  throw failure('invalid', 'explain.no-certificate', text)
}

/** The address that was given, empty for none. */
export function readAddress(text: string): string {
  if (text === '' || parseAddress(text)) return text
  throw failure('invalid', 'explain.no-address', "'remote_address' must be an address such as 192.0.2.1.")
}

/** Certificates as people read them. */
export const describeChain = (chain: readonly Certificate[]): Record<string, unknown>[] =>
  chain.map((certificate) => ({
    subject: nameText(certificate.subject),
    issuer: nameText(certificate.issuer),
    serial: serialText(certificate),
    not_before: toIso(certificate.notBefore),
    not_after: toIso(certificate.notAfter),
    is_ca: isCa(certificate),
    fingerprint: certificate.fingerprint,
    names: describeNames(certificate),
  }))

function describeNames(certificate: Certificate): Record<string, readonly string[]> {
  const { directoryNames, ...names } = alternativeNames(certificate)
  return { ...names, directory_names: directoryNames }
}

/** Explains a chain by one role. */
export async function explainRole(
  deps: Deps,
  mount: Mount,
  name: string,
  asked: ExplainRequest,
): Promise<ExplainedRole> {
  const role = await findRole(deps.db, mount.id, name)
  if (!role) throw failure('missing', 'cert-role.missing', `There is no role '${name}'.`)
  return await new ChainJudge(deps, mount, asked).judge(role)
}

/**
 * Explains a chain by every role: first those that accept it, in the order a login tries them, then those that come
 * closest.
 */
export async function explainAll(
  deps: Deps,
  mount: Mount,
  asked: ExplainRequest,
): Promise<{ total: number; roles: ExplainedRole[] }> {
  const judge = new ChainJudge(deps, mount, asked)
  const explained: ExplainedRole[] = []
  let total = 0
  for (let after = ''; ; await nextTurn()) {
    const roles = await pageOfRoles(deps.db, mount.id, { after, limit: batchSize })
    for (const role of roles) explained.push(await judge.judge(role))
    if (explained.length > 2 * maxExplainedRoles) explained.sort(byNearness).splice(maxExplainedRoles)
    total += roles.length
    const last = roles[batchSize - 1]
    if (!last) return { total, roles: explained.sort(byNearness).slice(0, maxExplainedRoles) }
    after = last.name
  }
}

const failures = ({ checks }: ExplainedRole): number => checks.filter((check) => !check.ok).length

const byNearness = (a: ExplainedRole, b: ExplainedRole): number =>
  Number(b.accepted) - Number(a.accepted) ||
  failures(a) - failures(b) ||
  Number(b.pinned) - Number(a.pinned) ||
  (nameKeyOf(a.role) < nameKeyOf(b.role) ? -1 : 1)
