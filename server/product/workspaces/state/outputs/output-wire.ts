import { Type } from '../../../../kit/endpoint.ts'
import { type Resource, resourceSchema, shown } from '../../../../kit/jsonapi/index.ts'
import type { OpenedOutput } from './output-rules.ts'

/** An output as a resource. */
export const toOutputResource = (output: OpenedOutput): Resource => ({
  type: 'state-version-outputs',
  id: output.id,
  attributes: {
    name: output.name,
    sensitive: output.sensitive,
    type: output.type,
    'detailed-type': output.detailedType,
    value: output.value,
  },
  links: { self: `/api/v2/state-version-outputs/${output.id}` },
})

/** An output as it is included with its workspace, where its type has another name. */
export const toWorkspaceOutputResource = (output: OpenedOutput): Resource => ({
  type: 'workspace-outputs',
  id: output.id,
  attributes: {
    name: output.name,
    sensitive: output.sensitive,
    'output-type': output.type,
    'detailed-type': output.detailedType,
    value: output.value,
  },
  links: { self: `/api/v2/state-version-outputs/${output.id}` },
})

/** An output as answers show it. */
export const outputSchema = resourceSchema('state-version-outputs', {
  attributes: {
    name: shown.text('Name of the output.'),
    sensitive: shown.flag('Whether lists hide its value.'),
    type: shown.text('`string`, `number`, `boolean`, `array` or `object`.'),
    'detailed-type': Type.Unknown({
      description: 'The type as the tool writes it; null if the state does not record it.',
    }),
    value: Type.Unknown({ description: 'The value; null in lists if it is sensitive.' }),
  },
})
