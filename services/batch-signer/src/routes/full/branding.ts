import { serve } from '@chancela/service-kernel/http'
import type { CustomerLogo } from '../../actions/read-customer-logo.ts'
import { customerLogo } from '../../contract/auth.ts'
import { refuse } from '../../rules/refuse.ts'
import type { FullApp } from './full-app.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/** The logo's URL for pages. */
export const logoUrl = (logo: CustomerLogo | undefined): string | null =>
  logo ? `${customerLogo.path}?v=${logo.hash}` : null

/** Registers the customer's logo. */
export function serveBranding(app: FullApp, logo: CustomerLogo | undefined): void {
  serve(app, customerLogo, ({ query, reply }) => {
    if (!logo) throw refuse('branding.customer-logo-not-available')
    reply.type(logo.mediaType)
    // An SVG opened directly is a document that could run scripts in this origin.
    reply.header('content-security-policy', "default-src 'none'")
    // Without the hash the URL may show another logo later.
    reply.header('cache-control', query.v === logo.hash ? FOREVER : 'no-cache')
    return logo.bytes
  })
}
