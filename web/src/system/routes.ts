import type { AnyRoute } from '@tanstack/react-router'

export const systemRoutes = <Parent extends AnyRoute>(_parent: Parent) => [] as const
