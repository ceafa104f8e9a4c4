// Patterns of subscriptions, run over names that anybody may send.
import { createContext, Script } from 'node:vm'

/** A pattern that takes longer is one that never ends, for this name at least. */
const MOST_MS = 50

const run = new Script('new RegExp(pattern, "u").test(name)')

const whole = (pattern: string): string => `^(?:${pattern})$`

export function isPattern(pattern: string): boolean {
  try {
    // By itself first: a pattern that closes the group around it is none.
    new RegExp(pattern, 'u')
    new RegExp(whole(pattern), 'u')
    return true
  } catch {
    // What the engine says of a pattern is for whoever writes engines.
    return false
  }
}

/** False also where the answer takes too long: a pattern can be written whose answer takes years. */
export function matchesPattern(pattern: string, name: string): boolean {
  try {
    return run.runInContext(createContext({ pattern: whole(pattern), name }), { timeout: MOST_MS }) === true
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return false
    throw error
  }
}
