/** Commands that users know from related command lines, and what to write here instead. */
const equivalents: readonly (readonly [typed: string, instead: string])[] = [
  ['audit disable', 'holdfast delete sys/audit/NAME'],
  ['audit enable', 'holdfast write sys/audit/NAME type=file options=file_path=FILE'],
  ['audit list', 'holdfast read sys/audit'],
  ['auth disable', 'holdfast delete sys/auth/PATH'],
  ['auth enable', 'holdfast write sys/auth/PATH type=TYPE'],
  ['auth list', 'holdfast read sys/auth'],
  ['auth tune', 'holdfast write sys/auth/PATH/tune default_lease_ttl=1h'],
  ['cert crls', 'holdfast cert crl list'],
  ['cert role', 'holdfast cert list, show, create, update or delete'],
  ['cert roles', 'holdfast cert list'],
  ['lease lookup', 'holdfast write sys/leases/lookup lease_id=ID'],
  ['lease renew', 'holdfast write sys/leases/renew lease_id=ID'],
  ['lease revoke', 'holdfast write sys/leases/revoke lease_id=ID'],
  ['operator diagnose', 'holdfast doctor'],
  ['operator init', 'holdfast write sys/init secret_shares=5 secret_threshold=3'],
  ['operator key-status', 'holdfast read sys/key-status'],
  ['operator members', 'holdfast node list'],
  ['operator raft list-peers', 'holdfast node list'],
  ['operator raft snapshot inspect', 'holdfast snapshot inspect FILE'],
  ['operator raft snapshot restore', 'holdfast snapshot restore FILE'],
  ['operator raft snapshot save', 'holdfast snapshot save FILE'],
  ['operator raft snapshot', 'holdfast snapshot save, restore or inspect'],
  ['operator rekey', 'holdfast write sys/rekey/init secret_shares=5 secret_threshold=3 require_verification=true'],
  ['operator rotate', 'holdfast write --force sys/rotate'],
  ['operator seal', 'holdfast write --force sys/seal'],
  ['operator step-down', 'holdfast write --force sys/step-down'],
  ['operator unseal', 'holdfast write sys/unseal key=-'],
  ['path-help', 'holdfast read PATH help=1'],
  ['policy read', 'holdfast policy show NAME'],
  ['policy write', 'holdfast policy create NAME FILE, or update'],
  ['print token', 'holdfast token show --field id'],
  ['secrets disable', 'holdfast delete sys/mounts/PATH'],
  ['secrets enable', 'holdfast write sys/mounts/PATH type=kv options:=\'{"version": "2"}\''],
  ['secrets list', 'holdfast read sys/mounts'],
  ['secrets move', 'holdfast write sys/remount from=PATH to=PATH'],
  ['secrets tune', 'holdfast write sys/mounts/PATH/tune default_lease_ttl=1h'],
  ['token capabilities', 'holdfast write sys/capabilities-self paths=PATH'],
  ['token lookup', 'holdfast token show'],
  ['token revoke', 'holdfast token delete'],
  ['unwrap', 'holdfast write sys/wrapping/unwrap token=-'],
]

/** Commands about what this server does not have. */
const missing: Readonly<Record<string, string>> = {
  agent: 'There is no agent: clients log in by themselves, as with holdfast login --method=cert.',
  debug:
    'There is no such command; holdfast doctor checks the machine, and the server writes its log to standard error.',
  monitor: 'There is no such command: the server writes its log to standard error.',
  namespace: 'There are no namespaces; mounts, policies and organizations keep teams apart.',
  'operator raft':
    'Nodes share a database: one joins when it starts with the same storage. holdfast node list shows them.',
  plugin: 'There are no plugins: all login methods and engines are part of the server.',
  proxy: 'There is no proxy: clients log in by themselves, as with holdfast login --method=cert.',
  pki: 'There is no engine that issues certificates yet; holdfast cert is about certificates that log in.',
  transit: 'There is no engine that encrypts for you yet.',
}

/** What to say about a command whose subject is not there; undefined for all others. */
export const missingSubject = (args: readonly string[]): string | undefined =>
  findByWords(Object.entries(missing), args)

/** The equivalent of a command that other command lines have; undefined if none of them has it. */
export const equivalentCommand = (args: readonly string[]): string | undefined => findByWords(equivalents, args)

function findByWords(lines: readonly (readonly [typed: string, told: string])[], args: readonly string[]) {
  const words = `${args.filter((argument) => !argument.startsWith('-')).join(' ')} `
  return lines.find(([typed]) => words.startsWith(`${typed} `))?.[1]
}
