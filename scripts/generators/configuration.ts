import { defaultText, type NamedSetting, namedSettings } from '../../server/config/setting.ts'
import { listenerSettings, settings } from '../../server/config/settings.ts'
import type { Generated } from './generator.ts'

/** The page about settings, from their definitions. */
export async function generateConfigurationPage(): Promise<Generated> {
  return { 'docs/configuration.md': renderConfigurationDocs() }
}

const introduction = `# Configuration

<!-- Made from server/config/settings.ts by \`npm run gen\`; changes belong there. -->

A setting can come from four sources, and each overrides the ones before it:

1. its default;
2. the YAML file given with \`--config\` or \`HOLDFAST_CONFIG\`;
3. the environment;
4. the command line.

Names follow from each other: \`tls.cert_file\` in the file is \`HOLDFAST_TLS_CERT_FILE\` in the environment and
\`--tls-cert-file\` as a flag.

- Durations are written as \`500ms\`, \`30s\`, \`5m\`, \`768h\`, and sizes as \`64KiB\`, \`32MiB\`.
- Lists are YAML lists. In the environment and in flags, commas separate their values.
- Relative paths are resolved against the working directory.

\`holdfast config check --config holdfast.yaml\` starts nothing. It prints the effective settings and the source of each,
or all problems at once. With an invalid configuration, the server exits with code 2.

\`config check\` and the start warn about settings that are valid, but unsafe or without effect. One more warning lists the
\`HOLDFAST_…\` variables that name no setting and are ignored. It leaves out variables that clusters set for a service
called \`holdfast\`.
`

const example = `## Example

\`\`\`yaml
data_dir: /var/lib/holdfast
listen: 0.0.0.0:8200
base_url: https://holdfast.example.com
tls:
  cert_file: /etc/holdfast/server.pem
  key_file: /etc/holdfast/server-key.pem
storage: postgres://holdfast@db1:5432,db2:5432/holdfast?sslmode=verify-full
listeners:
  # For browsers, which are not asked for a certificate here.
  - address: 0.0.0.0:8443
    client_certificate: off
\`\`\`

In server mode, an HTTPS listener needs \`tls.cert_file\` and \`tls.key_file\`. Plain HTTP listens on loopback only, unless
\`trusted_proxies\` names the proxy that terminates TLS in front of it. The connection to a PostgreSQL on another machine is
encrypted only with [\`sslmode\`](running.md#postgresql).

Without \`base_url\`, links and signed URLs have the scheme of the listener and the host in the \`Host\` header of each
request.
`

/** What the table of a group leaves out. */
const notes: Readonly<Record<string, string>> = {
  limits: `
Smaller limits apply in some places. A value in a cubbyhole, a value to wrap, and any body without a
valid token may have 1 MiB. The text of a policy is a string, so \`json_string_bytes\` limits it.

Request bodies need up to four times their size in memory while they are processed. Keep \`buffered_bytes\` well above
the largest body allowed.

Listeners that are full still accept a few connections for \`/healthz\`, \`/readyz\` and \`/v1/sys/health\`.
`,
}

/** The page docs/configuration.md. */
export function renderConfigurationDocs(): string {
  const own = namedSettings(settings)
  const groups = [...new Set(own.map(groupOf))]
  const sections = groups.map((group) => {
    const title = group === '' ? '## Settings' : `## \`${group}\``
    return `${title}\n\n${table(own.filter((named) => groupOf(named) === group))}\n${notes[group] ?? ''}`
  })
  const listeners = `## \`listeners\`\n\nAdditional listeners, in the file only: a list of maps with these keys.\n\n${listenerTable()}\n`
  return [introduction, example, ...sections, listeners].join('\n')
}

const groupOf = ({ key }: NamedSetting): string => (key.includes('.') ? key.slice(0, key.indexOf('.')) : '')

function table(rows: readonly NamedSetting[]): string {
  const lines = rows.map(({ key, variable, flag, setting }) => {
    const names = [setting.sources?.includes('file') === false ? '' : key, variable, flag].filter(Boolean)
    const only = setting.onlyMode ? ` (${setting.onlyMode} mode only)` : ''
    return row(
      names.map((name) => `\`${name}\``).join('<br>'),
      setting.kind.name,
      defaultCell(setting),
      setting.about + only,
    )
  })
  return [row('Setting', 'Value', 'Default', 'Meaning'), '|---|---|---|---|', ...lines].join('\n')
}

function listenerTable(): string {
  const lines = namedSettings(listenerSettings).map(({ key, setting }) =>
    row(`\`${key}\``, setting.kind.name, defaultCell(setting), setting.about),
  )
  return [row('Key', 'Value', 'Default', 'Meaning'), '|---|---|---|---|', ...lines].join('\n')
}

function defaultCell(setting: NamedSetting['setting']): string {
  const dev = defaultText(setting, 'dev')
  const server = defaultText(setting, 'server')
  if (dev === undefined) return setting.otherwise ?? 'not set'
  return dev === server ? `\`${dev}\`` : `dev \`${dev}\`, server \`${server}\``
}

const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
