import { useSyncExternalStore } from 'react'

/** Whether the server is there, as far as its last answers tell. */
export interface Contact {
  /** `live`: it tells of changes by itself; `polling`: it is asked every few seconds; `lost`: it does not answer. */
  readonly state: 'connecting' | 'live' | 'polling' | 'lost'
  /** When it last answered, in milliseconds since 1970; nothing before the first answer. */
  readonly lastGoodAt: number | undefined
}

let contact: Contact = { state: 'connecting', lastGoodAt: undefined }
const listeners = new Set<() => void>()

/** Tells everyone who watches what is now known of the server. */
function become(next: Contact): void {
  const same = next.state === contact.state && next.lastGoodAt === contact.lastGoodAt
  contact = next
  if (!same) for (const listener of listeners) listener()
}

/** The server answered, whatever it said. */
export function answered(): void {
  become({ state: contact.state === 'lost' ? 'polling' : contact.state, lastGoodAt: Date.now() })
}

/** Nothing answered. */
export const missed = (): void => become({ ...contact, state: 'lost' })

/** The stream of changes opened. */
export const streaming = (): void => become({ state: 'live', lastGoodAt: Date.now() })

/** The stream of changes broke; whether the server is still there, the next question shows. */
export function notStreaming(): void {
  if (contact.state !== 'lost') become({ ...contact, state: 'polling' })
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of the server, for the indicator in the bar. */
export const useContact = (): Contact => useSyncExternalStore(watch, () => contact)
