import type { AnyRoute } from '@tanstack/react-router'

export const snapshotRoutes = <Parent extends AnyRoute>(_parent: Parent) => [] as const
