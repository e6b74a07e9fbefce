/** A recipe of CONTRIBUTING.md, with what it names, as it names it. */
export type Recipe = {
  /** What it is for: `secrets engine`. */
  readonly what: string
  /** The files that are written or changed. */
  readonly files: readonly string[]
  /** The folder that is made. */
  readonly folder: string | undefined
}

/** The recipes of CONTRIBUTING.md. */
export const recipesIn = (text: string): Recipe[] =>
  [...text.matchAll(/^## A new ([^,\n]+), in \w+ steps\n(.*?)(?=^## )/gms)].map(([, what = '', steps = '']) => {
    const unlinked = steps.replace(/\[[^\]]*\]\([^)]*\)/g, '')
    const names = [...unlinked.matchAll(/`([\w<>./-]+)`/g)].map(([, name = '']) => name)
    const files = new Set(names.filter((name) => /[\w>]\.(?:ts|mjs|json|md|sql)$/.test(name)))
    return { what, files: [...files], folder: names.find((name) => name.includes('/<') && name.endsWith('/')) }
  })

/** One change of a file. */
export type Edit = {
  /** As the recipe names it. */
  readonly file: string
  /** A new file, or where in an old one: beside a line that begins like this, or at the end. */
  readonly place: 'new' | 'end' | { readonly side: 'before' | 'after'; readonly line: string }
  readonly text: string
}

/** What somebody writes who follows a recipe. */
export type Example = {
  /** What stands for a word of the recipe: `reminder` for `<noun>`. */
  readonly words: Readonly<Record<string, string>>
  /** Where files are that the recipe names without a folder. */
  readonly folder: string
  readonly edits: readonly Edit[]
}

/** Reads an example: lines about words and folder, then each edit below a line `=== file`, with the place in the file. */
export function exampleIn(text: string): Example {
  const [head = '', ...edits] = text.split(/^=== /m)
  const { folder = '', ...words }: Record<string, string> = Object.fromEntries(
    head
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(': ') as [string, string]),
  )
  return { words, folder, edits: edits.map(editIn) }
}

function editIn(text: string): Edit {
  const [heading = ''] = text.split('\n', 1)
  const [, file = '', side, line = ''] = /^([^,]+)(?:, (before|after|at the end)(?:: (.+))?)?$/.exec(heading) ?? []
  const place = side === undefined ? 'new' : side === 'at the end' ? 'end' : { side: side as 'before', line }
  return { file, place, text: `${text.slice(heading.length + 1).trimEnd()}\n` }
}

/** The path of a file that a recipe names. */
export function pathOf(file: string, { folder, words }: Pick<Example, 'folder' | 'words'>): string {
  const within = file.includes('/') ? file : `${folder}${file}`
  return Object.entries(words).reduce((path, [word, meaning]) => path.replaceAll(word, meaning), within)
}

/** The text of a file after an edit; undefined stands for a file that does not exist. */
export function edited(before: string | undefined, { file, place, text }: Edit): string {
  if (place === 'new') return text
  if (before === undefined) throw new Error(`${file} does not exist.`)
  if (place === 'end') return before + text
  const lines = before.split('\n')
  const at = lines.findIndex((line) => line.startsWith(place.line))
  if (at < 0) throw new Error(`${file} has no line that begins with '${place.line}'.`)
  return lines.toSpliced(place.side === 'before' ? at : at + 1, 0, text.trimEnd()).join('\n')
}
