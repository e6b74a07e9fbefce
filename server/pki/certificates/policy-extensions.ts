import { type Element, openSequence, readOid, readSmallInteger, readWhole, unreadable } from '../der.ts'
import { tag } from '../der-writer.ts'
import { type Extension, sequenceEntries } from './extensions.ts'

/** The policy that stands for every policy. */
export const anyPolicy = '2.5.29.32.0'

/** policyConstraints (RFC 5280 §4.2.1.11): after how many further certificates each rule begins to apply. */
export type PolicyConstraints = {
  readonly requireExplicit: number | undefined
  readonly inhibitMapping: number | undefined
}

/** One pair of policyMappings. */
export type PolicyMapping = { readonly issuerPolicy: string; readonly subjectPolicy: string }

/** Reads the policies of certificatePolicies; qualifiers are for people and not looked into. */
export const readCertificatePolicies = (extension: Extension): string[] =>
  sequenceEntries(extension, 'certificatePolicies').map((each) => {
    const parts = openSequence(each, 'certificatePolicies')
    const policy = readOid(parts.take(tag.oid), 'certificatePolicies')
    parts.takeIf(tag.sequence)
    parts.finish()
    return policy
  })

/** Reads policyMappings. */
export const readPolicyMappings = (extension: Extension): PolicyMapping[] =>
  sequenceEntries(extension, 'policyMappings').map((each) => {
    const parts = openSequence(each, 'policyMappings')
    const issuerPolicy = readOid(parts.take(tag.oid), 'policyMappings')
    const subjectPolicy = readOid(parts.take(tag.oid), 'policyMappings')
    parts.finish()
    return { issuerPolicy, subjectPolicy }
  })

/** Reads policyConstraints. */
export function readPolicyConstraints(extension: Extension): PolicyConstraints {
  const parts = openSequence(readWhole(extension.value, tag.sequence, 'policyConstraints'), 'policyConstraints')
  const requireExplicit = parts.takeIf(0x80)
  const inhibitMapping = parts.takeIf(0x81)
  parts.finish()
  if (!requireExplicit && !inhibitMapping) throw unreadable('extension', 'policyConstraints is empty.')
  return { requireExplicit: readSkip(requireExplicit), inhibitMapping: readSkip(inhibitMapping) }
}

/** Reads inhibitAnyPolicy. */
export const readInhibitAnyPolicy = (extension: Extension): number =>
  readSmallInteger(readWhole(extension.value, tag.integer, 'inhibitAnyPolicy'), 'inhibitAnyPolicy')

const readSkip = (element: Element | undefined): number | undefined =>
  element && readSmallInteger(element, 'The number of certificates')
