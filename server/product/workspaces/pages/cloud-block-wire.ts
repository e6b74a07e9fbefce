import { cloudBlock } from '../../../compat/cloud-block.ts'
import type { Settings } from '../../../kit/app-settings.ts'
import { type Html, html } from '../../../kit/html.ts'

/** The settings that decide under which address the tools reach this server. */
export type ToolSettings = Pick<Settings, 'mode' | 'httpsPort'>

const loopbackHosts: ReadonlySet<string> = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** The host for the tools, which only use HTTPS, whatever the browser uses; undefined if it is not known. */
function toolHost(origin: string, { mode, httpsPort }: ToolSettings): string | undefined {
  const { protocol, host, hostname } = new URL(origin)
  if (protocol === 'https:') return host
  // The certificate of dev mode is valid for this name, and its listeners are on one machine.
  if (mode === 'dev' && httpsPort > 0 && loopbackHosts.has(hostname)) return `localhost:${httpsPort}`
  return undefined
}

/** The block that points a configuration at a workspace. */
export function cloudBlockFor(origin: string, settings: ToolSettings, organization: string, workspace: string): Html {
  const known = toolHost(origin, settings)
  const host = known ?? new URL(origin).host
  const block = html`<pre><code>${cloudBlock({ host, organization, workspace })}</code></pre>`
  if (known !== undefined) return block
  return html`${block}<p class="faint">Use the host and port of this server’s HTTPS address there: the tools require it.</p>`
}
