import type { Client } from '../../connection/client.ts'
import type { Copy } from '../copy.ts'
import { createOnce, listAll, type Resource, textOf } from '../documents.ts'
import { reconcile, type Settings, withoutEmpty } from '../reconcile.ts'
import { variableSettings } from './setting-names.ts'

/** Copies variables. Values of sensitive ones cannot be read, so these are created empty and reported. */
export async function copyVariables(copy: Copy, source: Resource, target: Resource | undefined): Promise<void> {
  const path = target && `/api/v2/workspaces/${target.id}/vars`
  const known = new Map<string, Resource>()
  if (path) for await (const variable of listAll(copy.to, path)) known.set(keyOf(variable), variable)
  for await (const variable of listAll(copy.from, `/api/v2/workspaces/${source.id}/vars`)) {
    const existing = known.get(keyOf(variable))
    const name = `${textOf(variable, 'key')} of ${textOf(source, 'name')}`
    await copy.report.attempt(`Variable ${name}`, () =>
      existing
        ? updateVariable(copy, `${path}/${existing.id}`, name, variable, existing)
        : addVariable(copy, path, name, variable),
    )
  }
}

/** A key may be used once in each category. */
const keyOf = (variable: Resource): string => `${textOf(variable, 'category')} ${textOf(variable, 'key')}`

/** What a variable has besides its key and category. A sensitive one does not show its value. */
function settingsOf({ attributes }: Resource): Settings {
  const plain = Object.fromEntries(variableSettings.map((name) => [name, attributes[name]]))
  return { ...(attributes.sensitive !== true && { value: attributes.value ?? '' }), ...plain }
}

async function updateVariable(
  copy: Copy,
  path: string,
  name: string,
  source: Resource,
  existing: Resource,
): Promise<void> {
  const twins = { kind: 'variable', name, wanted: settingsOf(source), existing: existing.attributes } as const
  await reconcile(copy, twins, (attributes) =>
    copy.to.call({ method: 'PATCH', path, body: { data: { type: 'vars', attributes } } }),
  )
  // A run that was killed may have created it empty, and whether it still is cannot be read.
  if (source.attributes.sensitive === true)
    copy.report.noteForEnd(`Variable ${name} is sensitive and was here already; make sure that its value is set.`)
}

async function addVariable(copy: Copy, path: string | undefined, name: string, source: Resource): Promise<void> {
  const { key, category, sensitive } = source.attributes
  if (path && !copy.dryRun) {
    const attributes = { key, category, value: '', ...withoutEmpty(settingsOf(source)) }
    await createOnce(copy.to, path, { type: 'vars', attributes }, () => findVariable(copy.to, path, keyOf(source)))
  }
  copy.report.copied('variable', name)
  if (sensitive) copy.report.note(`Variable ${name} is sensitive; set its value again.`)
}

async function findVariable(client: Client, path: string, key: string): Promise<Resource | undefined> {
  for await (const each of listAll(client, path)) if (keyOf(each) === key) return each
  return undefined
}
