import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
import subsetFont from 'subset-font'
import { defineConfig, type Plugin } from 'vite'
import { theme } from './src/kit/theme.ts'

/** Mantine would write these into the page; a strict policy allows only a file. */
const variablesModule = 'virtual:mantine-variables.css'

const mantineVariables = (): Plugin => ({
  name: 'mantine-variables',
  resolveId: (id) => (id === variablesModule ? `\0${variablesModule}` : undefined),
  load: (id) => {
    if (id !== `\0${variablesModule}`) return undefined
    const merged = mergeMantineTheme(DEFAULT_THEME, theme)
    return `@layer mantine-variables{${convertCssVariables(defaultCssVariablesResolver(merged), ':root')}}`
  },
})

/** Writes each file a second time, compressed as small as it gets: the server only sends them. */
const compressed = (): Plugin => ({
  name: 'compressed',
  writeBundle({ dir = '' }) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
    for (const name of readdirSync(dir).filter((each) => /\.(html|js|css|svg)$/.test(each)))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(readFileSync(join(dir, name)), { params }))
  },
})

/** What is read most, as the ranges of the font files say: basic Latin, Latin-1, and punctuation. */
const latin = String.fromCodePoint(
  ...[...Array(0x100).keys()].filter((code) => code >= 0x20),
  ...[0x131, 0x152, 0x153, 0x2bb, 0x2bc, 0x2c6, 0x2da, 0x2dc, 0x2000, 0x2009, 0x2013, 0x2014, 0x2018, 0x2019, 0x201c],
  ...[0x201d, 0x2022, 0x2026, 0x2039, 0x203a, 0x2044, 0x20ac, 0x2122, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2215],
)

/** Cuts the Latin fonts to the weights in use: that halves what the first page loads. */
const cutFonts = (): Plugin => ({
  name: 'cut-fonts',
  async writeBundle({ dir = '' }) {
    for (const name of readdirSync(dir).filter((each) => /-latin-wght-normal.*\.woff2$/.test(each))) {
      const options = { targetFormat: 'woff2', variationAxes: { wght: { min: 400, max: 700 } } } as const
      writeFileSync(join(dir, name), await subsetFont(readFileSync(join(dir, name)), latin, options))
    }
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/assets/',
  plugins: [mantineVariables(), compressed(), cutFonts()],
  build: {
    assetsDir: '.',
    manifest: true,
    // Nothing may be written into a style sheet or a page that the policy would have to allow.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    target: 'es2024',
    // `use client` means nothing here.
    rolldownOptions: {
      // Fonts keep their names, so that the pages that the server draws can name them.
      output: {
        assetFileNames: ({ names: [name = ''] }) =>
          name.endsWith('.woff2') ? '[name][extname]' : '[name]-[hash][extname]',
      },
      onwarn: (warning, tell) => warning.code !== 'MODULE_LEVEL_DIRECTIVE' && tell(warning),
    },
  },
})
