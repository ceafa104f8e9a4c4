import { malformed, refuseJades } from './errors.ts'

/**
 * JSON in which every object has each name once. Of two values under one name parsers take the first, the last or both,
 * so that a signature over such a text is over several meanings (RFC 7515 §4 and §10.12).
 */
export function strictJson(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw malformed('its JSON cannot be read', error)
  }
  requireDistinctNames(text)
  return value
}

const MAX_DEPTH = 64

/** Looks at text that is known to be JSON. */
function requireDistinctNames(text: string): void {
  // The names of each object that is open; null for an array.
  const open: (Set<string> | null)[] = []
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{' || character === '[') open.push(character === '{' ? new Set() : null)
    else if (character === '}' || character === ']') open.pop()
    else if (character === '"') {
      const end = endOfString(text, at)
      const names = open.at(-1)
      if (names && isName(text, end)) take(names, JSON.parse(text.slice(at, end)) as string)
      at = end - 1
    }
    if (open.length > MAX_DEPTH) throw malformed('its JSON is nested too deeply')
  }
}

function take(names: Set<string>, name: string): void {
  if (names.has(name)) throw refuseJades('jades.duplicate-name', { name })
  names.add(name)
}

/** Behind the quotation mark that ends the string that begins here. */
function endOfString(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at
    while (text[before - 1] === '\\') before--
    if ((at - before) % 2 === 0) return at + 1
  }
}

/** In an object a string is a name where a colon follows. */
function isName(text: string, end: number): boolean {
  let at = end
  while (' \t\r\n'.includes(text[at]!)) at++
  return text[at] === ':'
}

export type JsonObject = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
