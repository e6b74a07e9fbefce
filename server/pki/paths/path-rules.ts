import type { Instant } from '../../kernel/clock.ts'
import { toIso } from '../../kernel/clock.ts'
import { keyProblem } from '../certificates/algorithms.ts'
import type { Certificate } from '../certificates/certificate.ts'
import { isCa, mayUse, wholeSecond } from '../certificates/certificate-facts.ts'
import { criticalProblem } from '../certificates/critical-extensions.ts'
import { purposeOid } from '../certificates/extensions.ts'
import { type ComparisonBudget, findViolation, type NameViolation } from '../constraints/name-constraints.ts'

/** Where a certificate is in a path. A pinned leaf is its own anchor. */
export type Position = 'leaf' | 'pinned-leaf' | 'intermediate' | 'anchor'

/** One certificate of a path, with what a rule may look at. */
export type Place = {
  readonly certificate: Certificate
  readonly position: Position
  /** The path below it, leaf first. */
  readonly below: readonly Certificate[]
  readonly at: Instant
  readonly maxIntermediates: number | undefined
  readonly budget: ComparisonBudget
}

/** What is wrong, and what would make it right. */
type Fault = { readonly text: string; readonly fix: string }

/** One check of a certificate at its place; rules run in order, cheap ones first. */
type Rule = {
  readonly code: string
  /** The question the rule answers. */
  readonly title: string
  readonly positions: readonly Position[]
  readonly judge: (place: Place) => Fault | undefined
}

const everywhere: readonly Position[] = ['leaf', 'pinned-leaf', 'intermediate', 'anchor']
const leaves: readonly Position[] = ['leaf', 'pinned-leaf']
const issuers: readonly Position[] = ['intermediate', 'anchor']
/** Positions whose signature is verified. */
const signedPositions: readonly Position[] = ['leaf', 'intermediate']

const fault = (text: string, fix: string): Fault => ({ text, fix })

/** RFC 5280 §6.1.3 a 2. Certificate times have whole seconds, and both ends belong to the validity. */
const validity: Rule = {
  code: 'validity',
  title: 'The certificate is within its validity.',
  positions: everywhere,
  judge: ({ certificate, at }) => {
    const second = wholeSecond(at)
    if (second < certificate.notBefore)
      return fault(`It is not valid before ${toIso(certificate.notBefore)}.`, 'Check the clocks, or wait.')
    if (second > certificate.notAfter)
      return fault(`It expired at ${toIso(certificate.notAfter)}.`, 'Renew the certificate.')
    return undefined
  },
}

/** RFC 5280 §4.2: a critical extension that is not understood refuses the certificate. */
const criticalExtensions: Rule = {
  code: 'critical-extension',
  title: 'Every critical extension is understood.',
  positions: everywhere,
  judge: ({ certificate }) => {
    const problem = criticalProblem(certificate)
    return problem === undefined
      ? undefined
      : fault(problem, 'Issue the certificate without that extension, or not as critical.')
  },
}

const key: Rule = {
  code: 'key',
  title: 'The public key is of an allowed kind and strength.',
  positions: everywhere,
  judge: ({ certificate }) => {
    const problem = keyProblem(certificate.publicKey.key)
    return problem === undefined
      ? undefined
      : fault(`It has ${problem}.`, 'Use RSA of 2048 bits or more, P-256, P-384, P-521 or Ed25519.')
  },
}

/** RFC 5280 §4.1.1.2: the algorithm is named twice, and the two must agree. */
const algorithm: Rule = {
  code: 'algorithm',
  title: 'The signature algorithm is allowed.',
  positions: signedPositions,
  judge: ({ certificate }) => {
    if (!certificate.algorithm.der.equals(certificate.innerAlgorithm.der))
      return fault('The two places that name its signature algorithm differ.', 'Issue the certificate again.')
    return certificate.algorithm.scheme === undefined
      ? fault(`It is signed with ${certificate.algorithm.problem}.`, 'Have it signed with SHA-256 or stronger.')
      : undefined
  },
}

const leafKeyUsage: Rule = {
  code: 'key-usage',
  title: 'The key may sign a TLS handshake.',
  positions: leaves,
  judge: ({ certificate }) =>
    mayUse(certificate, 'digitalSignature')
      ? undefined
      : fault('Its keyUsage lacks digitalSignature.', 'Issue it with digitalSignature.'),
}

/** RFC 5280 §6.1.4 k: version 1 certificates cannot say that they are a CA, so they are none. */
const caFlag: Rule = {
  code: 'not-a-ca',
  title: 'The issuer is a CA.',
  positions: issuers,
  judge: ({ certificate }) =>
    isCa(certificate)
      ? undefined
      : fault('It issued a certificate but is not a CA.', 'Issue it with basicConstraints cA.'),
}

/** RFC 5280 §6.1.4 n. */
const caKeyUsage: Rule = {
  code: 'ca-key-usage',
  title: 'The issuer may sign certificates.',
  positions: issuers,
  judge: ({ certificate }) =>
    mayUse(certificate, 'keyCertSign')
      ? undefined
      : fault('Its keyUsage lacks keyCertSign.', 'Issue the CA certificate with keyCertSign.'),
}

/** extKeyUsage on any certificate of the path limits all those below it, as every TLS stack understands it. */
const purpose: Rule = {
  code: 'purpose',
  title: 'The purposes include TLS client authentication.',
  positions: everywhere,
  judge: ({ certificate: { extendedKeyUsage } }) =>
    extendedKeyUsage === undefined ||
    extendedKeyUsage.includes(purposeOid.clientAuth) ||
    extendedKeyUsage.includes(purposeOid.any)
      ? undefined
      : fault('Its extKeyUsage does not include clientAuth.', 'Issue it with clientAuth, or without extKeyUsage.'),
}

/** Intermediates strictly between a CA and the leaf; self-issued ones are not counted (RFC 5280 §6.1.4 l). */
const intermediatesBelow = ({ below }: Place): number =>
  below.slice(1).reduce((count, certificate) => count + (certificate.isSelfIssued ? 0 : 1), 0)

/** RFC 5280 §6.1.4 m. */
const pathLength: Rule = {
  code: 'path-length',
  title: 'The path below the CA is not longer than it allows.',
  positions: issuers,
  judge: (place) => {
    const most = place.certificate.basicConstraints?.pathLength
    const found = intermediatesBelow(place)
    return most === undefined || found <= most
      ? undefined
      : fault(
          `It allows ${most} intermediates below it, there are ${found}.`,
          'Use a shorter chain, or raise pathLenConstraint.',
        )
  },
}

const depth: Rule = {
  code: 'depth',
  title: 'The path is not longer than the server allows.',
  positions: issuers,
  judge: (place) => {
    const { certificate, position, maxIntermediates: most } = place
    const own = position === 'intermediate' && !certificate.isSelfIssued ? 1 : 0
    const found = intermediatesBelow(place) + own
    return most === undefined || found <= most
      ? undefined
      : fault(`The path has ${found} intermediates, ${most} are allowed.`, 'Use a shorter chain.')
  },
}

/** RFC 5280 §6.1.3 b, c: over everything below the CA except self-issued intermediates. */
const nameConstraints: Rule = {
  code: 'name-constraints',
  title: 'All names below the CA are within its name constraints.',
  positions: issuers,
  judge: ({ certificate, below, budget }) => {
    const constraints = certificate.nameConstraints
    if (constraints === undefined) return undefined
    for (const [index, each] of below.entries()) {
      const isExempt = index > 0 && each.isSelfIssued
      const violation = isExempt ? undefined : findViolation(each, constraints, budget)
      if (violation !== undefined) return fault(violationText(violation), 'Use names within the constraints of the CA.')
    }
    return undefined
  },
}

function violationText({ why, kind, name }: NameViolation): string {
  switch (why) {
    case 'excluded':
      return `It excludes the ${kind} name ${name}.`
    case 'not-permitted':
      return `It does not permit the ${kind} name ${name}.`
    case 'unreadable-name':
      return `It constrains ${kind} names, and ${name} cannot be parsed as one.`
    case 'unreadable-constraint':
      return `Its constraints on ${kind} names cannot be parsed.`
    case 'unsupported-kind':
      return `It constrains names of kind ${kind}, which cannot be compared, and there is one below it.`
    case 'limit':
      return 'Comparing all names with its constraints takes too long.'
  }
}

/** Every rule about one certificate at its place, in the order they are asked. */
export const rules: readonly Rule[] = [
  validity,
  criticalExtensions,
  key,
  algorithm,
  leafKeyUsage,
  caFlag,
  caKeyUsage,
  purpose,
  pathLength,
  depth,
  nameConstraints,
]
