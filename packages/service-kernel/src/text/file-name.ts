import { withoutUnseen } from '@chancela/signature-engine/text'

/** Longest name of a file, in characters. */
const LONGEST = 260

/** A displayable file name: no path, no unprintable characters, not too long; `unnamed` where nothing is left. */
export function fileNameOf(given: string, unnamed: string): string {
  const last = given.split(/[/\\]/).at(-1)!
  // A lone surrogate cannot be encoded in UTF-8.
  const name = withoutUnseen(last)
    .replace(/\p{Cs}/gu, '')
    .trim()
  return name === '' || name === '.' || name === '..' ? unnamed : shortened(name)
}

/** Cuts before the extension, which tells the file type. */
function shortened(name: string): string {
  if (name.length <= LONGEST) return name
  const ending = /\.[^.]{1,10}$/.exec(name)?.[0] ?? ''
  return name.slice(0, LONGEST - ending.length).replace(/\p{Cs}$/u, '') + ending
}
