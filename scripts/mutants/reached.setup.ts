// A set-up file of Vitest for the run without mutants: reports which stretches of code a test file runs.
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    reached?: readonly string[]
  }
}

declare global {
  var chancelaReached: ((stretch: string) => void) | undefined
}

const reached = new Set<string>()
globalThis.chancelaReached = (stretch) => {
  reached.add(stretch)
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest takes nothing else where nothing of the context is wanted.
afterAll(({}, file) => {
  file.meta.reached = [...reached]
})
