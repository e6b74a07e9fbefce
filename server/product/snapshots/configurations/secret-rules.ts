import { endpointUrl } from '../destinations/endpoint-rules.ts'
import type { DestinationSettings, StorageType } from './configuration.ts'
import { type DestinationField, environmentKey, fieldsOf } from './configuration-fields.ts'
import { readServiceKey } from './destination-rules.ts'

/** A type and its settings, before or after a write. */
type Target = { readonly type: StorageType; readonly settings: DestinationSettings }

/** The settings that a write carries, and whether it is a full definition. */
type Write = { readonly sent: DestinationSettings; readonly isWhole: boolean }

/** What a write means for the stored secrets, by the names of their fields. */
export type SecretsVerdict = {
  /** Those that the write must send again, or clear. */
  readonly missing: readonly string[]
  /** Those that are not kept, since they belong to the place that was left. */
  readonly dropped: readonly string[]
  /** What is different about the place. */
  readonly changed: readonly string[]
}

const none: SecretsVerdict = { missing: [], dropped: [], changed: [] }

/**
 * A secret is stored for the place it was sent with: whoever may change the place, but does not know the secret, must
 * not have it sent there. `next` is what the write would make of the settings if all secrets were kept.
 */
export function judgeSecrets(known: Target | undefined, next: Target, { sent, isWhole }: Write): SecretsVerdict {
  if (known === undefined) return none
  const held = secretsIn(known)
  if (known.type !== next.type) return { missing: [], dropped: held, changed: ['storage_type'] }
  const changed = changedPlace(known, next)
  if (changed.length === 0) return none
  const unsent = held.filter((name) => !holdsValue(name, sent[name]))
  const halves = fieldsOf(next.type).filter(({ keyHalf }) => keyHalf)
  // Whoever writes a full definition without the pair wants another kind of credential.
  if (isWhole && !halves.some(({ name }) => holdsValue(name, sent[name]))) {
    return { missing: [], dropped: unsent, changed }
  }
  const isCleared = (name: string): boolean => Object.hasOwn(sent, name)
  return { missing: unsent.filter((name) => !isCleared(name)), dropped: unsent.filter(isCleared), changed }
}

/** The secrets that have a value. */
export const secretsIn = ({ type, settings }: Target): string[] =>
  fieldsOf(type)
    .filter(({ name, secret }) => secret && holdsValue(name, settings[name]))
    .map(({ name }) => name)

/** An empty service key is accepted, and means that there is none. */
const holdsValue = (name: string, value: unknown): boolean =>
  name === 'cloudB_service_account_key'
    ? readServiceKey(String(value ?? '')) !== 'absent'
    : value !== undefined && value !== ''

const changedPlace = (known: Target, next: Target): string[] =>
  fieldsOf(next.type)
    .filter((field) => placeText(field, known.settings) !== placeText(field, next.settings))
    .map(({ name }) => name)

/** What a field says about the place; different texts for one place are equal here. */
function placeText({ name, place }: DestinationField, settings: DestinationSettings): string {
  const text = String(settings[name] || '')
  if (place === 'environment') return environmentKey(text)
  if (place === 'endpoint') return text === '' ? '' : endpointText(text, settings)
  return place === 'exact' ? text : ''
}

function endpointText(
  endpoint: string,
  { cloudA_disable_tls: plainA, cloudB_disable_tls: plainB }: DestinationSettings,
) {
  const url = endpointUrl(endpoint, plainA === true || plainB === true)
  return URL.canParse(url) ? new URL(url).href : url
}
