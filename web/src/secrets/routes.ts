import type { AnyRoute } from '@tanstack/react-router'

export const secretsRoutes = <Parent extends AnyRoute>(_parent: Parent) => [] as const
