import { callOperation, resourceOf } from '../connection/operations.ts'
import { confirm } from '../input/confirmation.ts'
import { CliFailure } from '../io.ts'
import { idFromFlag, inOrganization } from './lookup.ts'
import type { Noun, Session, Verb, VerbFlag } from './noun.ts'
import {
  createVerb,
  deleteVerb,
  type Filter,
  flat,
  listVerb,
  located,
  organizationFlag,
  reference,
  showVerb,
  target,
  updateVerb,
} from './resource-verbs.ts'

const projectFlag: VerbFlag = { term: '--project <project>', text: 'name or id of the project', names: 'project' }
const tagFlag: VerbFlag = { term: '--tag <tag>', text: 'a tag as key or key=value; may be repeated', many: true }
const columns = ['name', 'id', 'project', 'locked', 'tool-version', 'resource-count', 'updated-at']
const shown = [
  ...['id', 'name', 'description', 'contact', 'project', 'execution-mode', 'tool-version', 'working-directory'],
  ...['locked', 'locked-by', 'auto-apply', 'resource-count', 'tag-names', 'created-at', 'updated-at'],
]

/** A tag as it is written: `team=core`, or `core`. */
const bindingOf = (word: string): object => {
  const [key = '', ...value] = word.split('=')
  return { type: 'tag-bindings', attributes: { key, value: value.join('=') } }
}

const bindings = (words: readonly string[]): object => ({ data: words.map(bindingOf) })

/** Tags with a value are bindings, the others may be flat tags too. */
function queryOfTags(given: readonly string[]): Record<string, string> {
  const [pairs, keys] = [given.filter((each) => each.includes('=')), given.filter((each) => !each.includes('='))]
  const tagged = pairs.flatMap((pair, at) => {
    const [key = '', ...value] = pair.split('=')
    return [
      [`filter[tagged][${at}][key]`, key],
      [`filter[tagged][${at}][value]`, value.join('=')],
    ]
  })
  return { ...(keys.length > 0 && { 'search[tags]': keys.join(',') }), ...Object.fromEntries(tagged) }
}

const filters: readonly Filter[] = [
  {
    term: '--search <text>',
    text: 'a part of the name; * stands for any characters at its ends',
    query: (given) => (String(given).includes('*') ? { 'search[wildcard-name]': given } : { 'search[name]': given }),
  },
  {
    term: '--tag <tag>',
    text: 'those with this tag, as key or key=value; may be repeated',
    many: true,
    query: (given) => queryOfTags([given].flat().map(String)),
  },
  {
    term: '--exclude-tag <tag>',
    text: 'those without this tag; may be repeated',
    many: true,
    query: (given) => ({ 'search[exclude-tags]': String(given) }),
  },
  {
    ...projectFlag,
    text: 'those of this project',
    query: async (_given, session) => ({ 'filter[project][id]': await idFromFlag(session, 'project') }),
  },
  { term: '--locked', text: 'those that are locked', query: (given) => ({ 'filter[locked]': given }) },
  { term: '--no-locked', text: 'those that are not locked', query: (given) => ({ 'filter[locked]': given }) },
  {
    term: '--tool-version <version>',
    text: 'those with this version',
    query: (given) => ({ 'filter[tool-version]': given }),
  },
  {
    term: '--updated-since <time>',
    text: 'those that changed since',
    query: (given) => ({ 'filter[updated-since]': given }),
  },
  {
    term: '--sort <key>',
    text: 'the order',
    values: ['name', 'latest-change-at'],
    query: (given, { flags }) => ({ sort: flags.reverse ? `-${given}` : given }),
  },
]

const relationships = async (session: Session): Promise<Record<string, unknown>> => {
  const project = await idFromFlag(session, 'project')
  const { tag } = session.flags
  return {
    ...(project !== undefined && { project: reference('projects', project) }),
    ...(Array.isArray(tag) && { 'tag-bindings': bindings(tag) }),
  }
}

const lock: Verb = {
  name: 'lock',
  description: 'lock a workspace, so that nobody else changes its state',
  arguments: [target('workspace')],
  flags: [
    { term: '--reason <text>', text: 'why' },
    { term: '--wait <duration>', text: 'wait this long for the lock to become free, such as 30s' },
    { term: '--expires-after <duration>', text: 'release it by itself after this time, such as 10m' },
    organizationFlag,
  ],
  example: 'workspace lock app-prod --reason "moving the database" --expires-after 1h',
  waits: true,
  run: async (session) => {
    const { path } = await located(session, 'workspace')
    const { reason, wait, expiresAfter } = session.flags
    const body = {
      ...(reason !== undefined && { reason }),
      ...(expiresAfter !== undefined && { 'expires-after': expiresAfter }),
    }
    const answer = await callOperation(session.client, 'workspaces.lock', { path, query: { wait }, body })
    const resource = resourceOf(answer)
    return { done: `Locked: ${String(resource.attributes.name)}`, row: flat(resource) }
  },
}

const unlock: Verb = {
  name: 'unlock',
  description: 'release the lock of a workspace: your own, or with --force that of another',
  arguments: [target('workspace')],
  flags: [{ term: '--force', text: 'also if somebody else holds it' }, organizationFlag],
  example: 'workspace unlock app-prod',
  asks: true,
  run: async (session) => {
    const { resource, path } = await located(session, 'workspace')
    const { force, yes } = session.flags
    const name = String(resource.attributes.name)
    if (force)
      await confirm(
        session.io,
        yes === true,
        async () => `This takes the lock of '${name}' from whoever holds it, who may be writing state.`,
      )
    const operation = force ? 'workspaces.force-unlock' : 'workspaces.unlock'
    const unlocked = resourceOf(await callOperation(session.client, operation, { path }))
    return { done: `Unlocked: ${name}`, row: flat(unlocked) }
  },
}

const tag: Verb = {
  name: 'tag',
  description: 'add tags to a workspace, or remove or replace them; without tags, list them',
  arguments: [target('workspace'), { term: '[tags...]', text: 'tags as key or key=value' }],
  flags: [
    { term: '--remove', text: 'remove the tags with these keys' },
    { term: '--replace', text: 'leave no tags but these' },
    organizationFlag,
  ],
  example: 'workspace tag app-prod env=prod team=core',
  run: async (session) => {
    const { path } = await located(session, 'workspace')
    const { client, flags, words } = session
    if (flags.remove && flags.replace) throw new CliFailure('Give --remove or --replace, not both.')
    if (words.length === 0 && (flags.remove || flags.replace)) throw new CliFailure('Name the tags.')
    const there = async () =>
      (await callOperation(client, 'tag-bindings.list', { path })).body as {
        data: { attributes: { key: string; value: string | null } }[]
      }
    if (flags.remove) {
      const keys = new Set(words.map((word) => word.split('=')[0]))
      const kept = (await there()).data.filter(({ attributes }) => !keys.has(attributes.key))
      const data = kept.map(({ attributes: { key, value } }) => ({ type: 'tag-bindings', attributes: { key, value } }))
      await callOperation(client, 'tag-bindings.replace', { path, body: { data } })
    } else if (words.length > 0)
      await callOperation(client, flags.replace ? 'tag-bindings.replace' : 'tag-bindings.merge', {
        path,
        body: bindings(words),
      })
    const rows = (await there()).data.map(({ attributes: { key, value } }) => ({ key, value }))
    return { rows, columns: ['key', 'value'] }
  },
}

const move: Verb = {
  name: 'move',
  description: 'move a workspace to another project',
  arguments: [target('workspace')],
  flags: [{ ...projectFlag, required: true }, organizationFlag],
  example: 'workspace move app-prod --project platform',
  run: async (session) => {
    const { resource, path } = await located(session, 'workspace')
    const project = String(await idFromFlag(session, 'project'))
    const body = { data: { type: 'workspaces', relationships: { project: reference('projects', project) } } }
    const moved = resourceOf(await callOperation(session.client, 'workspaces.update', { path, body }))
    return { done: `Moved: ${String(resource.attributes.name)} to ${String(session.flags.project)}`, row: flat(moved) }
  },
}

/** `holdfast workspace`. */
export const workspace: Noun = {
  name: 'workspace',
  description: 'workspaces: list, create, change, lock, tag, move',
  verbs: [
    listVerb({
      operation: 'workspaces.list',
      description: 'list workspaces',
      columns,
      include: 'project',
      filters,
      flags: [{ term: '--reverse', text: 'reverse the order of --sort' }, organizationFlag],
      place: inOrganization,
      example: 'workspace list --tag env=prod --project platform --locked',
    }),
    showVerb({
      kind: 'workspace',
      description: 'show a workspace',
      flags: [organizationFlag],
      columns: shown,
      example: 'workspace show app-prod --json',
    }),
    createVerb({
      operation: 'workspaces.create',
      type: 'workspaces',
      called: 'name',
      description: 'create a workspace',
      flags: [projectFlag, tagFlag, organizationFlag],
      place: inOrganization,
      relationships,
      columns: shown,
      example: 'workspace create app-new --project platform --tag env=prod --description "the shop"',
    }),
    updateVerb({
      kind: 'workspace',
      operation: 'workspaces.update',
      type: 'workspaces',
      description: 'change settings of a workspace',
      flags: [organizationFlag],
      columns: shown,
      example: 'workspace update app-prod --auto-apply --tool-version 1.9.4',
    }),
    deleteVerb({
      kind: 'workspace',
      operation: ({ flags }) => (flags.force ? 'workspaces.delete' : 'workspaces.safe-delete'),
      description: 'delete a workspace that manages nothing any more; with --force, any',
      flags: [{ term: '--force', text: 'also if its state has resources' }, organizationFlag],
      stakes: () => 'with its variables and all versions of its state',
      example: 'workspace delete app-test --yes',
    }),
    lock,
    unlock,
    tag,
    move,
  ],
}
