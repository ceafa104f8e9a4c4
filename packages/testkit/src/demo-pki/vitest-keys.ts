import { makeDeclaredKeys } from './create-demo-pki.ts'
import { cachedKeys } from './keys.ts'

/** Vitest's global set-up: on a new clone the keys are generated once, not by every test file that needs them. */
export const setup = (): Promise<void> => makeDeclaredKeys(cachedKeys())
