/** A Content-Disposition that makes a browser save the file under this name (RFC 6266, with the form of RFC 8187). */
export const attachment = (name: string): string => disposition('attachment', name)

/** One that makes a browser show the file, and save it under this name. */
export const inline = (name: string): string => disposition('inline', name)

function disposition(type: 'attachment' | 'inline', name: string): string {
  const plain = name.replace(/[^\x20-\x7e]|["\\%]/g, '_')
  if (plain === name) return `${type}; filename="${name}"`
  // A lone surrogate has no UTF-8 form.
  const exact = encodeURIComponent(name.replace(/\p{Cs}/gu, '_')).replace(/['()*]/g, percentEncoded)
  return `${type}; filename="${plain}"; filename*=UTF-8''${exact}`
}

const percentEncoded = (character: string): string => `%${character.charCodeAt(0).toString(16).toUpperCase()}`
