import type { LinkProps } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import type { Shape } from '../kit/Status.tsx'

/** Something that needs attention. */
export type Concern = Required<Schemas['ConcernAttributes']>

type Kind = {
  /** What is the matter, the same words as on the page that it leads to. */
  readonly word: string
  readonly shape: Shape
  /** What its button says. */
  readonly action: string
  /** Where it is mended. */
  readonly link: (concern: Concern, organization: string) => LinkProps
}

const schedule = ({ name }: Concern): LinkProps => ({ to: '/server/snapshots', search: { schedule: name } as never })
const elsewhere = (to: string) => (): LinkProps => ({ to: to as never })

const kinds: Readonly<Record<string, Kind>> = {
  'lock-held': {
    word: 'Locked for long',
    shape: 'locked',
    action: 'Open lock',
    link: ({ name }, organization) => ({
      to: '/$organization/workspaces/$name' as never,
      params: { organization, name } as never,
    }),
  },
  'snapshot-failed': { word: 'Snapshot failed', shape: 'failed', action: 'Open history', link: schedule },
  'snapshot-overdue': { word: 'Snapshot overdue', shape: 'risk', action: 'Open schedule', link: schedule },
  'snapshot-not-restorable': { word: 'Does not restore', shape: 'disproved', action: 'Open proof', link: schedule },
  'snapshot-unproved': { word: 'Not proved', shape: 'unproved', action: 'Open proof', link: schedule },
  'snapshot-paused': { word: 'Schedule paused', shape: 'paused', action: 'Open schedule', link: schedule },
  'ca-expires': {
    word: 'CA expires',
    shape: 'risk',
    action: 'Trust map',
    link: elsewhere('/server/certificates/trust'),
  },
  'crl-stale': {
    word: 'List out of date',
    shape: 'risk',
    action: 'Open lists',
    link: elsewhere('/server/certificates/crls'),
  },
  'node-gone': { word: 'Node is gone', shape: 'failed', action: 'Open nodes', link: elsewhere('/server/system') },
}

const unknown: Kind = { word: 'Needs attention', shape: 'risk', action: 'Open', link: elsewhere('/server/system') }

/** How a concern is told, and where it leads. */
export const kindOf = ({ kind }: Concern): Kind => kinds[kind ?? ''] ?? unknown

/** The parts of the page, the worst first; empty ones are left out. */
export function groupsOf(concerns: readonly Concern[]): readonly (readonly [title: string, readonly Concern[]])[] {
  const failed = concerns.filter((concern) => concern.failed)
  const rest = concerns.filter((concern) => !concern.failed)
  return ([['Failed', failed] as const, ['At risk', rest] as const] as const).filter(([, of]) => of.length > 0)
}
