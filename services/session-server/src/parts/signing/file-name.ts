/** Of a part of a form that does not say how its file is called. */
const UNNAMED = 'document.pdf'

/** Longest name the signature service takes. */
const LONGEST = 260

/** A file name as people see it: no path, nothing unprintable, not too long. */
export function fileNameOf(given: string): string {
  const last = given.split(/[/\\]/).at(-1)!
  // Half a character has no place in UTF-8.
  const name = last.replace(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu, '').trim()
  return name === '' || name === '.' || name === '..' ? UNNAMED : shortened(name)
}

/** Cut before the ending, which says what the file is. */
function shortened(name: string): string {
  if (name.length <= LONGEST) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return name.slice(0, LONGEST - ending.length).replace(/\p{Cs}$/u, '') + ending
}
