import { bundlePages } from './bundle-pages.mjs'
import { root } from './run-command.mjs'
import { transpile } from './transpile.mjs'

/** Builds everything that runs; does nothing at all when no source changed since the last time. */
export async function ensureBuilt() {
  // In parallel: pages are built from sources too, never from transpiled code.
  const made = await Promise.allSettled([transpile(root), bundlePages(root)])
  for (const one of made) if (one.status === 'rejected') throw one.reason
}
