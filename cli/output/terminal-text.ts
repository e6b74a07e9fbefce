import type { Io } from '../io.ts'

/** Everything that could move the cursor, colour, retitle or reprogram a terminal; line breaks and tabs may stay. */
const controlCharacters = /(?!\t|\r?\n)\p{Cc}/gu

/** A text with its control characters written out: values come from others, and a terminal would obey them. */
export const withVisibleControls = (text: string): string =>
  text.replace(controlCharacters, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The same surroundings, with control characters written out where a terminal shows them. Files and pipes get all bytes. */
export function withSafeTerminals(io: Io): Io {
  return {
    ...io,
    out: (text) => io.out(io.isOutputTerminal ? withVisibleControls(text) : text),
    err: (text) => io.err(io.isTerminal ? drawn(text) : text),
  }
}

/** Progress returns to the start of its line; where a line starts anyway, that does nothing. */
const drawn = (text: string): string =>
  text.startsWith('\r') ? `\r${withVisibleControls(text.slice(1))}` : withVisibleControls(text)
