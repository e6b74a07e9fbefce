import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'
import { convertCssVariables, DEFAULT_THEME, defaultCssVariablesResolver, mergeMantineTheme } from '@mantine/core'
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
    for (const name of readdirSync(dir).filter((each) => /\.(js|css|svg)$/.test(each)))
      writeFileSync(join(dir, `${name}.br`), brotliCompressSync(readFileSync(join(dir, name)), { params }))
  },
})

export default defineConfig({
  root: import.meta.dirname,
  base: '/app/assets/',
  plugins: [mantineVariables(), compressed()],
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
