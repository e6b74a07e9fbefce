/** A value of a JSON document. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json | undefined }

type Fields = { [name: string]: Json | undefined }

/** What a plan says of one resource or output: its value before and after, and which parts of both are secret. */
type Sides = { before?: Json; after?: Json; beforeMark?: Json; afterMark?: Json }

type Context = {
  /** Replaces secrets in a text. */
  readonly filter: (text: string) => string
  /** Names that come from providers, which clients look up in the schemas. */
  readonly names: ReadonlySet<string>
  /** New names of the keys of maps that are secret as a whole, the same on both sides. */
  readonly keys: Map<string, string>
}

/**
 * What may be shown of a plan to everybody who may read the run: its changes, with all secret values replaced by others of
 * the same kind, since clients convert them by the schemas of the providers. What replaces texts is called for every
 * other text, too, and for the keys of maps.
 */
export function redactPlan(plan: Json, schemas: Json, filter: (text: string) => string): Json {
  const names = attributeNames(schemas)
  const { format_version, output_changes, resource_changes, resource_drift, relevant_attributes } = fieldsOf(plan)
  const open = (): Context => ({ filter, names, keys: new Map() })
  const resources = (list: Json | undefined): Json => listOf(list).map((change) => redactResource(change, open()))
  return {
    plan_format_version: format_version,
    provider_format_version: fieldsOf(schemas).format_version,
    output_changes: Object.fromEntries(
      Object.entries(fieldsOf(output_changes)).map(([name, change]) => [
        filter(name),
        redactChange(fieldsOf(change), open()),
      ]),
    ),
    resource_changes: resources(resource_changes),
    resource_drift: resources(resource_drift),
    relevant_attributes: listOf(relevant_attributes).map((each) => relevantAttribute(each, open())),
    provider_schemas: fieldsOf(schemas).provider_schemas ?? {},
  }
}

/** What names a resource; the types and names of providers stay as they are. */
const providersWords: ReadonlySet<string> = new Set(['type', 'provider_name', 'mode', 'action_reason', 'actions'])

function redactResource(resource: Json, context: Context): Json {
  const { change, ...rest } = fieldsOf(resource)
  const fields = Object.entries(rest).map(([name, value]) => [
    name,
    providersWords.has(name) ? value : withoutSecrets(value ?? null, context),
  ])
  return { ...Object.fromEntries(fields), change: redactChange(fieldsOf(change), context) }
}

function redactChange(change: Fields, context: Context): Json {
  const { before, after, before_sensitive: beforeMark, after_sensitive: afterMark, actions, ...others } = change
  // First both sides, in the order of `before`: they decide how the keys of secret maps are called.
  const sides = redactSides({ before, after, beforeMark, afterMark }, context)
  const { after_unknown, replace_paths, ...rest } = others
  const known = Object.entries(rest).map(([name, value]) => [name, withoutSecrets(value ?? null, context)])
  return {
    actions,
    ...(before !== undefined && { before: sides.before }),
    ...(after !== undefined && { after: sides.after }),
    ...(after_unknown !== undefined && { after_unknown: renamed(after_unknown, context) }),
    ...(beforeMark !== undefined && { before_sensitive: renamed(beforeMark, context) }),
    ...(afterMark !== undefined && { after_sensitive: renamed(afterMark, context) }),
    ...(replace_paths !== undefined && { replace_paths: renamedPaths(replace_paths, context) }),
    ...Object.fromEntries(known),
  }
}

type Redacted = { before: Json | undefined; after: Json | undefined }

/** A part that is secret on one side is secret on the other, too: it may be the same. */
function redactSides({ before, after, beforeMark, afterMark }: Sides, context: Context): Redacted {
  if (beforeMark === true || afterMark === true) {
    const hiddenBefore = hidden(before, before, context)
    return { before: hiddenBefore, after: hidden(after, before, context) }
  }
  const parts = (key: string | number): Redacted =>
    redactSides(
      {
        before: partOf(before, key),
        after: partOf(after, key),
        beforeMark: partOf(beforeMark, key),
        afterMark: partOf(afterMark, key),
      },
      context,
    )
  const side = (which: 'before' | 'after', value: Json | undefined): Json | undefined => {
    if (Array.isArray(value)) return value.map((_item, index) => parts(index)[which] ?? null)
    if (!isFields(value)) return typeof value === 'string' ? context.filter(value) : value
    return Object.fromEntries(Object.keys(value).map((key) => [shownKey(key, context), parts(key)[which]]))
  }
  return { before: side('before', before), after: side('after', after) }
}

/** A value of the same kind that tells nothing but whether it differs from what it was. */
function hidden(value: Json | undefined, before: Json | undefined, context: Context): Json | undefined {
  if (value === undefined || value === null) return value
  if (Array.isArray(value)) return value.map((item, index) => hidden(item, partOf(before, index), context) ?? null)
  if (isFields(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [hiddenKey(key, context), hidden(item, partOf(before, key), context)]),
    )
  }
  const isChanged = value !== before
  if (typeof value === 'string') return isChanged ? '(sensitive, changed)' : '(sensitive)'
  return typeof value === 'number' ? Number(isChanged) : isChanged
}

function hiddenKey(key: string, { names, keys }: Context): string {
  if (names.has(key)) return key
  const name = keys.get(key) ?? `k${keys.size + 1}`
  keys.set(key, name)
  return name
}

/** The name of a key: that of a provider, that of a secret map, or itself without secrets. */
const shownKey = (key: string, { names, keys, filter }: Context): string =>
  names.has(key) ? key : (keys.get(key) ?? filter(key))

/** Marks, with the same keys as the values that they are about. */
function renamed(marks: Json, context: Context): Json {
  if (Array.isArray(marks)) return marks.map((item) => renamed(item, context))
  if (!isFields(marks)) return typeof marks === 'string' ? context.filter(marks) : marks
  return Object.fromEntries(
    Object.entries(marks).map(([key, item]) => [shownKey(key, context), renamed(item ?? null, context)]),
  )
}

const renamedPaths = (paths: Json, context: Context): Json => listOf(paths).map((path) => renamedPath(path, context))

const renamedPath = (path: Json | undefined, context: Context): Json =>
  listOf(path).map((segment) => (typeof segment === 'string' ? shownKey(segment, context) : segment))

/** A value of which no part is marked. */
function withoutSecrets(value: Json, context: Context): Json {
  if (typeof value === 'string') return context.filter(value)
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, context))
  if (!isFields(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [shownKey(key, context), withoutSecrets(item ?? null, context)]),
  )
}

function relevantAttribute(relevant: Json, context: Context): Json {
  const { resource, attribute } = fieldsOf(relevant)
  return { resource: withoutSecrets(resource ?? null, context), attribute: renamedPath(attribute, context) }
}

/** All names of attributes and blocks in schemas, and those within the types of attributes. */
function attributeNames(schemas: Json): ReadonlySet<string> {
  const names = new Set<string>()
  const addType = (type: Json | undefined): void => {
    if (!Array.isArray(type)) return
    const [kind, inner] = type
    if (kind !== 'object' && Array.isArray(inner)) addTypes(inner)
    if (kind !== 'object') return
    for (const [name, each] of Object.entries(fieldsOf(inner))) {
      names.add(name)
      addType(each)
    }
  }
  // `["tuple", [type, …]]` lists types; in all other kinds, the second part is one type.
  const addTypes = (inner: Json[]): void => (typeof inner[0] === 'string' ? addType(inner) : inner.forEach(addType))
  const addBlock = (block: Json | undefined): void => {
    const { attributes, block_types } = fieldsOf(block)
    for (const [name, attribute] of Object.entries(fieldsOf(attributes))) {
      names.add(name)
      const { type, nested_type } = fieldsOf(attribute)
      addType(type)
      addBlock(nested_type)
    }
    for (const [name, type] of Object.entries(fieldsOf(block_types))) {
      names.add(name)
      addBlock(fieldsOf(type).block)
    }
  }
  for (const provider of Object.values(fieldsOf(fieldsOf(schemas).provider_schemas))) {
    for (const group of Object.values(fieldsOf(provider))) {
      if (isFields(group) && 'block' in group) addBlock(group.block)
      else for (const schema of Object.values(fieldsOf(group))) addBlock(fieldsOf(schema).block)
    }
  }
  return names
}

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const fieldsOf = (value: Json | undefined): Fields => (isFields(value) ? value : {})

const listOf = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : [])

function partOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return isFields(value) && Object.hasOwn(value, key) ? value[key] : undefined
}
