/** Reproducible random choices: the same seed draws the same sample on every machine. */
function randomBelow(seed: number): (limit: number) => number {
  let state = Math.imul(seed, 0x9e3779b1) >>> 0
  // mulberry32: 32 bits of state are plenty for a sample.
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit)
  }
}

/**
 * All of them in a random order that alternates between kinds: literals are a third of all that can be changed, and a
 * sample of literals would say little about conditions.
 */
export function* inTurn<T extends { readonly operator: string }>(mutants: readonly T[], seed: number): Generator<T> {
  const below = randomBelow(seed)
  const kinds = [...new Set(mutants.map(({ operator }) => operator))]
  const queues = shuffled(kinds, below).map((kind) =>
    shuffled(
      mutants.filter(({ operator }) => operator === kind),
      below,
    ),
  )
  for (let round = 0; queues.some((queue) => round < queue.length); round++) {
    for (const queue of queues) if (round < queue.length) yield queue[round]!
  }
}

function shuffled<T>(all: readonly T[], below: (limit: number) => number): T[] {
  const copy = [...all]
  for (let left = copy.length; left > 1; left--) {
    const chosen = below(left)
    const last = copy[left - 1]!
    copy[left - 1] = copy[chosen]!
    copy[chosen] = last
  }
  return copy
}
