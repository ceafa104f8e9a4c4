import { serve } from '@chancela/service-kernel/http'
import type { CustomerLogo } from '../../actions/read-customer-logo.ts'
import { customerLogo } from '../../contract/auth.ts'
import { refuse } from '../../rules/refuse.ts'
import type { FullApp } from './full-app.ts'

const FOREVER = 'public, max-age=31536000, immutable'

/** The address of the logo as pages ask for it. */
export const logoUrl = (logo: CustomerLogo | undefined): string | null =>
  logo ? `${customerLogo.path}?v=${logo.hash}` : null

/** Puts the customer's logo on the full surface. */
export function serveBranding(app: FullApp, logo: CustomerLogo | undefined): void {
  serve(app, customerLogo, ({ query, reply }) => {
    if (!logo) throw refuse('branding.customer-logo-not-available')
    reply.type(logo.mediaType)
    // An SVG opened by itself is a document that could run scripts in the name of this service.
    reply.header('content-security-policy', "default-src 'none'")
    // Without the hash the address may show another logo tomorrow.
    reply.header('cache-control', query.v === logo.hash ? FOREVER : 'no-cache')
    return logo.bytes
  })
}
