import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const sheet = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8')

/** The colours of a theme: those of the dark one replace those of the light one. */
function coloursOf(theme: 'light' | 'dark'): ReadonlyMap<string, string> {
  const [light = '', dark = ''] = sheet.split(':root[data-mantine-color-scheme')
  const text = theme === 'light' ? light : light + dark
  return new Map([...text.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name = '', value = '']) => [name, value]))
}

/** WCAG 2.2, relative luminance. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

const texts: readonly (readonly [text: string, ...grounds: string[]])[] = [
  ['text', 'bg', 'sunk', 'selected', 'raised', 'warn-soft', 'bad-soft', 'ok-soft'],
  ['text-2', 'bg', 'sunk', 'bad-soft'],
  ['text-3', 'bg', 'sunk', 'hover', 'selected'],
  ['accent', 'bg', 'selected', 'sunk'],
  ['on-accent', 'accent-fill', 'accent-fill-hover'],
  ['ok', 'ok-soft'],
  ['warn', 'warn-soft', 'sunk'],
  ['bad', 'bad-soft', 'bg'],
  ['bg', 'bad', 'text'],
]

const shapes: readonly (readonly [shape: string, ...grounds: string[]])[] = [
  ['warn-fill', 'bg', 'selected'],
  ['line-input', 'bg', 'sunk'],
]

test.each(['light', 'dark'] as const)(
  'colours of the %s theme: text has a contrast of 4.5, shapes one of 3',
  (theme) => {
    const colours = coloursOf(theme)
    const faint = [
      ...texts.map((pair) => ({ pair, least: 4.5 })),
      ...shapes.map((pair) => ({ pair, least: 3 })),
    ].flatMap(({ pair: [name, ...grounds], least }) =>
      grounds
        .map((ground) => ({ ground, ratio: contrast(colours.get(name) ?? '', colours.get(ground) ?? '') }))
        .filter(({ ratio }) => !(ratio >= least))
        .map(({ ground, ratio }) => `${name} on ${ground}: ${ratio.toFixed(2)}`),
    )
    expect(faint).toEqual([])
  },
)
