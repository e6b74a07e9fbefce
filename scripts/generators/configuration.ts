import { defaultText, type NamedSetting, namedSettings } from '../../server/config/setting.ts'
import { listenerSettings, settings } from '../../server/config/settings.ts'
import type { Generated } from './generator.ts'

/** The page about settings, from their definitions. */
export async function generateConfigurationPage(): Promise<Generated> {
  return { 'docs/configuration.md': renderConfigurationDocs() }
}

const introduction = `# Configuration

<!-- Made from server/config/settings.ts by \`npm run gen\`; changes belong there. -->

A setting can come from four sources, each overriding the ones before it: its default, the YAML file given with
\`--config\` (or \`HOLDFAST_CONFIG\`), the environment, the command line. Names are derived from each other: \`tls.cert_file\`
in the file is \`HOLDFAST_TLS_CERT_FILE\` in the environment and \`--tls-cert-file\` as a flag.

\`holdfast config check --config holdfast.yaml\` prints the effective settings and the source of each, or all problems at
once, without starting anything. With an invalid configuration the server exits with code 2. \`HOLDFAST_…\` variables that
name no setting are ignored and listed in one warning, except those that clusters set for a service called \`holdfast\`.
Settings that are valid, but unsafe or without effect, are warned about too, at the start also in the log.

Durations are written as \`500ms\`, \`30s\`, \`5m\`, \`768h\`; sizes as \`64KiB\`, \`32MiB\`; lists as YAML lists, or separated by
commas in the environment and in flags; relative paths are resolved against the working directory.
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

In server mode an HTTPS listener needs \`tls.cert_file\` and \`tls.key_file\`. Plain HTTP listens on loopback only, unless
\`trusted_proxies\` names the proxy that terminates TLS in front of it. A PostgreSQL on another machine needs
[\`sslmode\`](running.md#postgresql): without it, that connection is not encrypted.
`

/** The page docs/configuration.md. */
export function renderConfigurationDocs(): string {
  const own = namedSettings(settings)
  const groups = [...new Set(own.map(groupOf))]
  const sections = groups.map((group) => {
    const title = group === '' ? '## Settings' : `## \`${group}\``
    return `${title}\n\n${table(own.filter((named) => groupOf(named) === group))}\n`
  })
  const listeners = `## \`listeners\`\n\nAdditional listeners, in the file only: a list of maps with these keys.\n\n${listenerTable()}\n`
  return [introduction, example, ...sections, listeners].join('\n')
}

const groupOf = ({ place }: NamedSetting): string => (place.length > 1 ? (place[0] ?? '') : '')

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
