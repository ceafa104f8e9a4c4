// What a content model needs to be matched in one pass: with which names each part may begin, whether it may be absent, and
// which names occur in it at all. The layouts are deterministic, as XML Schema demands: the next name decides.
import type { Anything, Complex, Element, Particle } from '../language/content.ts'

/** The name of a child as models know it: plain in the namespace of the layout, with its namespace otherwise. */
export type ChildName = string

export const SIGNATURE_CHILD: ChildName = '{ds}Signature'

export interface ParticleFacts {
  readonly first: ReadonlySet<ChildName>
  readonly firstWildcards: readonly Anything[]
  readonly mayBeAbsent: boolean
  readonly names: ReadonlySet<ChildName>
  /** It has wildcards: then a name it does not list need not be a stranger. */
  readonly isOpen: boolean
}

const known = new WeakMap<Particle, ParticleFacts>()

export function factsOf(particle: Particle): ParticleFacts {
  const remembered = known.get(particle)
  if (remembered !== undefined) return remembered
  const facts = computed(particle)
  known.set(particle, facts)
  return facts
}

function computed(particle: Particle): ParticleFacts {
  const facts = occurringOnce(particle)
  return particle.min === 0 ? { ...facts, mayBeAbsent: true } : facts
}

function occurringOnce(particle: Particle): ParticleFacts {
  switch (particle.is) {
    case 'element':
      return named(particle.name)
    case 'signatures':
      return named(SIGNATURE_CHILD)
    case 'anything':
      return { first: new Set(), firstWildcards: [particle], mayBeAbsent: false, names: new Set(), isOpen: true }
    case 'choice':
      return united(particle.parts.map(factsOf), particle.parts.map(factsOf), (parts) =>
        parts.some(({ mayBeAbsent }) => mayBeAbsent),
      )
    case 'sequence':
      return united(leading(particle.parts.map(factsOf)), particle.parts.map(factsOf), (parts) =>
        parts.every(({ mayBeAbsent }) => mayBeAbsent),
      )
  }
}

const named = (name: ChildName): ParticleFacts => ({
  first: new Set([name]),
  firstWildcards: [],
  mayBeAbsent: false,
  names: new Set([name]),
  isOpen: false,
})

/** The parts up to and including the first that must be there. */
function leading(parts: readonly ParticleFacts[]): readonly ParticleFacts[] {
  const decisive = parts.findIndex(({ mayBeAbsent }) => !mayBeAbsent)
  return decisive < 0 ? parts : parts.slice(0, decisive + 1)
}

function united(
  beginning: readonly ParticleFacts[],
  all: readonly ParticleFacts[],
  mayBeAbsent: (parts: readonly ParticleFacts[]) => boolean,
): ParticleFacts {
  return {
    first: new Set(beginning.flatMap(({ first }) => [...first])),
    firstWildcards: beginning.flatMap(({ firstWildcards }) => firstWildcards),
    mayBeAbsent: mayBeAbsent(all),
    names: new Set(all.flatMap(({ names }) => [...names])),
    isOpen: all.some(({ isOpen }) => isOpen),
  }
}

const elementMaps = new WeakMap<Complex, ReadonlyMap<ChildName, Element>>()

/** The elements of a content model by name. In one model a name always has one type. */
export function elementsOf(type: Complex): ReadonlyMap<ChildName, Element> {
  const remembered = elementMaps.get(type)
  if (remembered !== undefined) return remembered
  const map = new Map(type.model === undefined ? [] : elementsIn(type.model))
  elementMaps.set(type, map)
  return map
}

function elementsIn(particle: Particle): [ChildName, Element][] {
  if (particle.is === 'element') return [[particle.name, particle]]
  return particle.is === 'sequence' || particle.is === 'choice' ? particle.parts.flatMap(elementsIn) : []
}
