import { type Deps, perApp } from '../../../../kit/deps.ts'
import type { Call } from '../../../../kit/endpoint.ts'
import type { Resource } from '../../../../kit/jsonapi/index.ts'

/** Renders organizations as their own address shows them to a caller; provided by the feature that they belong to. */
export type RenderOrganizations = (
  call: Pick<Call, 'deps' | 'caller'>,
  ids: readonly string[],
) => Promise<readonly Resource[]>

const renderers = perApp<RenderOrganizations[]>(() => [])

/** Says how organizations are rendered. */
export const provideOrganizationDocuments = (deps: Pick<Deps, 'store'>, render: RenderOrganizations): void =>
  void renderers(deps).push(render)

/** The organizations with these ids, each once. */
export async function renderOwnOrganizations(
  call: Pick<Call, 'deps' | 'caller'>,
  ids: readonly string[],
): Promise<readonly Resource[]> {
  const rendered = await Promise.all(renderers(call.deps).map((render) => render(call, [...new Set(ids)])))
  return rendered.flat()
}
