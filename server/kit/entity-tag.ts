import { hash } from 'node:crypto'

/** A weak tag (RFC 9110 §8.8.1) of what is sent: equal texts have equal tags. */
export const weakTagOf = (text: string): string => `W/"${hash('sha1', text, 'base64url')}"`

/** True if a header that lists tags names this one. They are compared weakly, so the mark of weak tags may be missing. */
export function namesTag(list: string, tag: string): boolean {
  const opaque = opaqueOf(tag)
  return list.split(',').some((each) => opaqueOf(each.trim()) === opaque)
}

const opaqueOf = (tag: string): string => (tag.startsWith('W/') ? tag.slice(2) : tag)
