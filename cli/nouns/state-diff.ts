/** An instance of a resource, or an output, that differs between two states. */
export type Difference = {
  readonly change: 'added' | 'removed' | 'changed'
  readonly address: string
  readonly attributes: string
}

type Json = Readonly<Record<string, unknown>>
type StateResource = Json & { readonly instances?: readonly Json[] }

/**
 * What differs between two states of format 4, by address. Attributes are named and their values left out, since states
 * have secrets in them.
 */
export function differences(before: Json, after: Json): Difference[] {
  const [old, now] = [partsOf(before), partsOf(after)]
  const addresses = [...new Set([...old.keys(), ...now.keys()])].sort()
  return addresses.flatMap((address): Difference[] => {
    const [was, is] = [old.get(address), now.get(address)]
    if (was === undefined) return [{ change: 'added', address, attributes: '' }]
    if (is === undefined) return [{ change: 'removed', address, attributes: '' }]
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter((name) => !isSame(was[name], is[name]))
    return names.length === 0 ? [] : [{ change: 'changed', address, attributes: names.join(', ') }]
  })
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** The attributes of each instance, and each output, by address. */
function partsOf(state: Json): Map<string, Json> {
  const resources = (state.resources ?? []) as readonly StateResource[]
  const outputs = Object.entries((state.outputs ?? {}) as Readonly<Record<string, Json>>)
  return new Map([
    ...resources.flatMap((resource) =>
      (resource.instances ?? []).map((instance): [string, Json] => [
        addressOf(resource, instance),
        Object(instance.attributes),
      ]),
    ),
    ...outputs.map(([name, output]): [string, Json] => [`output.${name}`, output]),
  ])
}

function addressOf({ module, mode, type, name }: StateResource, { index_key: key, deposed }: Json): string {
  const parts = [module, mode === 'data' ? 'data' : undefined, type, name].filter((part) => part !== undefined)
  const index = key === undefined ? '' : `[${JSON.stringify(key)}]`
  return `${parts.join('.')}${index}${deposed === undefined ? '' : ` (deposed ${String(deposed)})`}`
}
