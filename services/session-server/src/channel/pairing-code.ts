// The code that pairs an agent with one signature: eight characters in two groups, shown by the page that asks and by
// the agent. It is no secret that signs: whoever has it can only offer their own certificate for that signature.
import { randomBytes } from 'node:crypto'
import { grouped, readable, typedCharacters } from './readable-code.ts'

const CHARACTERS = 8
const GROUP = 4

/** A new code, as it is shown: `7KQ2-X9DM`. */
export const newPairingCode = (): string => grouped(readable(randomBytes(CHARACTERS)), GROUP)

/** A typed code in the form it is shown in; undefined when it is none. */
export function readPairingCode(text: string): string | undefined {
  const typed = typedCharacters(text, CHARACTERS)
  return typed && grouped(typed, GROUP)
}
