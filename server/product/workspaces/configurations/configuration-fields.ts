import { toIso } from '../../../kernel/clock.ts'
import { Type } from '../../../kit/endpoint.ts'
import { attribute } from '../../../kit/jsonapi/attribute-kinds.ts'
import { fieldSet } from '../../../kit/jsonapi/document-field-set.ts'
import { toOne } from '../../../kit/jsonapi/resource-documents.ts'
import { type Resource, resourceSchema, shown } from '../../../kit/jsonapi/schemas.ts'
import type { ConfigurationVersion } from './configuration.ts'

/** What a configuration version is made with. */
export const settings = fieldSet({
  autoQueueRuns: attribute.flag('Whether a run begins as soon as the content has been uploaded.', { default: true }),
  speculative: attribute.flag('Whether its runs only plan.', { default: false }),
  provisional: attribute.flag(
    'Whether it becomes the current configuration only when a run of it has been applied, not at once.',
    { default: false, shown: 'Whether it becomes the current configuration only by a run that is applied.' },
  ),
})

/** What the server notes. */
export const facts = fieldSet({
  source: attribute.text('Where it came from.'),
  error: attribute.text('Why it cannot be used, as a code.', { nullable: true }),
  errorMessage: attribute.text('Why it cannot be used, as a sentence.', { nullable: true }),
  size: attribute.whole('Bytes of the archive; null until it has been uploaded.', { nullable: true }),
  sha256: attribute.text('SHA-256 of the archive; null until it has been uploaded.', { nullable: true }),
  fileCount: attribute.whole('Files in the archive; null until it has been uploaded.', { nullable: true }),
})

/** A configuration version as answers show it. */
export const configurationSchema = resourceSchema('configuration-versions', {
  attributes: {
    ...settings.shown,
    ...facts.shown,
    status: shown.text('`pending`, `uploaded`, `errored`, `archived`, or the status of its backing data.'),
    'status-timestamps': Type.Record(Type.String(), Type.String({ format: 'date-time' }), {
      description: 'When each status was reached.',
    }),
    'changed-files': shown.texts('Files that a commit changed; empty for uploads.'),
  },
  relationships: {
    workspace: 'The workspace it belongs to.',
    'ingress-attributes': 'The commit it came from; null for uploads.',
  },
})

/** A configuration version as a resource. */
export const toConfigurationResource = (version: ConfigurationVersion): Resource => ({
  type: 'configuration-versions',
  id: version.id,
  attributes: {
    ...settings.toDocument(version),
    ...facts.toDocument(version),
    status: version.status,
    'status-timestamps': Object.fromEntries(Object.entries(version.times).map(([name, at]) => [name, toIso(at)])),
    'changed-files': [],
  },
  relationships: {
    workspace: toOne('workspaces', version.workspaceId, `/api/v2/workspaces/${version.workspaceId}`),
    'ingress-attributes': { data: null },
  },
  links: { self: `/api/v2/configuration-versions/${version.id}` },
})
