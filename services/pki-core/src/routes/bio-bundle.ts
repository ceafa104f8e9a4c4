import { fileURLToPath } from 'node:url'
import { isBundle, serveBundle } from '@chancela/service-kernel/service'
import type { Context } from '../context.ts'
import { hashOf } from '../rules/bio/tokens.ts'
import { findSessionBy } from '../store/bio/sessions.ts'
import type { CoreApp } from './core-app.ts'

// src and dist have the same depth, so that one relative path works in both.
const bundle = fileURLToPath(new URL('../../pages/bio', import.meta.url))

/** The capture page. The site that a session trusts may show it in a frame, and no other site may. */
export function serveBioBundle(app: CoreApp, { store, logger }: Pick<Context, 'store' | 'logger'>): void {
  const trusted = async ({ query }: { readonly query: unknown }): Promise<readonly string[]> => {
    const { token } = query as { readonly token?: unknown }
    const session = typeof token === 'string' ? await findSessionBy(store.db, 'token_hash', hashOf(token)) : undefined
    return session?.trusted_origin ? [session.trusted_origin] : []
  }
  const embedded = { pages: ['/bio/session'], by: trusted }
  if (isBundle(bundle)) serveBundle(app, bundle, { embedded, below: '/bio' })
  else logger.warn('the capture page is not built: run npm run build')
}
