// Which fields a part of a layout takes, so that what is given can be told apart and what is left over is found.
import type { Complex, Element, Particle } from '../language/content.ts'
import { keyOf } from '../language/names.ts'

const known = new WeakMap<Particle, ReadonlySet<string>>()

/** The fields that may belong to a part. */
export function keysOf(part: Particle): ReadonlySet<string> {
  const remembered = known.get(part)
  if (remembered !== undefined) return remembered
  const keys = new Set(elementsIn(part).map(({ name }) => keyOf(name)))
  known.set(part, keys)
  return keys
}

/** The fields that must be there when the part is. */
export function requiredKeysOf(part: Particle): readonly string[] {
  if (part.min === 0) return []
  if (part.is === 'element') return [keyOf(part.name)]
  return part.is === 'sequence' ? part.parts.flatMap(requiredKeysOf) : []
}

function elementsIn(part: Particle): Element[] {
  if (part.is === 'element') return [part]
  return part.is === 'sequence' || part.is === 'choice' ? part.parts.flatMap(elementsIn) : []
}

/** A choice that repeats has an order of its own: its value is a list, each item with the one field it chose. */
export const isList = ({ model }: Complex): boolean => model?.is === 'choice' && model.max === 'many'
