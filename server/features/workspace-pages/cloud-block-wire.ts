import { cloudBlock } from '../../compat/cloud-block.ts'
import { type Html, html } from '../../kit/html.ts'

/** The block that points a configuration at a workspace. The tools come over HTTPS alone, whatever the browser uses. */
export function blockOf(origin: string, organization: string, workspace: string): Html {
  const { protocol, host } = new URL(origin)
  const block = html`<pre><code>${cloudBlock({ host, organization, workspace })}</code></pre>`
  if (protocol === 'https:') return block
  return html`${block}<p class="faint">Put the host and port of this server’s HTTPS address there: the tools use no other.</p>`
}
