import { useSyncExternalStore } from 'react'

/** Whether the server is reachable, by its last answers. */
export interface Contact {
  /** `live`: it pushes changes; `polling`: it is asked every few seconds; `lost`: it does not answer. */
  readonly state: 'connecting' | 'live' | 'polling' | 'lost'
  /** When it last answered, in milliseconds since 1970; undefined before the first answer. */
  readonly lastGoodAt: number | undefined
}

let contact: Contact = { state: 'connecting', lastGoodAt: undefined }
const listeners = new Set<() => void>()

/** Notifies all subscribers of the new state. */
function become(next: Contact): void {
  const same = next.state === contact.state && next.lastGoodAt === contact.lastGoodAt
  contact = next
  if (!same) for (const listener of listeners) listener()
}

/** The server answered, with success or not. */
export function answered(): void {
  become({ state: contact.state === 'lost' ? 'polling' : contact.state, lastGoodAt: Date.now() })
}

/** Nothing answered. */
export const missed = (): void => become({ ...contact, state: 'lost' })

/** The stream of changes opened. */
export const streaming = (): void => become({ state: 'live', lastGoodAt: Date.now() })

/** The stream of changes broke; the next request shows whether the server is still there. */
export function notStreaming(): void {
  if (contact.state !== 'lost') become({ ...contact, state: 'polling' })
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The state of the server, for the indicator in the bar. */
export const useContact = (): Contact => useSyncExternalStore(watch, () => contact)
