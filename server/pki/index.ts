/**
 * The X.509 engine: reads certificates, CRLs and OCSP messages, and judges client chains. It does no input or output,
 * and trusts nothing it has read before judging it.
 */

export { type Certificate, readCertificate } from './certificates/certificate.ts'
export {
  alternativeNames,
  colonHex,
  commonName,
  isCa,
  mayUse,
  organizationalUnits,
  organizations,
  serialText,
  shorten,
} from './certificates/certificate-facts.ts'
export { isSameName, type Name, nameKey, nameText } from './certificates/distinguished-names.ts'
export { type Extension, extensionText, purposeOid } from './certificates/extensions.ts'
export { readPemCertificates, type SkippedBlock } from './certificates/pem-certificates.ts'
export {
  type Crl,
  countSerials,
  crlProblem,
  type LoadedCrl,
  loadCrl,
  readCrl,
  revokes,
  serialSets,
} from './crls/crl.ts'
export { crlBytes, holdsSeveralCrls } from './crls/crl-text.ts'
export { judgeOcspResponse } from './ocsp/ocsp.ts'
export { certIdKey, writeOcspRequest } from './ocsp/ocsp-request.ts'
export { AnchorSet } from './paths/anchors.ts'
export { Budget } from './paths/budget.ts'
export { ChainVerifier } from './paths/chain-verifier.ts'
export { validateClientChain } from './paths/client-chain.ts'
export { findIssuer } from './paths/find-issuer.ts'
export { findPath, type PathOutcome } from './paths/path.ts'
export { type Explanation, explainPaths, type PathReport } from './paths/path-explain.ts'
export { type Refusal, refusal, refusalText } from './paths/path-refusal.ts'
export type { PresentedChain } from './paths/presented-chain.ts'
export { withoutPrivateKeys } from './pem.ts'
