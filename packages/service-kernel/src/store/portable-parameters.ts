import { FrameworkProblem } from '../errors/index.ts'

/** PostgreSQL's text cannot hold this character, and fails on it even in a comparison; SQLite takes it. */
const NUL = '\u0000'

const UNSTORABLE = { reason: 'A text has the character U+0000, which is not stored.' }

/**
 * Refuses bound values that the two databases would store differently: a Date alone becomes NULL on SQLite and local
 * time on PostgreSQL, a boolean becomes 1 on one and fails on the other, an object is taken for named parameters or JSON.
 */
export function refuseUnportable(parameters: readonly unknown[]): void {
  for (const value of parameters) {
    if (hasNul(value)) throw new FrameworkProblem('validation', { details: UNSTORABLE })
    const advice = adviceFor(value)
    if (advice) throw new TypeError(`A ${describe(value)} cannot be bound to a statement: ${advice}`)
  }
}

/** Such a text came from outside, where nobody writes one by mistake of ours: it is wrong input, on either database. */
const hasNul = (value: unknown): boolean =>
  typeof value === 'string' ? value.includes(NUL) : Array.isArray(value) && value.some(hasNul)

function adviceFor(value: unknown): string | undefined {
  switch (typeof value) {
    case 'boolean':
      return 'store booleans as 0 and 1.'
    case 'undefined':
      return 'write null, or leave the column out.'
    case 'object':
      return adviceForObject(value)
    default:
      return undefined
  }
}

// Arrays pass: the kernel's PostgreSQL statements use them, and SQLite's driver refuses them by itself.
function adviceForObject(value: object | null): string | undefined {
  if (value === null || value instanceof Uint8Array || Array.isArray(value)) return undefined
  return value instanceof Date ? 'store times as text with toISOString().' : 'store structured values as JSON text.'
}

const describe = (value: unknown): string => (value instanceof Date ? 'Date' : typeof value)
