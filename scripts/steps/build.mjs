import { bundlePages } from './bundle-pages.mjs'
import { root } from './run-command.mjs'
import { transpile } from './transpile.mjs'

/** Brings everything that runs up to date; does nothing at all when no source changed since the last time. */
export async function ensureBuilt() {
  // Beside each other: pages are made of sources too, never of what is transpiled.
  const made = await Promise.allSettled([transpile(root), bundlePages(root)])
  for (const one of made) if (one.status === 'rejected') throw one.reason
}
