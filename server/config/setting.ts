import type { Kind } from './kinds.ts'

/** How the server was started: for trying it out, or for real. */
export type Mode = 'dev' | 'server'

/** One setting, declared once. Its names in the file, the environment and as a flag follow from its place in the tree. */
type Setting<T> = {
  kind: Kind<T>
  /** What it does, in a sentence for whoever runs the server. */
  about: string
  /** Written as a user would write it. Without one the setting is undefined until somebody sets it. */
  default?: string | Readonly<Record<Mode, string>>
  /** What happens without a value, where no default can be written down. */
  otherwise?: string
  /** Where it may be set; everywhere if absent. */
  sources?: readonly ('file' | 'environment' | 'flag')[]
  /** The only mode it belongs to. */
  onlyMode?: Mode
}

/** A setting that may stay undefined, marked so that its type says so. */
type Optional<T> = Setting<T> & { optional: true }

/** Settings in named groups. */
export type SettingTree = { readonly [name: string]: Setting<unknown> | SettingTree }

/** The values of a tree of settings. */
export type ValuesOf<Tree> = {
  readonly [Name in keyof Tree]: Tree[Name] extends Optional<infer T>
    ? T | undefined
    : Tree[Name] extends Setting<infer T>
      ? T
      : ValuesOf<Tree[Name]>
}

/** A setting with its names. */
export type NamedSetting = {
  /** Where its value is in the typed configuration: `['tls', 'certFile']`. */
  place: readonly string[]
  /** Its key in the file: `tls.cert_file`. */
  key: string
  /** Its environment variable, if it may be set there: `HOLDFAST_TLS_CERT_FILE`. */
  variable?: string
  /** Its flag, if it has one: `--tls-cert-file`. */
  flag?: string
  setting: Setting<unknown>
}

/** What is left to say of a setting: what it does, in a sentence for whoever runs the server. */
type Unexplained<S> = { readonly about: (about: string) => S }

/** Declares a setting that always has a value, written as a user would write it. */
export const setting = <T>(
  kind: Kind<T>,
  written: string | Readonly<Record<Mode, string>>,
): Unexplained<Setting<T>> => ({
  about: (about) => ({ kind, default: written, about }),
})

/** Declares a setting that has no value until somebody sets it; `otherwise` says what happens until then. */
export const optional = <T>(
  kind: Kind<T>,
  otherwise: string,
  limits: Pick<Setting<T>, 'sources' | 'onlyMode'> = {},
): Unexplained<Optional<T>> => ({ about: (about) => ({ kind, optional: true, otherwise, about, ...limits }) })

const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const isSetting = (node: Setting<unknown> | SettingTree): node is Setting<unknown> => typeof node.about === 'string'

/** Every setting of a tree with its names, in the order of their declaration. */
export function namedSettings(tree: SettingTree, above: readonly string[] = []): NamedSetting[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const place = [...above, name]
    return isSetting(node) ? [withNames(place, node)] : namedSettings(node, place)
  })
}

function withNames(place: readonly string[], node: Setting<unknown>): NamedSetting {
  const key = place.map(snake).join('.')
  const words = key.replaceAll('.', '_')
  const sources = node.sources ?? ['file', 'environment', 'flag']
  return {
    place,
    key,
    ...(sources.includes('environment') && { variable: `HOLDFAST_${words.toUpperCase()}` }),
    ...(sources.includes('flag') && { flag: `--${words.replaceAll('_', '-')}` }),
    setting: node,
  }
}

/** The default of a setting as a user would write it. */
export function defaultText({ default: written }: Setting<unknown>, mode: Mode): string | undefined {
  return typeof written === 'object' ? written[mode] : written
}
