/** A Content-Disposition that makes a browser keep the file under this name (RFC 6266, with the form of RFC 8187). */
export function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === name) return `attachment; filename="${name}"`
  // Half a letter has no UTF-8 form.
  const exact = encodeURIComponent(name.replace(/\p{Cs}/gu, '_')).replace(/['()*]/g, percentEncoded)
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}

const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`

/** A moment as it stands in file names: `20261115-085700`, UTC. */
export const fileStamp = (moment: Date): string =>
  moment.toISOString().slice(0, 19).replace(/[-:]/g, '').replace('T', '-')
