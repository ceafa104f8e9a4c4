// Drafts are kept in the browser, each for one person and one organization, so that a reload loses nothing: attachments
// are too large for the simpler storages. Signing out leaves nothing behind, as they hold data of students.
import type { Draft } from '../parts/draft.ts'

const DATABASE = 'chancela-credential-drafts'
const STORE = 'drafts'

export interface KeptDraft {
  readonly draft: Draft
  readonly savedAt: string
}

const done = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })

async function run<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1)
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE)
  const database = await done(opening)
  try {
    return await done(act(database.transaction(STORE, mode).objectStore(STORE)))
  } finally {
    database.close()
  }
}

/** Storage may be forbidden or full: typing goes on without it. */
const ifAllowed = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined)

let dropped = 0

/** A keeper of one draft: after all were dropped it keeps nothing, although its page is left only then. */
export function draftKeeper(key: string): (draft: Draft) => void {
  const begun = dropped
  return (draft) => {
    if (begun !== dropped) return
    void ifAllowed(run('readwrite', (store) => store.put({ draft, savedAt: new Date().toISOString() }, key)))
  }
}

export const readDraft = (key: string) => ifAllowed(run<KeptDraft | undefined>('readonly', (store) => store.get(key)))

export const dropDraft = (key: string) => ifAllowed(run('readwrite', (store) => store.delete(key)))

/** All of them, of everybody. */
export function dropDrafts(): Promise<unknown> {
  dropped += 1
  return ifAllowed(run('readwrite', (store) => store.clear()))
}
