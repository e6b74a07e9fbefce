declare module 'virtual:mantine-variables.css'
declare module '*.css'

declare module 'subset-font' {
  type Cut = {
    readonly targetFormat: 'woff2'
    readonly variationAxes: Readonly<Record<string, { readonly min: number; readonly max: number }>>
  }
  // biome-ignore lint/style/noDefaultExport: that is how the package exports it.
  export default function subsetFont(font: Buffer, text: string, cut: Cut): Promise<Buffer>
}
