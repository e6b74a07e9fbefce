import { textOf } from '../../../kernel/failure.ts'
import { defineFeature, type Feature } from '../../../kit/feature.ts'
import { deviceEndpoints } from './device-endpoints.ts'
import { headerEndpoints } from './header-endpoints.ts'
import { nodeTrail } from './node-trail-adapter.ts'

export { forgetDevice } from './device-actions.ts'
export { loadDevices } from './device-store.ts'
export { fileProblem, findUnopenable } from './node-trail-adapter.ts'

/** Audit devices: every request leaves a record, or is not carried out. */
export const auditDevicesFeature: Feature = defineFeature({
  name: 'audit-devices',
  endpoints: [...deviceEndpoints, ...headerEndpoints],
  services: (deps) => ({ audit: nodeTrail(deps) }),
  start: async (deps) => {
    const report = (error: unknown) =>
      deps.log.error({ error: textOf(error) }, 'could not apply changes of audit devices')
    deps.store.versions.onChange('audit', () => void nodeTrail(deps).syncDevices().catch(report))
  },
  onUnsealed: (deps) => nodeTrail(deps).followAfresh(),
  reload: (deps) => nodeTrail(deps).reopen(),
  stop: (deps) => nodeTrail(deps).close(),
})
