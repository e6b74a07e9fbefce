import type { AnyRoute } from '@tanstack/react-router'
import { certificateRoutes } from './certificates/routes.ts'

/** The pages of `/v1`, which belong to the whole server. */
export const secretsRoutes = <Parent extends AnyRoute>(parent: Parent) => [certificateRoutes(parent)] as const
