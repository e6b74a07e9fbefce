export type { Config } from './config.ts'
export { addressSettingOf } from './config-rules.ts'
export { type ConfigInput, type LoadResult, loadConfig } from './load.ts'
export { isLoopback, showAddress, storeUrl } from './network-kinds.ts'
export { renderEffective, renderFlags, renderProblems } from './render.ts'
export type { Mode } from './setting.ts'

/** The environment of this process; nothing else in the server reads it. */
export const processEnvironment = (): NodeJS.ProcessEnv => process.env
