import { vi } from 'vitest'
import { PATIENCE_MS } from './patience.ts'

const { waitFor, waitUntil } = vi

// Vitest's default is a second, and there is no setting for it.
Object.assign(vi, {
  waitFor: (callback: () => unknown, options?: object) => waitFor(callback, { timeout: PATIENCE_MS, ...options }),
  waitUntil: (callback: () => unknown, options?: object) => waitUntil(callback, { timeout: PATIENCE_MS, ...options }),
})
