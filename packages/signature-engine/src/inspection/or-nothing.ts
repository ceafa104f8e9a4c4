import { EngineError } from '../errors/engine-error.ts'

/** What is malformed does not prevent showing the rest; the validator reports what is wrong with it. */
export function orNothing<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof EngineError) return undefined
    throw error
  }
}
