import type { AnyRoute } from '@tanstack/react-router'

/** The pages of people: their own, and those of an organization. */
export const peopleRoutes = {
  own: <Parent extends AnyRoute>(_parent: Parent) => [] as const,
  organization: <Parent extends AnyRoute>(_parent: Parent) => [] as const,
}
