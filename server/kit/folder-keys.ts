/** What follows everything in a folder, which ends in a slash: `0` comes after that. */
export const endOfFolder = (folder: string): string => `${folder.slice(0, -1)}0`
