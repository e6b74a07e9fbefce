import { parseSeconds } from '../../kernel/duration.ts'
import { parseIdentityTemplate } from './identity-template.ts'
import { addValues } from './parameter-rules.ts'
import { type Capability, capabilityNames, type PolicyRule } from './policy.ts'
import { syntaxFailure } from './syntax/source.ts'
import { type SyntaxItem, type SyntaxNode, toPlain } from './syntax/syntax-tree.ts'

/** What the readers of a policy share: the text, for places in refusals, and the sentences for its writer. */
export type PolicyReading = { readonly text: string; readonly warnings: string[] }

/** Bounds the depth of the tree in which patterns are filed. */
const maxPatternLength = 4_096

/** A rule while its block is being read. */
type Draft = {
  capabilities: Set<Capability>
  allowedParameters: Map<string, unknown[]>
  deniedParameters: Map<string, unknown[]>
  requiredParameters: Set<string>
  minWrappingTtl: number
  maxWrappingTtl: number
}

type AttributeReader = (reading: PolicyReading, draft: Draft, item: SyntaxItem) => void

/** Words of before there were capabilities; old policies still use them. */
const legacyForms: ReadonlyMap<string, readonly Capability[]> = new Map([
  ['deny', ['deny']],
  ['read', ['read', 'list']],
  ['write', ['create', 'read', 'update', 'delete', 'list']],
  ['sudo', ['create', 'read', 'update', 'delete', 'list', 'sudo']],
] as const)

const ignoreUnsupported: AttributeReader = (reading, _draft, item) => {
  reading.warnings.push(`'${item.key}' is not supported and was ignored`)
}

/** How each key of a path block is read. A key set twice adds to lists and replaces single values. */
const attributeReaders: ReadonlyMap<string, AttributeReader> = new Map<string, AttributeReader>([
  ['capabilities', readCapabilities],
  ['policy', readLegacyForm],
  ['allowed_parameters', (reading, draft, item) => readParameters(reading, draft.allowedParameters, item)],
  ['denied_parameters', (reading, draft, item) => readParameters(reading, draft.deniedParameters, item)],
  ['required_parameters', readRequired],
  ['min_wrapping_ttl', readWrappingBound('minWrappingTtl')],
  ['max_wrapping_ttl', readWrappingBound('maxWrappingTtl')],
  ['comment', () => undefined],
  ['mfa_methods', ignoreUnsupported],
  ['control_group', ignoreUnsupported],
  ['subscribe_event_types', ignoreUnsupported],
])

/** Reads one `path "pattern" { … }`; `entry` carries the pattern and its place. */
export function readPathBlock(reading: PolicyReading, entry: SyntaxItem, block: readonly SyntaxItem[]): PolicyRule {
  const draft: Draft = {
    capabilities: new Set(),
    allowedParameters: new Map(),
    deniedParameters: new Map(),
    requiredParameters: new Set(),
    minWrappingTtl: 0,
    maxWrappingTtl: 0,
  }
  for (const item of block) {
    const read = attributeReaders.get(item.key)
    if (!read) throw syntaxFailure(reading.text, item.at, `unknown key '${item.key}' in path '${entry.key}'`)
    read(reading, draft, item)
  }
  if (draft.maxWrappingTtl > 0 && draft.maxWrappingTtl < draft.minWrappingTtl) {
    throw syntaxFailure(reading.text, entry.at, `path '${entry.key}': max_wrapping_ttl is below min_wrapping_ttl`)
  }
  return { ...readPattern(reading, entry), ...draft }
}

function readPattern(reading: PolicyReading, entry: SyntaxItem): Pick<PolicyRule, 'path' | 'template'> {
  const path = entry.key.startsWith('/') ? entry.key.slice(1) : entry.key
  if (path.length > maxPatternLength) {
    throw syntaxFailure(reading.text, entry.at, `the path has more than ${maxPatternLength} characters`)
  }
  if (path.includes('+*')) throw syntaxFailure(reading.text, entry.at, `path '${entry.key}': '+*' is not a pattern`)
  const template = parseIdentityTemplate(path, (reference) => {
    const text = `path '${entry.key}': the template reference '${reference}' is unknown, so the path applies to nobody`
    reading.warnings.push(text)
  })
  if (typeof template === 'string') throw syntaxFailure(reading.text, entry.at, `path '${entry.key}': ${template}`)
  return { path, template: template.length > 1 ? template : undefined }
}

function readCapabilities(reading: PolicyReading, draft: Draft, item: SyntaxItem): void {
  for (const { value, at } of textsOf(reading, item)) {
    const known = capabilityNames.find((name) => name === value)
    if (!known) throw syntaxFailure(reading.text, at, `unknown capability '${value}'`)
    draft.capabilities.add(known)
  }
}

function readLegacyForm(reading: PolicyReading, draft: Draft, item: SyntaxItem): void {
  const granted = item.value.kind === 'string' ? legacyForms.get(item.value.value) : undefined
  if (!granted) throw syntaxFailure(reading.text, item.value.at, "'policy' must be deny, read, write or sudo")
  for (const each of granted) draft.capabilities.add(each)
}

function readRequired(reading: PolicyReading, draft: Draft, item: SyntaxItem): void {
  for (const { value } of textsOf(reading, item)) draft.requiredParameters.add(value.toLowerCase())
}

function readParameters(reading: PolicyReading, lists: Map<string, unknown[]>, item: SyntaxItem): void {
  if (item.value.kind !== 'object') throw syntaxFailure(reading.text, item.value.at, `'${item.key}' must be an object`)
  for (const { key, value } of item.value.items) {
    const values = listOf(reading, value, `'${key}' in ${item.key}`).map(toPlain)
    addValues(lists, key.toLowerCase(), values)
  }
}

function readWrappingBound(bound: 'minWrappingTtl' | 'maxWrappingTtl'): AttributeReader {
  return (reading, draft, item) => {
    const seconds = parseSeconds(toPlain(item.value))
    if (seconds === undefined) throw syntaxFailure(reading.text, item.value.at, `'${item.key}' must be a duration`)
    draft[bound] = seconds
  }
}

function listOf(reading: PolicyReading, node: SyntaxNode, what: string): readonly SyntaxNode[] {
  if (node.kind !== 'list') throw syntaxFailure(reading.text, node.at, `${what} must be a list`)
  return node.items
}

function textsOf(reading: PolicyReading, item: SyntaxItem): { value: string; at: number }[] {
  return listOf(reading, item.value, `'${item.key}'`).map((node) => {
    if (node.kind !== 'string') throw syntaxFailure(reading.text, node.at, `'${item.key}' must be a list of texts`)
    return node
  })
}
