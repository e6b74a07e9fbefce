import type { LinkProps } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import {
  IconCamera,
  IconCertificate,
  IconKey,
  IconLayoutDashboard,
  IconPlayerPlay,
  IconServer2,
  IconStack2,
  IconUsersGroup,
} from '../kit/icons.ts'

/** A place of the navigation, and the pages below it. */
export type Place = {
  readonly label: string
  readonly to: NonNullable<LinkProps['to']>
  readonly icon: ComponentType<{ size?: number; stroke?: number }>
  /** The part of the address that all its pages begin with. */
  readonly below: string
  /** How the kinds of concerns begin that are mended there; they are counted beside its name. */
  readonly concerns?: readonly string[]
  /** The key after `g` that leads there. */
  readonly key: string
  readonly pages?: readonly (readonly [label: string, to: NonNullable<LinkProps['to']>])[]
}

/** What belongs to the organization that is chosen. */
export const organizationPlaces: readonly Place[] = [
  {
    label: 'Overview',
    to: '/$organization/overview',
    icon: IconLayoutDashboard,
    below: '/overview',
    concerns: [''],
    key: 'o',
  },
  {
    label: 'Workspaces',
    to: '/$organization/workspaces',
    icon: IconStack2,
    below: '/workspaces',
    concerns: ['lock-'],
    key: 'w',
  },
  {
    label: 'Runs',
    to: '/$organization/runs' as never,
    icon: IconPlayerPlay,
    below: '/runs',
    key: 'r',
  },
  {
    label: 'Organization',
    to: '/$organization/organization',
    icon: IconUsersGroup,
    below: '/organization',
    key: 'm',
    pages: [
      ['Teams and access', '/$organization/organization/access'],
      ['Projects', '/$organization/organization/projects'],
      ['Members', '/$organization/organization/members'],
      ['Tokens', '/$organization/organization/tokens'],
      ['Agent pools', '/$organization/organization/agents'],
      ['Connections', '/$organization/organization/connections'],
      ['Settings', '/$organization/organization/settings'],
      ['History', '/$organization/organization/history'],
    ],
  },
]

/** What belongs to the whole server. */
export const serverPlaces: readonly Place[] = [
  {
    label: 'Certificate login',
    to: '/server/certificates/roles',
    icon: IconCertificate,
    below: '/server/certificates',
    concerns: ['ca-', 'crl-'],
    key: 'c',
    pages: [
      ['Roles', '/server/certificates/roles'],
      ['Revocation lists', '/server/certificates/crls'],
      ['Logins', '/server/certificates/logins'],
      ['Explain', '/server/certificates/explain'],
      ['Trust map', '/server/certificates/trust'],
      ['Settings', '/server/certificates/settings'],
    ],
  },
  {
    label: 'Secrets',
    to: '/server/secrets/browse',
    icon: IconKey,
    below: '/server/secrets',
    key: 's',
    pages: [
      ['Browse', '/server/secrets/browse'],
      ['Policies', '/server/secrets/policies'],
      ['Entities', '/server/secrets/entities'],
      ['Tokens', '/server/secrets/tokens'],
      ['Try a path', '/server/secrets/try'],
      ['Mounts', '/server/secrets/mounts'],
      ['Audit', '/server/secrets/audit'],
      ['Rate limits', '/server/secrets/limits'],
    ],
  },
  {
    label: 'Snapshots',
    to: '/server/snapshots',
    icon: IconCamera,
    below: '/server/snapshots',
    concerns: ['snapshot-'],
    key: 'n',
  },
  {
    label: 'System',
    to: '/server/system',
    icon: IconServer2,
    below: '/server/system',
    concerns: ['node-'],
    key: 'y',
  },
]
