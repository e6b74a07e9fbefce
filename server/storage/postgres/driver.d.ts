/** A part of the driver that its types leave out. */
declare module 'pg/lib/utils.js' {
  const utils: {
    /** A value as the driver puts it on the wire. */
    prepareValue(value: unknown): unknown
  }
  // biome-ignore lint/style/noDefaultExport: an older kind of module has no other export.
  export default utils
}
