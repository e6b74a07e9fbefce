import { matchesCidrs } from '../../../../../access/cidr.ts'
import { parseAddress } from '../../../../../kernel/address-range.ts'
import { failure } from '../../../../../kernel/failure.ts'
import type { Certificate } from '../../../../../pki/certificates/certificate.ts'
import { serialText } from '../../../../../pki/certificates/certificate-facts.ts'
import { nameText } from '../../../../../pki/certificates/distinguished-names.ts'
import { readPemCertificates } from '../../../../../pki/certificates/pem-certificates.ts'
import type { PathReport } from '../../../../../pki/paths/path-explain.ts'
import type { Refusal } from '../../../../../pki/paths/path-refusal.ts'
import { type CertRole, nameKeyOf } from '../roles/role.ts'

/** True, false, or null where it cannot be told because a check was not made. */
export type Verdict = boolean | null

/** One check of one role: what it looked at, how it went, and what would fix it. */
export type ExplainedCheck = {
  readonly check: string
  /** Null when it was not made; `fix` then says how to have it made. */
  readonly ok: Verdict
  readonly detail: string
  readonly fix: string
}

/** One failed check refuses; without one, each check that was not made leaves it open. */
export const verdictOf = (checks: readonly ExplainedCheck[]): Verdict =>
  checks.some(({ ok }) => ok === false) ? false : checks.every(({ ok }) => ok === true) || null

/** A certificate and its intermediates. */
export type GivenChain = readonly [leaf: Certificate, ...intermediates: Certificate[]]

/** What a privileged caller wants explained. */
export type ExplainRequest = {
  readonly chain: GivenChain
  /** Where the login would come from; if empty, this check is not made. */
  readonly remoteAddress: string
  /** Whether to ask the OCSP responders; if not, this check is not made. */
  readonly askOcsp: boolean
  /** Whether the caller may know how calls to the responders ended. */
  readonly maySeeCalls: boolean
}

/** The verdict of one role on a chain. */
export type ExplainedRole = {
  readonly role: string
  /** Whether it pins one certificate; such roles are tried before those that trust a CA. */
  readonly pinned: boolean
  readonly accepted: Verdict
  /** From the certificate to the one that the role trusts, or as far as the path leads. */
  readonly path: readonly string[]
  readonly certificates: readonly Certificate[]
  /** True if the path ends with a certificate that the role trusts. */
  readonly reachesTrust: boolean
  readonly checks: readonly ExplainedCheck[]
}

/** A role as it is shown, and whether a login would choose it: if it then gets no token, no other role is tried. */
export type JudgedRole = { readonly shown: ExplainedRole; readonly matches: Verdict }

/** In place of the check that is made only if it is asked for. */
export const skippedOcsp: ExplainedCheck = {
  check: 'ocsp',
  ok: null,
  detail: 'Not asked: a login asks the OCSP responders, and they can refuse it.',
  fix: "Set 'ask_ocsp' to ask them.",
}

/** For an accepted path, how many checks it passed; else the failed ones of the most promising path. */
export function pathChecks(path: PathReport | undefined, reason: Refusal | undefined): ExplainedCheck[] {
  const checks = path?.checks ?? []
  if (reason === undefined) {
    const detail = `The certificate chains to one that the role trusts; ${checks.length} checks passed.`
    return [{ check: 'path', ok: true, detail, fix: '' }]
  }
  const failed = checks.filter((check) => !check.ok)
  if (failed.length === 0) return [{ check: reason.code, ok: false, detail: reason.text, fix: reason.fix }]
  return failed.map(({ code, certificate, text, fix }) => ({
    check: code,
    ok: false,
    detail: `${nameText(certificate.subject) || serialText(certificate)}: ${text}`,
    fix,
  }))
}

/** Whether a login from this address is inside the bounds of the role. */
export function addressCheck(role: CertRole, address: string): ExplainedCheck[] {
  if (role.tokenBoundCidrs.length === 0) return []
  const check = 'token_bound_cidrs'
  const bounds = role.tokenBoundCidrs.join(', ')
  if (address === '') {
    const detail = `Not asked: a login is refused unless it comes from ${bounds}.`
    return [{ check, ok: null, detail, fix: "Set 'remote_address' to the address of the client." }]
  }
  const ok = matchesCidrs(role.tokenBoundCidrs, address)
  const fix = ok ? '' : "Log in from an address inside, or widen 'token_bound_cidrs'."
  return [{ check, ok, detail: `${address} is ${ok ? 'inside' : 'outside'} ${bounds}.`, fix }]
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

/** A login chooses the first role that matches, even if that one issues no token. */
export function outcomeOf({ total, roles }: { total: number; roles: readonly JudgedRole[] }): ExplainedLogin {
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

/** Roles whose certificates the chain does not even lead to come last. */
const failures = ({ shown }: JudgedRole): number =>
  shown.checks.filter(({ ok }) => ok === false).length + (shown.reachesTrust ? 0 : 1_000)

/** Roles that would match come first, then those that come closest. */
export const byNearness = (a: JudgedRole, b: JudgedRole): number => {
  const [mayMatch, otherMayMatch] = [a.matches !== false, b.matches !== false]
  return (
    Number(otherMayMatch) - Number(mayMatch) ||
    (mayMatch ? 0 : failures(a) - failures(b)) ||
    Number(b.shown.pinned) - Number(a.shown.pinned) ||
    (nameKeyOf(a.shown.role) < nameKeyOf(b.shown.role) ? -1 : 1)
  )
}

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
