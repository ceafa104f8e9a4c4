import { useEffect } from 'react'
import type { EditorStore } from './editor-store.ts'
import { draftKeeper } from './kept-drafts.ts'

const PAUSE_MS = 400

/** Keeps what is typed, after each pause and when the page is left. */
export function useKeptDraft(store: EditorStore, key: string): void {
  useEffect(() => {
    const keeper = draftKeeper(key)
    let timer: number | undefined
    let last = store.draft
    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      if (store.draft === last || store.isOver) return
      last = store.draft
      keeper(store.draft)
    }
    const unsubscribe = store.subscribe(() => {
      timer ??= window.setTimeout(keep, PAUSE_MS)
    })
    window.addEventListener('pagehide', keep)
    return () => {
      unsubscribe()
      window.removeEventListener('pagehide', keep)
      keep()
    }
  }, [store, key])
}
