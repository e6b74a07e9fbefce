import type { Environment } from './process-sources.ts'

export type { Config } from './config.ts'
export { addressSettingOf } from './config-rules.ts'
export { type ConfigInput, type Loaded, loadConfig } from './load.ts'
export { isLoopback, showAddress, storeUrl } from './network-kinds.ts'
export { renderProblems } from './problem.ts'
export { renderConfigurationDocs, renderEffective, renderFlags } from './render.ts'
export type { Mode } from './setting.ts'
export { tlsFileProblems } from './tls-files.ts'

/** The environment of this process; nothing else in the server reads it. */
export const processEnvironment = (): Environment => process.env
