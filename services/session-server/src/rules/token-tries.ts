// Which PIN may be given to a token. A token locks for good after a few wrong ones, so that a PIN that is not known to be
// right is given only while nothing speaks against it.

/** What is remembered of the PINs that a token was given. */
export interface RememberedTries {
  /** Given since the last one that it accepted; those whose outcome is unknown count once, one it refused as all. */
  readonly tries: number
  /** Whether the PIN is the last one that it accepted. */
  readonly isAccepted: boolean
  /** Whether one was given and not accepted since, and whether the PIN is that one. */
  readonly refused: 'none' | 'this' | 'another'
}

/** Whose word a PIN is: a client's, that of the settings, or that of an administrator who has the holder beside them. */
export type PinSource = 'client' | 'settings' | 'administrator'

/** Tries with an unknown outcome after which none is made; a refused one counts as that many. */
export const MOST_TRIES = 2

interface Allowance {
  /** It may be given to the token. */
  readonly present: boolean
  /** Also while the token says that a wrong one was tried since the last right one. Never where one more would lock it. */
  readonly countLow: boolean
}

/** What may be done with a PIN. */
export function allowedTry(source: PinSource, { tries, isAccepted, refused }: RememberedTries): Allowance {
  if (isAccepted || source === 'administrator') return { present: true, countLow: true }
  // Whoever changes the settings after a refusal has looked.
  if (source === 'settings' && refused === 'another') return { present: true, countLow: true }
  return { present: tries < MOST_TRIES, countLow: false }
}
