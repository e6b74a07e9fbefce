import { hash } from 'node:crypto'
import type { Reply } from '../reply.ts'
import type { Resource } from './resources.ts'

/** A resource as text, and the tag that moves with it. */
export type Written = { readonly text: string; readonly tag: string }

const written = new WeakMap<Resource, Written>()

/** A resource written out, once for as long as the resource is the same. */
export function writeOut(resource: Resource): Written {
  const known = written.get(resource)
  if (known) return known
  const text = JSON.stringify(resource)
  const made = { text, tag: `W/"${hash('sha1', text, 'base64url')}"` }
  written.set(resource, made)
  return made
}

const answers = new WeakMap<Resource, Reply>()

/** Answers with one resource, written out and tagged before where it has not changed. */
export function answerWritten(resource: Resource): Reply {
  const known = answers.get(resource)
  if (known) return known
  const { text, tag } = writeOut(resource)
  const reply: Reply = {
    kind: 'document',
    document: { data: resource },
    text: `{"data":${text}}`,
    headers: { ETag: tag },
  }
  answers.set(resource, reply)
  return reply
}
