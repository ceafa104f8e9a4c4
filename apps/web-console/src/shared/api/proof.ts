// Calls that the service answers only soon after a proof of who is signed in.

/** The code of a refusal that a proof helps against, as consoles and the two platforms write it. */
const PROOF_NEEDED: ReadonlySet<string | undefined> = new Set([
  'REAUTHENTICATION_REQUIRED',
  'reauthentication-required',
  'ReauthenticationRequired',
])

type Ask = () => Promise<boolean>

let ask: Ask | undefined
let asking: Promise<boolean> | undefined

/** Calls `listener` when a proof is needed; it answers whether one was given. Returns a function that unsubscribes. */
export function onProofAsked(listener: Ask): () => void {
  ask = listener
  return () => {
    if (ask === listener) ask = undefined
  }
}

/** Whether a refusal with this code is over once somebody proved who they are. */
export const needsProof = (code: string | undefined): boolean => PROOF_NEEDED.has(code)

/** Whether somebody proves who they are; calls that are refused together ask once. */
export function askForProof(): Promise<boolean> {
  if (!ask) return Promise.resolve(false)
  asking ??= ask().finally(() => {
    asking = undefined
  })
  return asking
}
