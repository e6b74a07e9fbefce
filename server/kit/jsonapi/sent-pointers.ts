import { type AttributeShape, membersOf } from './attributes.ts'
import { foldKey } from './key-spelling.ts'

type Shapes = { readonly attributes?: AttributeShape; readonly relationships?: AttributeShape }

/**
 * A pointer into a document by the names its sender chose: faults name members as we spell them, and one that was sent
 * as `terraform-version` or `auto_apply` would not be found at `tool-version` or `auto-apply`.
 */
export const sentPointerIn =
  (shapes: Shapes = {}) =>
  (raw: unknown, pointer: string): string => {
    const [data, part, ...path] = pointer.split('/').slice(1)
    const shape = data === 'data' && (part === 'attributes' || part === 'relationships') ? shapes[part] : undefined
    if (!shape) return respell(raw, pointer.split('/').slice(1), shapes.attributes)
    return `/data/${part}${respell(memberOf(memberOf(raw, 'data'), part), path, shape)}`
  }

function respell(raw: unknown, path: readonly string[], shape: AttributeShape | undefined): string {
  const [key, ...rest] = path
  if (key === undefined) return ''
  const member = shape && membersOf(shape).find((each) => each.key === key)
  const sent = spellingOf(raw, key, member?.spellings ?? [foldKey(key)])
  return `/${sent}${respell(memberOf(raw, sent), rest, member?.attribute.members)}`
}

function spellingOf(raw: unknown, key: string, spellings: readonly string[]): string {
  if (typeof raw !== 'object' || raw === null || Object.hasOwn(raw, key)) return key
  return Object.keys(raw).find((sent) => spellings.includes(foldKey(sent))) ?? key
}

const memberOf = (raw: unknown, key: string | undefined): unknown =>
  typeof raw === 'object' && raw !== null && key !== undefined && Object.hasOwn(raw, key)
    ? (raw as Record<string, unknown>)[key]
    : undefined
