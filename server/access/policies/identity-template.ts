/** What is known of an entity's name at one auth mount. */
type AliasFacts = {
  readonly mountAccessor: string
  readonly id: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
  readonly customMetadata: Readonly<Record<string, string>>
}

/** What is known of the caller where templates are filled; all of it may be missing. */
export type IdentityFacts = {
  readonly entity?: {
    readonly id: string
    readonly name: string
    readonly metadata: Readonly<Record<string, string>>
    readonly aliases: readonly AliasFacts[]
  }
  /** The groups the entity belongs to. */
  readonly groups?: readonly GroupFacts[]
}

/** What is known of a group. */
type GroupFacts = {
  readonly id: string
  readonly name: string
  readonly metadata: Readonly<Record<string, string>>
}

type FactLookup = (facts: IdentityFacts) => string | undefined

/** A path with references to the caller, taken apart: plain text and look-ups in turn. */
export type IdentityTemplate = readonly (string | FactLookup)[]

/** A reference to something that no caller has, so that the rule never holds. */
const nothing: FactLookup = () => undefined

/**
 * Takes a path apart at its `{{…}}`; a text instead of a template says what is wrong with it. References to what is not
 * known here are well-formed: `noteUnknown` is told of them.
 */
export function parseIdentityTemplate(
  path: string,
  noteUnknown: (reference: string) => void = () => undefined,
): IdentityTemplate | string {
  const parts: (string | FactLookup)[] = []
  let rest = path
  for (let open = rest.indexOf('{{'); open !== -1; open = rest.indexOf('{{')) {
    const close = rest.indexOf('}}', open)
    if (close === -1) return "'{{' is not closed"
    const reference = rest.slice(open + 2, close).trim()
    const look = parseReference(reference)
    if (reference === '') return "'{{}}' names nothing"
    if (!look) noteUnknown(reference)
    parts.push(rest.slice(0, open), look ?? nothing)
    rest = rest.slice(close + 2)
  }
  parts.push(rest)
  return parts.some((part) => typeof part === 'string' && part.includes('}}')) ? "'}}' without '{{'" : parts
}

/**
 * Fills a template. Undefined, and the rule with it, if a fact is missing or empty, or if a value would bring a wildcard or
 * a further segment into the path: callers choose such values, by their certificates for example.
 */
export function fillIdentityTemplate(template: IdentityTemplate, facts: IdentityFacts): string | undefined {
  let path = ''
  for (const part of template) {
    const value = typeof part === 'string' ? part : part(facts)
    if (value === undefined) return undefined
    if (typeof part !== 'string' && (value === '' || /[*+/]/.test(value))) return undefined
    path += value
  }
  return path
}

const entityReference = /^identity\.entity\.(?:(id|name)|metadata\.(.+))$/
const aliasReference = /^identity\.entity\.aliases\.([^.]+)\.(?:(id|name)|(metadata|custom_metadata)\.(.+))$/
const groupReference = /^identity\.groups\.(ids|names)\.([^.]+)\.(?:(id|name)|metadata\.(.+))$/

function parseReference(text: string): FactLookup | undefined {
  return parseEntityReference(text) ?? parseAliasReference(text) ?? parseGroupReference(text)
}

function parseEntityReference(text: string): FactLookup | undefined {
  const found = entityReference.exec(text)
  if (!found) return undefined
  const [, field, key] = found
  return ({ entity }) => entity && readFact(entity, field, entity.metadata, key)
}

function parseAliasReference(text: string): FactLookup | undefined {
  const found = aliasReference.exec(text)
  if (!found) return undefined
  const [, accessor, field, map, key] = found
  return ({ entity }) => {
    const alias = entity?.aliases.find((each) => each.mountAccessor === accessor)
    return alias && readFact(alias, field, map === 'metadata' ? alias.metadata : alias.customMetadata, key)
  }
}

function parseGroupReference(text: string): FactLookup | undefined {
  const found = groupReference.exec(text)
  if (!found) return undefined
  const [, by, wanted, field, key] = found
  return ({ groups }) => {
    const group = groups?.find((each) => (by === 'ids' ? each.id : each.name) === wanted)
    return group && readFact(group, field, group.metadata, key)
  }
}

function readFact(
  named: { readonly id: string; readonly name: string },
  field: string | undefined,
  metadata: Readonly<Record<string, string>>,
  key: string | undefined,
): string | undefined {
  if (key === undefined) return field === 'id' ? named.id : named.name
  return Object.hasOwn(metadata, key) ? metadata[key] : undefined
}
