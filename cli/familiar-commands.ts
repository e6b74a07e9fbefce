/** Commands that users know from related command lines, and what to write here instead. */
const equivalents: readonly (readonly [typed: string, instead: string])[] = [
  ['audit disable', 'holdfast delete sys/audit/NAME'],
  ['audit enable', 'holdfast write sys/audit/NAME type=file options=file_path=FILE'],
  ['audit list', 'holdfast read sys/audit'],
  ['auth disable', 'holdfast delete sys/auth/PATH'],
  ['auth enable', 'holdfast write sys/auth/PATH type=cert'],
  ['auth list', 'holdfast read sys/auth'],
  ['auth tune', 'holdfast write sys/auth/PATH/tune default_lease_ttl=1h'],
  ['lease lookup', 'holdfast write sys/leases/lookup lease_id=ID'],
  ['lease renew', 'holdfast write sys/leases/renew lease_id=ID'],
  ['lease revoke', 'holdfast write sys/leases/revoke lease_id=ID'],
  ['operator diagnose', 'holdfast doctor'],
  ['operator init', 'holdfast write sys/init secret_shares=5 secret_threshold=3'],
  ['operator key-status', 'holdfast read sys/key-status'],
  ['operator members', 'holdfast read sys/ha-status'],
  ['operator raft list-peers', 'holdfast read sys/storage/raft/configuration'],
  ['operator raft snapshot', 'holdfast snapshot save, restore or inspect'],
  ['operator rotate', 'holdfast write --force sys/rotate'],
  ['operator seal', 'holdfast write --force sys/seal'],
  ['operator step-down', 'holdfast write --force sys/step-down'],
  ['operator unseal', 'holdfast write sys/unseal key=-'],
  ['path-help', 'holdfast read PATH help=1'],
  ['policy delete', 'holdfast delete sys/policies/acl/NAME'],
  ['policy list', 'holdfast list sys/policies/acl'],
  ['policy read', 'holdfast read sys/policies/acl/NAME'],
  ['policy write', 'holdfast write sys/policies/acl/NAME policy=@FILE'],
  ['secrets list', 'holdfast read sys/mounts'],
  ['token capabilities', 'holdfast write sys/capabilities-self paths=PATH'],
  ['token create', 'holdfast write auth/token/create policies=NAME ttl=1h'],
  ['token lookup', 'holdfast read auth/token/lookup-self'],
  ['token renew', 'holdfast write --force auth/token/renew-self'],
  ['token revoke', 'holdfast write auth/token/revoke token=-'],
  ['unwrap', 'holdfast write sys/wrapping/unwrap token=-'],
]

/** The equivalent of a command that other command lines have; undefined if none of them has it. */
export function equivalentCommand(args: readonly string[]): string | undefined {
  const words = `${args.filter((argument) => !argument.startsWith('-')).join(' ')} `
  return equivalents.find(([typed]) => words.startsWith(`${typed} `))?.[1]
}
