import { type AnyRoute, createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { peopleSearch } from './search.ts'

const own = <Parent extends AnyRoute>(parent: Parent) => {
  const account = createRoute({ getParentRoute: () => parent, path: 'account', staticData: { crumb: 'Your account' } })
  const profile = createRoute({
    getParentRoute: () => account,
    path: '/',
    component: lazyRouteComponent(() => import('./AccountPage.tsx'), 'AccountPage'),
  })
  const tokens = createRoute({
    getParentRoute: () => account,
    path: 'tokens',
    staticData: { crumb: 'Tokens' },
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./OwnTokensPage.tsx'), 'OwnTokensPage'),
  })
  const organization = createRoute({
    getParentRoute: () => parent,
    path: 'new',
    staticData: { crumb: 'New organization' },
    component: lazyRouteComponent(() => import('./NewOrganizationPage.tsx'), 'NewOrganizationPage'),
  })
  return [account.addChildren([profile, tokens]), organization] as const
}

const ofOrganization = <Parent extends AnyRoute>(parent: Parent) => {
  const organization = createRoute({
    getParentRoute: () => parent,
    path: 'organization',
    staticData: { crumb: 'Organization' },
  })
  const home = createRoute({
    getParentRoute: () => organization,
    path: '/',
    beforeLoad: ({ params }) => {
      throw redirect({ to: '/$organization/organization/access' as never, params: params as never, replace: true })
    },
  })
  return [
    organization.addChildren([
      home,
      ...accessRoutes(organization),
      ...projectRoutes(organization),
      ...agentRoutes(organization),
      ...restRoutes(organization),
    ]),
  ] as const
}

const accessRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const access = createRoute({
    getParentRoute: () => parent,
    path: 'access',
    staticData: { crumb: 'Teams and access' },
  })
  const projects = createRoute({
    getParentRoute: () => access,
    path: '/',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./AccessPage.tsx'), 'ProjectAccessPage'),
  })
  const workspaces = createRoute({
    getParentRoute: () => access,
    path: 'workspaces',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./AccessPage.tsx'), 'WorkspaceAccessPage'),
  })
  const rights = createRoute({
    getParentRoute: () => access,
    path: 'rights',
    component: lazyRouteComponent(() => import('./RightsPage.tsx'), 'RightsPage'),
  })
  const teams = createRoute({
    getParentRoute: () => access,
    path: 'teams',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./TeamsPage.tsx'), 'TeamsPage'),
  })
  return [access.addChildren([projects, workspaces, rights, teams, ...teamRoutes(access)])] as const
}

const teamRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const team = createRoute({ getParentRoute: () => parent, path: 'teams/$team', staticData: { crumb: '$team' } })
  const teamMembers = createRoute({
    getParentRoute: () => team,
    path: '/',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./TeamPage.tsx'), 'TeamMembersPage'),
  })
  const teamAccess = createRoute({
    getParentRoute: () => team,
    path: 'access',
    component: lazyRouteComponent(() => import('./TeamAccessPage.tsx'), 'TeamAccessPage'),
  })
  const teamTokens = createRoute({
    getParentRoute: () => team,
    path: 'tokens',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./TeamTokensPage.tsx'), 'TeamTokensPage'),
  })
  const teamSettings = createRoute({
    getParentRoute: () => team,
    path: 'settings',
    component: lazyRouteComponent(() => import('./TeamSettingsPage.tsx'), 'TeamSettingsPage'),
  })
  return [team.addChildren([teamMembers, teamAccess, teamTokens, teamSettings])] as const
}

const projectRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const projects = createRoute({ getParentRoute: () => parent, path: 'projects', staticData: { crumb: 'Projects' } })
  const list = createRoute({
    getParentRoute: () => projects,
    path: '/',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./ProjectsPage.tsx'), 'ProjectsPage'),
  })
  const project = createRoute({ getParentRoute: () => projects, path: '$project', staticData: { crumb: '$project' } })
  const workspaces = createRoute({
    getParentRoute: () => project,
    path: '/',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./ProjectPage.tsx'), 'ProjectPage'),
  })
  const settings = createRoute({
    getParentRoute: () => project,
    path: 'settings',
    component: lazyRouteComponent(() => import('./ProjectSettingsPage.tsx'), 'ProjectSettingsPage'),
  })
  return [projects.addChildren([list, project.addChildren([workspaces, settings])])] as const
}

const agentRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const agents = createRoute({ getParentRoute: () => parent, path: 'agents', staticData: { crumb: 'Agent pools' } })
  const list = createRoute({
    getParentRoute: () => agents,
    path: '/',
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./AgentPoolsPage.tsx'), 'AgentPoolsPage'),
  })
  const pool = createRoute({
    getParentRoute: () => agents,
    path: '$pool',
    staticData: { crumb: '$pool' },
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./AgentPoolPage.tsx'), 'AgentPoolPage'),
  })
  return [agents.addChildren([list, pool])] as const
}

const restRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const members = createRoute({
    getParentRoute: () => parent,
    path: 'members',
    staticData: { crumb: 'Members' },
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./MembersPage.tsx'), 'MembersPage'),
  })
  const tokens = createRoute({
    getParentRoute: () => parent,
    path: 'tokens',
    staticData: { crumb: 'Tokens' },
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./TokensPage.tsx'), 'TokensPage'),
  })
  const connections = createRoute({
    getParentRoute: () => parent,
    path: 'connections',
    staticData: { crumb: 'Connections' },
    component: lazyRouteComponent(() => import('./ConnectionsPage.tsx'), 'ConnectionsPage'),
  })
  const settings = createRoute({
    getParentRoute: () => parent,
    path: 'settings',
    staticData: { crumb: 'Settings' },
  })
  const general = createRoute({
    getParentRoute: () => settings,
    path: '/',
    component: lazyRouteComponent(() => import('./SettingsPage.tsx'), 'SettingsPage'),
  })
  const retention = createRoute({
    getParentRoute: () => settings,
    path: 'retention',
    staticData: { crumb: 'Retention' },
    component: lazyRouteComponent(() => import('./RetentionPage.tsx'), 'RetentionPage'),
  })
  const tools = createRoute({
    getParentRoute: () => settings,
    path: 'tools',
    staticData: { crumb: 'Tool versions' },
    component: lazyRouteComponent(() => import('./ToolVersionsPage.tsx'), 'ToolVersionsPage'),
  })
  const deletion = createRoute({
    getParentRoute: () => settings,
    path: 'deletion',
    staticData: { crumb: 'Deletion' },
    component: lazyRouteComponent(() => import('./DeletionPage.tsx'), 'DeletionPage'),
  })
  const history = createRoute({
    getParentRoute: () => parent,
    path: 'history',
    staticData: { crumb: 'History' },
    validateSearch: peopleSearch,
    component: lazyRouteComponent(() => import('./HistoryPage.tsx'), 'HistoryPage'),
  })
  return [members, tokens, connections, settings.addChildren([general, retention, tools, deletion]), history] as const
}

/** The pages of people: their own, and those of an organization. */
export const peopleRoutes = { own, organization: ofOrganization }
