import type { Certificate } from '../certificates/certificate.ts'
import { nameKey } from '../certificates/distinguished-names.ts'
import { isSignedBy } from '../certificates/signature.ts'
import { hasAcceptablePolicies } from '../constraints/policies.ts'
import { Budget } from './budget.ts'
import { orderByKeyId } from './find-issuer.ts'
import { findPath, isSameEntity, noIssuer, noPolicy, notSigned, type PathOutcome, type PathQuery } from './path.ts'
import type { Refusal } from './path-refusal.ts'
import { type Position, rules } from './path-rules.ts'

/** One check of one certificate: what was asked, the verdict, and on failure why and what would fix it. */
type CheckReport = {
  readonly code: string
  readonly title: string
  readonly certificate: Certificate
  readonly ok: boolean
  readonly text: string
  readonly fix: string
}

/** One path from the leaf upwards, with every check made on it. */
export type PathReport = {
  readonly certificates: readonly Certificate[]
  /** True if the last certificate is trusted. */
  readonly reachesAnchor: boolean
  readonly ok: boolean
  readonly checks: readonly CheckReport[]
}

/** The verdict on a chain and every possible path, the accepted or most promising one first. */
export type Explanation = { readonly outcome: PathOutcome; readonly paths: readonly PathReport[] }

const mostPaths = 5
const mostSteps = 500

/** Judges a chain as `findPath` does, and reports every check on every path, passed or not. */
export async function explainPaths(query: PathQuery): Promise<Explanation> {
  const outcome = await findPath(query)
  const candidates = outcome.ok ? [outcome.path] : []
  for (const path of candidatePaths(query))
    if (!candidates.some((known) => isSamePath(known, path))) candidates.push(path)
  const paths: PathReport[] = []
  for (const path of candidates.slice(0, mostPaths)) paths.push(await reportPath(query, path))
  return { outcome, paths: paths.sort((a, b) => failures(a) - failures(b)) }
}

const failures = ({ checks, reachesAnchor }: PathReport): number =>
  checks.filter((check) => !check.ok).length + (reachesAnchor ? 0 : 1000)

const isSamePath = (a: readonly Certificate[], b: readonly Certificate[]): boolean =>
  a.length === b.length && a.every((each, index) => each.fingerprint === b[index]?.fingerprint)

/**
 * Paths to an anchor that fit by their names, whatever else is wrong with them; if there is none, the longest one that
 * does not reach an anchor.
 */
function candidatePaths({ leaf, intermediates, anchors }: PathQuery): (readonly Certificate[])[] {
  const bySubject = Map.groupBy(intermediates, (each) => nameKey(each.subject))
  const complete: (readonly Certificate[])[] = anchors.has(leaf) ? [[leaf]] : []
  let longest: readonly Certificate[] = [leaf]
  let steps = 0
  const climb = (path: readonly Certificate[]): void => {
    const child = path[path.length - 1]
    if (child === undefined || ++steps > mostSteps || complete.length >= mostPaths) return
    if (path.length > longest.length) longest = path
    for (const anchor of orderByKeyId(child, anchors.withSubject(nameKey(child.issuer))))
      if (complete.length < mostPaths && !path.some((each) => isSameEntity(each, anchor)))
        complete.push([...path, anchor])
    for (const sent of orderByKeyId(child, bySubject.get(nameKey(child.issuer)) ?? []))
      if (!anchors.has(sent) && !path.some((each) => isSameEntity(each, sent))) climb([...path, sent])
  }
  climb([leaf])
  return complete.length > 0 ? complete : [longest]
}

async function reportPath(query: PathQuery, path: readonly Certificate[]): Promise<PathReport> {
  const top = path[path.length - 1] ?? query.leaf
  const reachesAnchor = query.anchors.has(top)
  const checks = path.flatMap((certificate, index) => [
    ...ruleChecks(query, path, index, reachesAnchor),
    ...linkChecks(certificate, path[index + 1]),
  ])
  if (!reachesAnchor) checks.push(check('no-issuer', 'A trusted CA issued it.', top, noIssuer(top)))
  else checks.push(...(await pathChecks(query, path)))
  return { certificates: path, reachesAnchor, ok: reachesAnchor && checks.every((each) => each.ok), checks }
}

function ruleChecks(
  query: PathQuery,
  path: readonly Certificate[],
  index: number,
  reachesAnchor: boolean,
): CheckReport[] {
  const certificate = path[index] ?? query.leaf
  const position = positionOf(index, path.length, reachesAnchor)
  const { at, maxIntermediates } = query
  const place = { certificate, position, below: path.slice(0, index), at, maxIntermediates, budget: new Budget() }
  return rules
    .filter((rule) => rule.positions.includes(position))
    .map((rule) => check(rule.code, rule.title, certificate, rule.judge(place)))
}

function positionOf(index: number, length: number, reachesAnchor: boolean): Position {
  if (index === 0) return length === 1 && reachesAnchor ? 'pinned-leaf' : 'leaf'
  return index === length - 1 && reachesAnchor ? 'anchor' : 'intermediate'
}

function linkChecks(child: Certificate, issuer: Certificate | undefined): CheckReport[] {
  if (issuer === undefined) return []
  const fault = isSignedBy(child, issuer.publicKey) ? undefined : notSigned(child, issuer)
  return [check('signature', 'It is signed by the key of its issuer.', child, fault)]
}

async function pathChecks(query: PathQuery, path: readonly Certificate[]): Promise<CheckReport[]> {
  const { leaf, accept } = query
  const policies = hasAcceptablePolicies(path) ? undefined : noPolicy(leaf)
  const checks = [check('policies', 'The certificate policies the CAs require hold for the path.', leaf, policies)]
  const refusal = await accept?.(path)
  if (refusal !== undefined)
    checks.push(check(refusal.code, 'The path is accepted.', refusal.certificate ?? leaf, refusal))
  return checks
}

const check = (
  code: string,
  title: string,
  certificate: Certificate,
  fault: Pick<Refusal, 'text' | 'fix'> | undefined,
): CheckReport => ({
  code,
  title,
  certificate,
  ok: fault === undefined,
  text: fault?.text ?? '',
  fix: fault?.fix ?? '',
})
