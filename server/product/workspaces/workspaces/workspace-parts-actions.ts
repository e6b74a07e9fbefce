import type { Deps } from '../../../kit/deps.ts'
import type { Call } from '../../../kit/endpoint.ts'
import type { Resource } from '../../../kit/jsonapi/index.ts'
import { partsOf } from '../../../kit/parts.ts'
import type { Queryable } from '../../../storage/open.ts'
import type { Workspace } from './workspace.ts'

/** Parts of a workspace's document that features above this one own. */
export type PartName =
  | 'outputs'
  | 'vars'
  | 'current_state_version'
  | 'current_configuration_version'
  | 'current_run'
  | 'current_run.plan'
  | 'current_run.apply'
  | 'current_run.configuration_version'
  | 'locked_by'

/** Ids that documents link to, by workspace; workspaces without any may be left out. */
export type Links = ReadonlyMap<string, readonly string[]>

/** No links at all. */
export const noLinks: Links = new Map()

/** What the owner of a part provides. */
export type WorkspacePart = {
  /**
   * The ids a document links to. Every change of them calls `touchWorkspace`: they are read once for each state of a
   * workspace.
   */
  readonly links?: (db: Queryable, workspaces: readonly Workspace[]) => Promise<Links>
  /** The resources that `include` adds; those that the caller may not read are left out. */
  readonly include?: (call: PartCall, workspaces: readonly Workspace[]) => Promise<readonly Resource[]>
}

/** The parts of a call that a part of a workspace needs. */
type PartCall = Pick<Call, 'deps' | 'caller' | 'request'>

declare module '../../../kit/parts.ts' {
  interface FeatureParts {
    /** Parts of a workspace's document that the feature owns. */
    workspaceParts: { readonly [Name in PartName]?: WorkspacePart }
  }
}

/** The part of a name, if it has an owner. */
export const workspacePart = (deps: Pick<Deps, 'parts'>, name: PartName): WorkspacePart | undefined =>
  partsOf(deps, 'workspaceParts').find((parts) => parts[name])?.[name]
