/** For a form part without a file name. */
const UNNAMED = 'document.pdf'

/** Longest name the signature service accepts. */
const LONGEST = 260

/** A displayable file name: no path, no unprintable characters, not too long. */
export function fileNameOf(given: string): string {
  const last = given.split(/[/\\]/).at(-1)!
  // A lone surrogate cannot be encoded in UTF-8.
  const name = last.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '').trim()
  return name === '' || name === '.' || name === '..' ? UNNAMED : shortened(name)
}

/** Cuts before the extension, which tells the file type. */
function shortened(name: string): string {
  if (name.length <= LONGEST) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return name.slice(0, LONGEST - ending.length).replace(/\p{Cs}$/u, '') + ending
}
