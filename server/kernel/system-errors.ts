/** The code of a system error, such as `ENOENT`; empty for anything else that was thrown. */
export const systemCode = (thrown: unknown): string =>
  thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : ''

/** For `.catch(ifAbsent)`: undefined for a file that does not exist; any other error is thrown again. */
export const ifAbsent = (thrown: unknown): undefined => {
  if (systemCode(thrown) !== 'ENOENT') throw thrown
}
