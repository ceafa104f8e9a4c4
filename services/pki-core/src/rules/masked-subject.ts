import { maskedIdentifier } from './masked-identifier.ts'

/** Characters below which hiding the rest would hide nothing. */
const SHORT = 6

/**
 * What an application calls a person, as others may see it: a CPF like everywhere, of any other text the beginning. Enough
 * to tell two rows apart; whoever looks for a person has the whole of it.
 */
export function maskedSubject(identifier: string | null): string | null {
  if (identifier === null) return null
  const digits = identifier.replaceAll(/[.-]/g, '')
  if (/^\d{11}$/.test(digits)) return maskedIdentifier(digits)
  const letters = [...identifier]
  return letters.length > SHORT ? `${letters.slice(0, 2).join('')}***` : '***'
}
