import { wrongData } from './refuse.ts'

/** A name as it is stored: without blanks at its ends, and with something to read. */
export function soundName(name: string, field = 'name'): string {
  const sound = name.trim()
  if (sound === '' || /\p{Cc}/u.test(sound))
    throw wrongData({ [field]: ['must have letters, and no control characters'] })
  return sound
}

/** The id of a path, as ids are stored. */
export const idOf = (text: string): string => text.trim().toLowerCase()
