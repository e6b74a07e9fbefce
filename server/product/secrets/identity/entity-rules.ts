import { normalizePolicyNames, responseWrappingPolicyName, rootPolicyName } from '../../../access/policies/index.ts'
import { failure } from '../../../kernel/failure.ts'
import type { Entity } from './identity-rules.ts'

const maxPairs = 64
const maxKey = 128
const maxValue = 512

/** The policies of an entity, from those sent. Neither `root` nor the internal policy may be among them. */
export function entityPolicies(sent: readonly string[]): Pick<Entity, 'policies' | 'writtenPolicies'> {
  const policies = normalizePolicyNames(sent)
  const refused = policies.find((name) => name === rootPolicyName || name === responseWrappingPolicyName)
  if (refused) throw failure('invalid', 'entity.policy', `An entity cannot have the policy '${refused}'.`)
  const written = new Set(sent.map((name) => name.trim()))
  written.delete('')
  return { policies, writtenPolicies: [...written].sort() }
}

/** Refuses metadata that is too large: it is copied into every answer and compared at every login. */
export function checkMetadata(field: string, metadata: Readonly<Record<string, string>>): void {
  const pairs = Object.entries(metadata)
  if (pairs.length > maxPairs) throw tooLarge(`'${field}' has more than ${maxPairs} keys.`)
  for (const [key, value] of pairs) {
    if (key === '') throw tooLarge(`'${field}' has an empty key.`)
    if (key.length > maxKey) throw tooLarge(`'${field}' has a key of more than ${maxKey} characters.`)
    if (value.length > maxValue)
      throw tooLarge(`'${field}' has a value of more than ${maxValue} characters at '${key}'.`)
  }
}

const tooLarge = (text: string) => failure('invalid', 'entity.metadata', text)

/** Refuses names that could not be addressed or told apart. */
export function checkEntityName(name: string): void {
  if (name.length > 512) throw failure('invalid', 'entity.name', 'The name has more than 512 characters.')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(name)) {
    throw failure('invalid', 'entity.name', 'The name holds control characters.')
  }
}
