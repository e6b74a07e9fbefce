import type { PolicyRule } from '../../../../access/policies/index.ts'
import type { Deps } from '../../../../kit/deps.ts'
import type { Mount } from '../../../../kit/mount.ts'
import { mountTable } from '../../mounts/index.ts'
import { countPolicies } from '../../policies/index.ts'
import { engineFolders } from './kv.ts'

/** What callers should know of the options that they have given a mount. */
export async function notesOnMount(
  deps: Deps,
  { before, after }: { readonly before?: Mount; readonly after: Mount },
): Promise<readonly string[]> {
  const isUpgrade = before !== undefined && before.options?.version !== '2' && after.options?.version === '2'
  const passthrough = 'leased_passthrough'
  const isNew = after.options?.[passthrough] !== undefined && before?.options?.[passthrough] === undefined
  return [
    ...(isNew ? [`The option '${passthrough}' was stored, and has no effect: secrets have no leases.`] : []),
    ...(isUpgrade ? await noteOnUpgrade(deps, after) : []),
  ]
}

/** Rules about all of a mount go on as before; those about single keys lack the folders of version 2. */
async function noteOnUpgrade(deps: Deps, { path: at }: Mount): Promise<readonly string[]> {
  const { count, first } = await countPolicies(deps, ({ path }) => namesKey(at, path))
  if (count === 0) return []
  const who = count === 1 ? `The policy '${first}' names` : `${count} policies, such as '${first}', name`
  return [
    `${who} secrets of '${at}' by their paths in version 1, which are below '${at}data/' and '${at}metadata/' from now on: change them.`,
  ]
}

function namesKey(mount: string, pattern: string): boolean {
  const [folder = ''] = pattern.slice(mount.length).split(/[/*]/, 1)
  return pattern.startsWith(mount) && folder !== '' && folder !== '+' && !engineFolders.has(folder)
}

const bodyFields = new Set(['data', 'options', 'version', '*'])

/** Rules about the fields of a write see those of its body, so that names inside a secret say nothing there. */
export async function adviseOnRules(deps: Deps, rules: readonly PolicyRule[]): Promise<readonly string[]> {
  const suspects = rules.flatMap(({ path, allowedParameters, deniedParameters, requiredParameters }) => {
    const names = [...allowedParameters.keys(), ...deniedParameters.keys(), ...requiredParameters]
    const inner = names.find((name) => !bodyFields.has(name))
    return inner === undefined ? [] : [{ path, inner }]
  })
  if (suspects.length === 0) return []
  const mounts = (await mountTable(deps)).all.filter(({ type, options }) => type === 'kv' && options?.version === '2')
  return suspects
    .filter(({ path }) => mounts.some((mount) => path.startsWith(`${mount.path}data/`)))
    .map(
      ({ path, inner }) =>
        `path '${path}': '${inner}' is no field of a write to a secret, which are 'data' and 'options'; the names inside 'data' cannot be restricted`,
    )
}
