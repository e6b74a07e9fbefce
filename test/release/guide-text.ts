/** A block of code of a page. */
export type Block = { readonly language: string; readonly text: string }

/** The blocks of a page, in order. */
export const blocksIn = (page: string): Block[] =>
  [...page.matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map(([, language = '', text = '']) => ({ language, text }))

/** Blocks that a reader pastes into a shell. */
export const isForShell = ({ language }: Block): boolean => language === 'sh' || language === 'console'

/** Some commands, and what a page shows that they print; empty if it shows nothing. */
type Step = { readonly commands: string; readonly shown: string }

/** A block of `sh` is one step. In a `console`, each line after `$` begins a step, and its output follows. */
export function stepsOf({ language, text }: Block): Step[] {
  if (language !== 'console') return [{ commands: text, shown: '' }]
  return text
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const [commands = ''] = /^(?:.*\\\n)*.*/.exec(step) ?? []
      return { commands, shown: step.slice(commands.length).trim() }
    })
}

/** True if an output is what a page shows: `…` stands for any text of a line. */
export function isAsShown(output: string, shown: string): boolean {
  const pattern = shown
    .split(/ *… */)
    .map((part) => RegExp.escape(part))
    .join('.*')
  return new RegExp(`^${pattern}$`).test(output.trim())
}

/** A text in which some words stand for others. */
export const translated = (text: string, words: Readonly<Record<string, string>>): string =>
  Object.entries(words).reduce((said, [word, meaning]) => said.replaceAll(word, () => meaning), text)
