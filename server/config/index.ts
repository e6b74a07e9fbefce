import type { Environment } from './process-sources.ts'

export type { Config } from './config.ts'
export { addressSettingOf } from './config-rules.ts'
export { type ConfigInput, type LoadResult, loadConfig } from './load.ts'
export { isLoopback, showAddress, storeUrl } from './network-kinds.ts'
export { renderProblems } from './problem.ts'
export { renderConfigurationDocs, renderEffective, renderFlags } from './render.ts'
export type { Mode } from './setting.ts'
export { tlsFileProblems } from './tls-files.ts'

/** The environment of this process; nothing else in the server reads it. */
export const processEnvironment = (): Environment => process.env

const textVariable = 'HOLDFAST_CONFIG_TEXT'

/** A variable holds no more; the file is read again then. */
const maxTextBytes = 100_000

/** Variables that hand the text of the configuration file to further processes of this server. */
export const handText = (text: string | undefined): Readonly<Record<string, string>> =>
  text === undefined || Buffer.byteLength(text) > maxTextBytes ? {} : { [textVariable]: text }

/** The text that this process was handed. Programs that it starts do not inherit it: there may be a password in it. */
export function takeText(): string | undefined {
  const text = process.env[textVariable]
  delete process.env[textVariable]
  return text
}
