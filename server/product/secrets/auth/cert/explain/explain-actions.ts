import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseAddress } from '../../../../../kernel/address-range.ts'
import { toIso } from '../../../../../kernel/clock.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Deps } from '../../../../../kit/deps.ts'
import type { Mount } from '../../../../../kit/mount.ts'
import {
  alternativeNames,
  type Certificate,
  isCa,
  nameText,
  readPemCertificates,
  serialText,
} from '../../../../../pki/index.ts'
import { nameKeyOf } from '../roles/role.ts'
import { findRole, pageOfRoles } from '../roles/role-store.ts'
import { ChainJudge, type ExplainedRole, type ExplainRequest, type GivenChain, type JudgedRole } from './chain-judge.ts'
import type { Verdict } from './explained-check.ts'

/** Roles explained in one answer. */
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
  requested: ExplainRequest,
): Promise<ExplainedRole> {
  const role = await findRole(deps.db, mount.id, name)
  if (!role) throw failure('missing', 'cert-role.missing', `There is no role '${name}'.`)
  return (await new ChainJudge(deps, mount, requested).judge(role)).shown
}

/** What a login would come to, and the roles that decide it. */
export type ExplainedLogin = {
  readonly accepted: Verdict
  /** The role that would accept it; empty if there is none or that is undecided. */
  readonly acceptedBy: string
  /** Those of the roles that the login depends on which were not fully checked. */
  readonly undecided: readonly ExplainedRole[]
  /** First those that would match, in the order a login tries them, then those that come closest. */
  readonly roles: readonly ExplainedRole[]
  readonly total: number
}

/** Explains a chain by the role of this name, or by every role if it is empty, as a login tries them. */
export async function explainLogin(
  deps: Deps,
  mount: Mount,
  name: string,
  requested: ExplainRequest,
): Promise<ExplainedLogin> {
  const judge = new ChainJudge(deps, mount, requested)
  if (name === '') return outcomeOf(await judgeAll(deps, mount, judge))
  const role = await findRole(deps.db, mount.id, name)
  return outcomeOf({ total: role ? 1 : 0, roles: role ? [await judge.judge(role)] : [] })
}

/** The search for roles that match goes on beyond those that are shown. */
async function judgeAll(
  deps: Deps,
  mount: Mount,
  judge: ChainJudge,
): Promise<{ total: number; roles: readonly JudgedRole[] }> {
  const judged: JudgedRole[] = []
  let total = 0
  for (let after = ''; ; await nextTurn()) {
    const roles = await pageOfRoles(deps.db, mount.id, { after, limit: batchSize })
    for (const role of roles) judged.push(await judge.judge(role))
    if (judged.length > 2 * maxExplainedRoles) judged.sort(byNearness).splice(maxExplainedRoles)
    total += roles.length
    const last = roles[batchSize - 1]
    if (!last) return { total, roles: judged.sort(byNearness).slice(0, maxExplainedRoles) }
    after = last.name
  }
}

/** A login chooses the first role that matches, even if that one issues no token. */
function outcomeOf({ total, roles }: { total: number; roles: readonly JudgedRole[] }): ExplainedLogin {
  const candidates = roles.filter(({ matches }) => matches !== false)
  const chosen = candidates.find(({ matches }) => matches === true)
  const open = chosen ? candidates.slice(0, candidates.indexOf(chosen)) : candidates
  const ends = [...open.map(issues), chosen !== undefined && issues(chosen)]
  const accepted = ends.every(Boolean) || (ends.some(Boolean) ? null : false)
  return {
    accepted,
    acceptedBy: accepted === true && open.length === 0 ? (chosen?.shown.role ?? '') : '',
    undecided: open.map(({ shown }) => shown),
    roles: roles.map(({ shown }) => shown),
    total,
  }
}

/** Whether a role would issue a token to a certificate that matches it. */
const issues = ({ shown }: JudgedRole): boolean => shown.accepted !== false

const failures = ({ shown }: JudgedRole): number => shown.checks.filter(({ ok }) => ok === false).length

const byNearness = (a: JudgedRole, b: JudgedRole): number => {
  const [mayMatch, otherMayMatch] = [a.matches !== false, b.matches !== false]
  return (
    Number(otherMayMatch) - Number(mayMatch) ||
    (mayMatch ? 0 : failures(a) - failures(b)) ||
    Number(b.shown.pinned) - Number(a.shown.pinned) ||
    (nameKeyOf(a.shown.role) < nameKeyOf(b.shown.role) ? -1 : 1)
  )
}
