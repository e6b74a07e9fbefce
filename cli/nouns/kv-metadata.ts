import { confirm } from '../input/confirmation.ts'
import { CliFailure } from '../io.ts'
import {
  addressOf,
  callFor,
  dataOf,
  mountFlag,
  nameOf,
  type Spot,
  secretArgument,
  versionedSecretOf,
} from './kv-paths.ts'
import type { Noun, Row, Session, Verb, VerbFlag } from './noun.ts'
import { nothingToChange } from './resource-verbs.ts'

type Author = { readonly actor: string; readonly operation: string }

type Metadata = Row & {
  readonly versions: Readonly<
    Record<
      string,
      { created_time: string; deletion_time: string; destroyed: boolean; created_by: Author; deleted_by: Author | null }
    >
  >
  readonly custom_metadata: Readonly<Record<string, string>> | null
}

const customFlag: VerbFlag = {
  term: '--custom-metadata <key=value>',
  text: 'a text to keep with the secret, such as owner=payments; may be repeated',
  many: true,
}

async function metadataOf(session: Session, spot: Spot): Promise<Metadata> {
  const answer = await callFor(session.client, spot, { method: 'GET', path: addressOf(spot, 'metadata') })
  return dataOf(answer) as Metadata
}

/** `holdfast kv versions`. */
export const versions: Verb = {
  name: 'versions',
  description: 'list the versions of a secret: who wrote them and when, and which were deleted',
  arguments: [secretArgument],
  flags: [mountFlag],
  example: 'kv versions secret/app/db',
  run: async (session) => {
    const { versions: found } = await metadataOf(session, await versionedSecretOf(session))
    const rows = Object.entries(found).map(([version, { created_by, deleted_by, ...info }]) => ({
      version: Number(version),
      ...info,
      written_by: created_by.actor,
      deleted_by: deleted_by?.actor,
    }))
    const columns = ['version', 'created_time', 'written_by', 'deletion_time', 'deleted_by', 'destroyed']
    return { rows: rows.reverse(), columns, data: found }
  },
}

/** Texts of the secret get lines of their own, since tables show no objects. */
const shownOf = ({ custom_metadata, versions: found, ...rest }: Metadata): Row => ({
  ...rest,
  versions: Object.keys(found).map(Number),
  ...Object.fromEntries(Object.entries(custom_metadata ?? {}).map(([name, text]) => [`custom_metadata.${name}`, text])),
})

const get: Verb = {
  name: 'get',
  description: 'show the settings of a secret, and the texts that are kept with it',
  arguments: [secretArgument],
  flags: [mountFlag],
  example: 'kv metadata get secret/app/db',
  run: async (session) => {
    const found = await metadataOf(session, await versionedSecretOf(session))
    const shown = shownOf(found)
    return { row: { ...found, ...shown, versions: found.versions }, columns: Object.keys(shown) }
  },
}

function customFrom({ flags }: Session): Record<string, string | null> | undefined {
  const given = (flags.customMetadata ?? []) as readonly string[]
  const removed = (flags.removeCustomMetadata ?? []) as readonly string[]
  const wrong = given.find((each) => each.indexOf('=') < 1)
  if (wrong !== undefined) throw new CliFailure(`--custom-metadata takes key=value, not '${wrong}'.`)
  if (given.length + removed.length === 0) return undefined
  const pairs = given.map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)] as const)
  return Object.fromEntries([...pairs, ...removed.map((name) => [name, null] as const)])
}

const change = (name: 'put' | 'patch', description: string, example: string, more: readonly VerbFlag[]): Verb => ({
  name,
  description,
  arguments: [secretArgument],
  flags: [customFlag, ...more, mountFlag],
  fieldsOf: { operation: 'kv.write-metadata', without: ['custom_metadata'] },
  example,
  run: async (session) => {
    const custom = customFrom(session)
    const body = { ...(await session.fields()), ...(custom && { custom_metadata: custom }) }
    if (Object.keys(body).length === 0) throw nothingToChange(`kv metadata ${name}`)
    const spot = await versionedSecretOf(session)
    const [method, type] = name === 'put' ? ['POST', 'application/json'] : ['PATCH', 'application/merge-patch+json']
    const call = { method, path: addressOf(spot, 'metadata'), body, headers: { 'content-type': type } }
    const answer = await callFor(session.client, spot, call)
    const { warnings } = Object(answer.body) as { warnings?: readonly string[] | null }
    for (const warning of warnings ?? []) session.io.err(`Warning: ${warning}\n`)
    return { done: `Written: metadata of ${nameOf(spot)}`, row: { path: nameOf(spot), ...body } }
  },
})

const remove: Verb = {
  name: 'delete',
  description: 'delete a secret for good, with all versions and metadata',
  arguments: [secretArgument],
  flags: [mountFlag],
  example: 'kv metadata delete secret/app/old --yes',
  asks: true,
  run: async (session) => {
    const spot = await versionedSecretOf(session)
    const count = Object.keys((await metadataOf(session, spot)).versions).length
    await confirm(
      session.io,
      session.flags.yes === true,
      async () => `This deletes '${nameOf(spot)}' with ${count === 1 ? 'its only version' : `all ${count} versions`}.`,
    )
    await session.client.call({ method: 'DELETE', path: addressOf(spot, 'metadata') })
    return { done: `Deleted: ${nameOf(spot)}`, row: { path: nameOf(spot), deleted: true } }
  },
}

/** `holdfast kv metadata`. */
export const metadata: Noun = {
  name: 'metadata',
  description: 'settings of a secret, and texts that are kept with it',
  verbs: [
    get,
    change(
      'put',
      'change settings of a secret, and replace the texts that are kept with it',
      'kv metadata put secret/app/db --max-versions 20 --custom-metadata owner=payments',
      [],
    ),
    change(
      'patch',
      'change settings of a secret, and some of the texts that are kept with it',
      'kv metadata patch secret/app/db --custom-metadata expires_at=2027-06-30',
      [{ term: '--remove-custom-metadata <key>', text: 'a text to remove; may be repeated', many: true }],
    ),
    remove,
  ],
}
