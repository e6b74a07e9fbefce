import { stateToolVersion } from '../../../compat/vendor-names.ts'
import { toIso } from '../../../kernel/clock.ts'
import { Type } from '../../../kit/endpoint.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { relation } from '../../../kit/jsonapi/relationships.ts'
import { resourceBody } from '../../../kit/jsonapi/resource-bodies.ts'
import { toMany, toOne } from '../../../kit/jsonapi/resource-documents.ts'
import { documentSchema, pageSchema, type Resource, resourceSchema, shown } from '../../../kit/jsonapi/schemas.ts'
import { holderShown } from '../workspaces/index.ts'
import type { StateSummary } from './analysis/resource-list.ts'
import type { StateVersion } from './state-version.ts'

const mebibyte = 1024 * 1024

/** The largest document with a state inside; larger states are uploaded. */
const inlineBytes = 64 * mebibyte

/** The largest state that is accepted. */
export const uploadBytes: number = 512 * mebibyte

const md5Problem = (text: string) => (/^[0-9a-f]{32}$/i.test(text) ? undefined : 'must be 32 hexadecimal digits')

/**
 * The decoder skips characters it does not know, so a text with such characters has fewer bytes than its length promises;
 * this is far faster than looking at each character, and states are long. It also takes the URL-safe alphabet, and reads
 * only the low byte of characters beyond ASCII. The padding may be missing.
 */
const isBase64 = (text: string): boolean => {
  const end = text.indexOf('=')
  const padding = end < 0 ? 0 : text.length - end
  const isWhole = padding === 0 ? text.length % 4 !== 1 : text.length % 4 === 0 && padding <= 2 && text.endsWith('=')
  if (!isWhole || text.includes('-') || text.includes('_') || Buffer.byteLength(text) !== text.length) return false
  return decodedLength(text) === Math.floor(((text.length - padding) * 3) / 4)
}

const pieceLength = 64 * 1024
const scratch = Buffer.allocUnsafeSlow((pieceLength * 3) / 4)

/** Decodes piece by piece into the same memory: many megabytes for each of many callers would be too much. */
function decodedLength(text: string): number {
  let length = 0
  for (let at = 0; at < text.length; at += pieceLength) {
    length += scratch.write(text.slice(at, at + pieceLength), 'base64')
  }
  return length
}

const base64Problem = (text: string) => (isBase64(text) ? undefined : 'must be base64')

const content = (description: string) => attribute.text(description, { nullable: true, check: base64Problem })

/** The body that announces a state, or contains it. */
export const stateVersionBody = resourceBody('state-versions', {
  attributes: {
    serial: attribute.whole('Serial number of the state, increased with every write.', {
      required: true,
      minimum: 0,
      example: 1,
    }),
    md5: attribute.text('MD5 of the raw state, in hex.', {
      required: true,
      check: md5Problem,
      example: 'd41d8cd98f00b204e9800998ecf8427e',
    }),
    lineage: attribute.text('Lineage: identifies states that derive from one another.', {
      nullable: true,
      maxLength: 512,
    }),
    state: content('The state in base64. If omitted, the response contains the URL to upload it to.'),
    jsonState: content('The JSON rendering of the state, in base64.'),
    jsonStateOutputs: content('The JSON rendering of the outputs, in base64.'),
    force: attribute.flag('Accept the state without comparing lineage and serial.', { nullable: true }),
  },
  relationships: { run: relation.one('runs', 'The run that wrote the state.', { nullable: true }) },
  maxBytes: inlineBytes,
})

/** The body that brings an old version back. */
export const rollbackBody = resourceBody('state-versions', {
  relationships: {
    rollbackStateVersion: relation.one('state-versions', 'The version to roll back to.', { required: true }),
    newestStateVersion: relation.one(
      'state-versions',
      'The version that has to be the newest one; if another was written since, nothing is done.',
      { nullable: true },
    ),
  },
})

/** A state version with what its document shows besides its row. */
export type StateVersionView = {
  readonly version: StateVersion
  readonly summary: StateSummary
  readonly outputIds: readonly string[]
  /** Signed addresses; null if there is nothing to load or send. */
  readonly urls: {
    readonly download: string | null
    readonly jsonDownload: string | null
    readonly upload: string | null
    readonly jsonUpload: string | null
  }
}

/** A state version as a resource. */
export const toStateVersionResource = ({ version, summary, outputIds, urls }: StateVersionView): Resource => {
  const self = `/api/v2/state-versions/${version.id}`
  return {
    type: 'state-versions',
    id: version.id,
    attributes: {
      'created-at': toIso(version.createdAt),
      size: version.size,
      serial: version.serial,
      md5: version.md5,
      lineage: version.lineage,
      status: version.status,
      intermediate: version.intermediate,
      encrypted: version.encrypted,
      'hosted-state-download-url': urls.download,
      'hosted-json-state-download-url': urls.jsonDownload,
      'hosted-state-upload-url': urls.upload,
      'hosted-json-state-upload-url': urls.jsonUpload,
      'resources-processed': version.status !== 'pending' && version.status !== 'discarded',
      'resource-count': version.resourceCount,
      'resource-count-known': version.resourceCountKnown,
      'state-version': version.format,
      'tool-version': version.toolVersion,
      [stateToolVersion]: version.toolVersion,
      modules: summary.modules,
      providers: summary.providers,
      resources: summary.resources,
      'vcs-commit-sha': null,
      'vcs-commit-url': null,
    },
    relationships: {
      run: toOne('runs', version.runId),
      'created-by': holderShown(version.createdBy),
      workspace: toOne('workspaces', version.workspaceId, `/api/v2/workspaces/${version.workspaceId}`),
      outputs: toMany('state-version-outputs', outputIds, `${self}/outputs`),
      'rollback-state-version': toOne('state-versions', version.rolledBackTo),
    },
    links: { self },
  }
}

const counts = (description: string) =>
  Type.Record(Type.String(), Type.Record(Type.String(), Type.Integer()), { description })

/** A state version as answers show it. */
const stateVersionSchema = resourceSchema('state-versions', {
  attributes: {
    'created-at': shown.time('When it was created.'),
    size: shown.whole('Size of the state in bytes.'),
    serial: shown.whole('Serial number of the state, increased with every write.'),
    md5: shown.text('MD5 of the state.'),
    lineage: shown.maybeText('Lineage: identifies states that derive from one another.'),
    status: shown.text('`pending`, `finalized`, `discarded`, or the status of its backing data.'),
    intermediate: shown.flag('True until the lock it was written under is released.'),
    encrypted: shown.flag('True if it is encrypted, so that only its writer can read it.'),
    'hosted-state-download-url': shown.maybeText('URL to download the state from, valid for 25 hours.'),
    'hosted-json-state-download-url': shown.maybeText('URL to download its JSON rendering from.'),
    'hosted-state-upload-url': shown.maybeText('URL to upload the state to, once; shown to its creator.'),
    'hosted-json-state-upload-url': shown.maybeText('URL to upload its JSON rendering to, once.'),
    'resources-processed': shown.flag('Whether resources and outputs have been extracted.'),
    'resource-count': shown.whole('Number of instances of managed resources.'),
    'resource-count-known': shown.flag(
      'False if the state is encrypted or not of format 4, so that the number is unknown.',
    ),
    'state-version': shown.maybeWhole('Format version of the state.'),
    'tool-version': shown.maybeText('Version of the tool that wrote it.'),
    [stateToolVersion]: shown.maybeText('Same as `tool-version`, under the name that older clients know.'),
    modules: counts('Resources of each type by module.'),
    providers: counts('Resources of each type by provider.'),
    resources: Type.Array(
      Type.Object({
        name: Type.String({ description: 'Name of the resource.' }),
        type: Type.String({ description: 'Type of the resource; data sources begin with `data.`.' }),
        count: Type.Integer({ description: 'Number of its instances.' }),
        module: Type.String({ description: 'The module it is in.' }),
        provider: Type.String({ description: 'Its provider.' }),
      }),
      { description: 'The resources, at most 2,000 of them.' },
    ),
    'vcs-commit-sha': shown.maybeText('Commit of the configuration.'),
    'vcs-commit-url': shown.maybeText('URL of that commit.'),
  },
  relationships: {
    run: 'The run that wrote it.',
    'created-by': 'Who wrote it.',
    workspace: 'The workspace it belongs to.',
    outputs: 'Its outputs.',
    'rollback-state-version': 'The version whose content a rollback copied into this one.',
  },
})

/** A document with one state version. */
export const stateVersionDocument = documentSchema(stateVersionSchema)

/** One page of state versions. */
export const stateVersionPage = pageSchema(stateVersionSchema)
