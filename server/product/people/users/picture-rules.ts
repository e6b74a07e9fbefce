const pictures = new Map<string, string>()

/**
 * A picture of a person: the first letter of the name on a background colour derived from it, as a `data:` URL. Clients
 * expect an address, and one on another host would tell that host whose picture is viewed.
 */
export function pictureOf(name: string): string {
  const letter = /^[a-z0-9]/i.exec(name)?.[0].toUpperCase() ?? '?'
  const known = pictures.get(letter)
  if (known !== undefined) return known
  const ground = `hsl(${(letter.charCodeAt(0) * 47) % 360},45%,40%)`
  const text = `<text x="16" y="22" fill="#fff" font-family="sans-serif" font-size="18" text-anchor="middle">${letter}</text>`
  const size = 'width="32" height="32"'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" ${size}><rect ${size} fill="${ground}"/>${text}</svg>`
  const picture = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  pictures.set(letter, picture)
  return picture
}
