import { matchesCidrs } from '../../../access/cidr.ts'
import { toIso } from '../../../kernel/clock.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Deps } from '../../../kit/deps.ts'
import type { Mount } from '../../../kit/mount.ts'
import {
  alternativeNames,
  type Certificate,
  explainPaths,
  isCa,
  nameText,
  type PathReport,
  readPemCertificates,
  serialText,
} from '../../../pki/index.ts'
import { configOf } from '../config/config-actions.ts'
import { crlsOf } from '../crls/crl-memory.ts'
import { prepareTrust } from '../login/directory/known-role.ts'
import { judgeRole } from '../login/matching/judge-role.ts'
import { leafFactsOf } from '../login/matching/leaf-facts.ts'
import { checkRevocationByOcsp, type OcspQuestion, ocspEnds } from '../ocsp/index.ts'
import { type CertRole, nameKeyOf } from '../roles/role.ts'
import { findRole, listRoleNames } from '../roles/role-store.ts'
import type { ExplainedCheck } from './explained-check.ts'
import { tokenChecks } from './token-checks.ts'

/** A certificate and its intermediates. */
export type GivenChain = readonly [leaf: Certificate, ...intermediates: Certificate[]]

/** What a privileged caller wants explained. */
export type ExplainRequest = {
  readonly chain: GivenChain
  /** Where the login would come from; empty leaves that check out. */
  readonly remoteAddress: string
  /** Asks the OCSP responders too; without it the check says that it was left out. */
  readonly askOcsp: boolean
}

/** What one role thinks of a chain. */
export type ExplainedRole = {
  readonly role: string
  /** Whether it pins one certificate; such roles are tried before those that trust a CA. */
  readonly pinned: boolean
  readonly accepted: boolean
  /** From the certificate to what the role trusts, or as far as it leads. */
  readonly path: readonly string[]
  readonly checks: readonly ExplainedCheck[]
}

/** Roles explained in one answer; the search for those that fit does not end there. */
const mostRoles = 50

/** The certificates of a request, the leaf first. */
export function givenChain(pem: string): GivenChain {
  const [leaf, ...others] = readPemCertificates(pem).certificates
  if (leaf) return [leaf, ...others]
  const text = "'certificate' must hold the client certificate as PEM, followed by its intermediates."
  throw failure('invalid', 'explain.no-certificate', text)
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
    names: alternativeNames(certificate),
  }))

/** Explains a chain by one role. */
export async function explainRole(
  deps: Deps,
  mount: Mount,
  name: string,
  asked: ExplainRequest,
): Promise<ExplainedRole> {
  const role = await findRole(deps.db, mount.id, name)
  if (!role) throw failure('missing', 'cert-role.missing', `There is no role '${name}'.`)
  return judge(deps, mount, role, asked)
}

/** Explains a chain by every role: those that accept it in the order a login tries them, then the nearest. */
export async function explainAll(
  deps: Deps,
  mount: Mount,
  asked: ExplainRequest,
): Promise<{ total: number; roles: ExplainedRole[] }> {
  const names = await listRoleNames(deps.db, mount.id, { after: '', limit: 0 })
  const explained: ExplainedRole[] = []
  for (const name of names) {
    const role = await findRole(deps.db, mount.id, name)
    if (role) explained.push(await judge(deps, mount, role, asked))
    if (explained.length > 2 * mostRoles) explained.sort(byNearness).splice(mostRoles)
  }
  return { total: names.length, roles: explained.sort(byNearness).slice(0, mostRoles) }
}

const failures = ({ checks }: ExplainedRole): number => checks.filter((check) => !check.ok).length

const byNearness = (a: ExplainedRole, b: ExplainedRole): number =>
  Number(b.accepted) - Number(a.accepted) ||
  failures(a) - failures(b) ||
  Number(b.pinned) - Number(a.pinned) ||
  (nameKeyOf(a.role) < nameKeyOf(b.role) ? -1 : 1)

async function judge(deps: Deps, mount: Mount, role: CertRole, asked: ExplainRequest): Promise<ExplainedRole> {
  const [leaf, ...intermediates] = asked.chain
  const config = await configOf(deps, mount.id)
  const lists = await crlsOf(deps, mount.id)
  const { anchors, kind, certificates } = prepareTrust(role.certificate)
  const accept = (path: readonly Certificate[]) =>
    lists.objection(kind === 'leaf' ? certificates : path, config.crlMatch)
  const { outcome, paths } = await explainPaths({ leaf, intermediates, anchors, at: deps.clock.now(), accept })
  const shown = paths[0]
  const checks = [
    ...pathChecks(shown, outcome.ok ? undefined : outcome.reason),
    ...judgeRole(role, leafFactsOf(leaf)).checks.map(({ name, ...rest }) => ({ check: name, ...rest })),
    ...addressCheck(role, asked.remoteAddress),
    ...(await tokenChecks(deps, mount, role, leaf)),
  ]
  if (outcome.ok) {
    const found = { path: outcome.path, trusted: certificates, cacheSize: config.ocspCacheSize }
    checks.push(...(await ocspCheck(deps, { role, mount, ask: asked.askOcsp, ...found })))
  }
  const accepted = outcome.ok && checks.every((check) => check.ok)
  return {
    role: role.name,
    pinned: kind === 'leaf',
    accepted,
    path: (shown?.certificates ?? [leaf]).map((each) => nameText(each.subject)),
    checks,
  }
}

/** Failed checks of the most promising path in full; of those that passed only their number. */
function pathChecks(
  path: PathReport | undefined,
  reason: { code: string; text: string; fix: string } | undefined,
): ExplainedCheck[] {
  const failed = (path?.checks ?? []).filter((check) => !check.ok)
  if (reason === undefined) {
    const detail = `The certificate chains to what the role trusts; ${path?.checks.length ?? 0} checks passed.`
    return [{ check: 'path', ok: true, detail, fix: '' }]
  }
  const told = failed.map(({ code, certificate, text, fix }) => ({
    check: code,
    ok: false,
    detail: `${nameText(certificate.subject) || serialText(certificate)}: ${text}`,
    fix,
  }))
  return told.length > 0 ? told : [{ check: reason.code, ok: false, detail: reason.text, fix: reason.fix }]
}

function addressCheck(role: CertRole, address: string): ExplainedCheck[] {
  if (role.tokenBoundCidrs.length === 0 || address === '') return []
  const ok = matchesCidrs(role.tokenBoundCidrs, address)
  const detail = `${address} is ${ok ? 'inside' : 'outside'} ${role.tokenBoundCidrs.join(', ')}.`
  return [
    {
      check: 'token_bound_cidrs',
      ok,
      detail,
      fix: ok ? '' : "Log in from an address inside, or widen 'token_bound_cidrs'.",
    },
  ]
}

type OcspCheck = Pick<OcspQuestion, 'path' | 'trusted' | 'cacheSize'> & { role: CertRole; mount: Mount; ask: boolean }

async function ocspCheck(deps: Deps, { role, mount, ask, ...question }: OcspCheck): Promise<ExplainedCheck[]> {
  if (!role.ocspEnabled) return []
  if (!ask) return [{ check: 'ocsp', ok: true, detail: "Not asked: set 'ask_ocsp' to ask the responders.", fix: '' }]
  const verdict = await checkRevocationByOcsp(deps, {
    ...question,
    terms: role,
    mountId: mount.id,
    ends: ocspEnds(deps),
  })
  const fix = 'Look at the responder and its answer, or change the OCSP settings of the role.'
  return [{ check: 'ocsp', ok: verdict.pass, detail: verdict.text, fix: verdict.pass ? '' : fix }]
}
