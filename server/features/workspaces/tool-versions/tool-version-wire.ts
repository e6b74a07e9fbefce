export { shippedReleases } from '../../../compat/tool-releases.ts'
