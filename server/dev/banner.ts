import { styleText } from 'node:util'
import { cloudBlock, connectCommand, loginCommand, tokenVariable } from '../compat/vendor-names.ts'
import type { DevFacts } from '../kit/feature.ts'

/** What the banner shows. Absent parts are left out. */
export type BannerFacts = Partial<DevFacts> & {
  version: string
  address?: string
  http_address?: string
  /** Further addresses of the configuration. */
  listeners?: readonly string[]
  ca_cert: string
  client_cert: string
  client_key: string
  data_dir: string
}

type Section = { title: string; lines: readonly string[] }

/** The text that dev mode prints when it is ready: where everything is, and what to try first. */
export function renderBanner(facts: BannerFacts, colour: boolean): string {
  const bold = (text: string): string => (colour ? styleText('bold', text, { validateStream: false }) : text)
  const warn = (text: string): string => (colour ? styleText('yellow', text, { validateStream: false }) : text)
  const sections = [addresses(facts), tokens(facts), login(facts), cloud(facts), snapshots(facts)]
  const body = sections.flatMap((section) =>
    section.lines.length === 0 ? [] : ['', `  ${bold(section.title)}`, ...section.lines.map((line) => `    ${line}`)],
  )
  const head = `  ${bold(`Holdfast ${facts.version} is ready.`)} ${warn('Dev mode, not for production.')}`
  return ['', head, ...body, '', ...footer(facts).map((line) => `  ${line}`), ''].join('\n')
}

const renderPairs = (pairs: readonly (readonly [string, string | undefined])[]): string[] =>
  pairs.flatMap(([name, value]) => (value === undefined ? [] : `${name.padEnd(10)} ${value}`))

function addresses({ address, http_address, listeners = [] }: BannerFacts): Section {
  const base = address ?? http_address
  const lines = renderPairs([
    ['HTTPS', address],
    ['HTTP', http_address && `${http_address}  (this machine only, no certificate login)`],
    ...listeners.map((url) => ['Also', url] as const),
    ['Web pages', base && `${base}/app  (sign in with one of the tokens)`],
    ['', address && http_address && `${http_address}/app  (the same, for browsers that do not trust our CA)`],
    ['Reference', base && `${base}/docs`],
  ])
  return { title: 'Addresses', lines }
}

function tokens({ root_token, user_token, organization }: BannerFacts): Section {
  const lines = renderPairs([
    ['Root', root_token && `${root_token}  (everything under /v1)`],
    ['User', user_token && `${user_token}  (owner of organization ${organization ?? 'demo'} under /api/v2)`],
  ])
  return { title: 'Tokens', lines }
}

/** A word for the shell, quoted if necessary. */
const shellWord = (text: string): string => (/^[\w./:@=+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)

function login({ address, cert_role, ca_cert, client_cert, client_key }: BannerFacts): Section {
  const lines = [
    `curl --cacert ${shellWord(ca_cert)} \\`,
    `  --cert ${shellWord(client_cert)} --key ${shellWord(client_key)} \\`,
    `  -d '{"name":"${cert_role}"}' ${address}/v1/auth/cert/login`,
  ]
  return { title: 'Log in with the demo client certificate', lines: address && cert_role ? lines : [] }
}

function cloud({ address, organization, workspace, run_workspace, user_token, ca_cert }: BannerFacts): Section {
  const what = run_workspace ? 'Plan and apply here' : 'Keep state here'
  const title = `${what}: add this block to a configuration`
  if (!address || !organization || !user_token) return { title, lines: [] }
  const host = new URL(address).host.replace(/^127\.0\.0\.1(?=:|$)/, 'localhost')
  const block = cloudBlock({ host, organization, workspace: run_workspace ?? workspace ?? 'demo' })
  const environment = [
    'and run these two commands:',
    `  export SSL_CERT_FILE=${shellWord(ca_cert)}`,
    `  env '${tokenVariable(host)}=${user_token}' ${connectCommand}`,
    `or store the token permanently: ${loginCommand} ${host}`,
    ...(run_workspace && workspace
      ? [`With ${workspace} as the workspace, your machine plans and applies, and only the state is kept here.`]
      : []),
  ]
  return { title, lines: [...block.split('\n'), ...environment] }
}

function snapshots({ snapshot_config, data_dir }: BannerFacts): Section {
  const lines = [
    `Configuration ${snapshot_config} stores them below ${data_dir}.`,
    'Each one is test-restored after it is stored. To see their status:',
    `  HOLDFAST_DATA_DIR=${shellWord(data_dir)} npx holdfast snapshot list`,
    `Snapshots do not contain ${data_dir}/seal.key, which opens the secrets in them: keep a copy of it elsewhere.`,
  ]
  return { title: 'Snapshots', lines: snapshot_config ? lines : [] }
}

const footer = ({ data_dir }: BannerFacts): string[] => [
  `All data is in ${data_dir} and survives a restart; delete it to start over.`,
  'Anyone who can read that directory has your tokens and keys. Stop with Ctrl-C.',
]
