/**
 * The X.509 engine: reads certificates, CRLs and OCSP messages, and judges client chains. It does no input or output,
 * and nothing it reads is trusted before it says so.
 */

export { type Certificate, readCertificate } from './certificates/certificate.ts'
export {
  type AlternativeNames,
  alternativeNames,
  colonHex,
  commonName,
  commonNames,
  describe,
  isCa,
  organizationalUnits,
  organizations,
  serialText,
} from './certificates/certificate-facts.ts'
export { type Extension, extensionText, purposeOid } from './certificates/extensions.ts'
export { addressText, type GeneralName } from './certificates/general-names.ts'
export { isSameName, type Name, nameKey, nameText } from './certificates/names.ts'
export { readPemCertificates, type SkippedBlock, writePemCertificates } from './certificates/pem-certificates.ts'
export {
  type Crl,
  countSerials,
  crlProblem,
  isRevoked,
  type LoadedCrl,
  loadCrl,
  readCrl,
  revokes,
  serialSets,
} from './crls/crl.ts'
export { crlBytes, holdsSeveralCrls } from './crls/crl-text.ts'
export { SerialSet } from './crls/serial-set.ts'
export { decimalOf, hexOf } from './der.ts'
export { judgeOcspResponse, type OcspQuestion, type OcspVerdict } from './ocsp/ocsp.ts'
export { certIdKey, type OcspRequestOptions, writeOcspRequest } from './ocsp/ocsp-request.ts'
export { AnchorIndex, AnchorSet } from './paths/anchors.ts'
export { Budget, defaultLimits, type Limits } from './paths/budget.ts'
export { ChainVerifier, type VerifierSizes, type VerifyOptions } from './paths/chain-verifier.ts'
export { type ClientChain, validateClientChain } from './paths/client-chain.ts'
export { findPath, type PathOutcome, type PathQuestion } from './paths/path.ts'
export { type CheckReport, type Explanation, explainPaths, type PathReport } from './paths/path-explain.ts'
export { type PresentedChain, readChain } from './paths/presented-chain.ts'
export { type Refusal, refusal, refusalText } from './paths/refusal.ts'
export { pemBlocks, writePem } from './pem.ts'
