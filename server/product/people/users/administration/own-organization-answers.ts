import type { Call } from '../../../../kit/endpoint.ts'
import type { Resource } from '../../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../../kit/parts.ts'

declare module '../../../../kit/parts.ts' {
  interface FeatureParts {
    /** Renders organizations as their own address shows them to a caller. */
    renderOrganizations: (call: Pick<Call, 'deps' | 'caller'>, ids: readonly string[]) => Promise<readonly Resource[]>
  }
}

/** The organizations with these ids, each once. */
export async function renderOwnOrganizations(
  call: Pick<Call, 'deps' | 'caller'>,
  ids: readonly string[],
): Promise<readonly Resource[]> {
  const all = partsOf(call.deps, 'renderOrganizations')
  const rendered = await Promise.all(all.map((render) => render(call, [...new Set(ids)])))
  return rendered.flat()
}
