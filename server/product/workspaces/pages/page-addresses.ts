import type { Viewer } from '../../people/sign-in/index.ts'

/** The address of the page that lists the workspaces of an organization. */
export const listAddress = ({ prefix }: Viewer, organization: string): string => `${prefix}/${organization}/workspaces`

/** The address of the page of a workspace. */
export const workspaceAddress = (viewer: Viewer, organization: string, name: string): string =>
  `${listAddress(viewer, organization)}/${name}`
