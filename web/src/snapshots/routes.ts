import { type AnyRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router'

/** What the page of snapshots shows. */
export type SnapshotSearch = {
  /** The schedule that is looked at. */
  readonly schedule?: string
  /** How far back its history goes. */
  readonly span?: 'year'
}

/** Reads the address; what it does not understand is left out. */
export const snapshotSearch = ({ schedule, span }: Record<string, unknown>): SnapshotSearch => ({
  ...(schedule !== undefined && schedule !== '' && { schedule: String(schedule) }),
  ...(span === 'year' && { span }),
})

/** The pages of snapshots, below the server. */
export const snapshotRoutes = <Parent extends AnyRoute>(parent: Parent) => {
  const snapshots = createRoute({
    getParentRoute: () => parent,
    path: 'snapshots',
    staticData: { crumb: 'Snapshots' },
  })
  const list = createRoute({
    getParentRoute: () => snapshots,
    path: '/',
    validateSearch: snapshotSearch,
    component: lazyRouteComponent(() => import('./SnapshotsPage.tsx'), 'SnapshotsPage'),
  })
  const created = createRoute({
    getParentRoute: () => snapshots,
    path: 'new',
    staticData: { crumb: 'New schedule' },
    component: lazyRouteComponent(() => import('./SchedulePage.tsx'), 'NewSchedulePage'),
  })
  const edited = createRoute({
    getParentRoute: () => snapshots,
    path: 'edit/$name',
    staticData: { crumb: '$name' },
    component: lazyRouteComponent(() => import('./SchedulePage.tsx'), 'EditSchedulePage'),
  })
  return [snapshots.addChildren([list, created, edited])] as const
}
