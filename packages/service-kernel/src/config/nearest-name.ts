/** The candidate a mistyped name most likely meant, or undefined when none is near. */
export function nearestName(name: string, candidates: Iterable<string>): string | undefined {
  const farthest = Math.max(1, Math.floor(name.length / 3))
  const near = [...candidates]
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

/**
 * Insertions, deletions, replacements and swaps of neighbours (`Prot` for `Port`) that turn one word into the other.
 */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = last[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      const swapped = isSwap(from, row, to, column) ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY
      current.push(Math.min(last[column]! + 1, current[column - 1]! + 1, replaced, swapped))
    }
    beforeLast = last
    last = current
  }
  return last[to.length]!
}

const isSwap = (from: string, row: number, to: string, column: number): boolean =>
  row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
