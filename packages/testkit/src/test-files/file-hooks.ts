// Test files share a process and its modules, so that each file does not import the suite again (vitest.config.ts). A
// module that keeps state per file therefore needs to know when one begins and ends: a hook at the top of a module
// would only ever see the file that imported it first.
import { onTestFinished } from 'vitest'

type Hook = () => void | Promise<void>

const starts: Hook[] = []
const ends: Hook[] = []

/** Runs before the tests of every file of this process from now on; resets shared state. */
export const atEveryFileStart = (reset: Hook): void => void starts.push(reset)

/** Once, after the last test of the file that is running. */
export const atFileEnd = (clean: Hook): void => void ends.push(clean)

/** When the running test ends; called outside of one (by a hook, or while the file is loaded), when the file ends. */
export function whenDone(clean: Hook): void {
  try {
    onTestFinished(clean)
  } catch {
    atFileEnd(clean)
  }
}

export async function runFileStart(): Promise<void> {
  for (const reset of starts) await reset()
}

/** Last created first, because it may depend on the others. */
export async function runFileEnd(): Promise<void> {
  for (const clean of ends.splice(0).reverse()) await clean()
}
