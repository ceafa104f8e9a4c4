import { commonConsoleErrors } from '@chancela/admin-console/contract'
import { providerErrors } from './provider-errors.ts'

/** Codes of the admin page's own API: those of every console, then the hub's. */
export const consoleErrors = {
  ...commonConsoleErrors,
  ...providerErrors,
  REDIRECT_URI_INVALID: {
    status: 422,
    message: 'A redirect URI is absolute, https (http on this machine only), without user, password and fragment.',
  },
  REDIRECT_URI_NOT_FOUND: { status: 404, message: 'The key has no such redirect URI.' },
  SESSION_NOT_FOUND: { status: 404, message: 'No live session has this id.' },
} as const satisfies Readonly<Record<string, { readonly status: number; readonly message: string }>>

export type ConsoleErrorCode = keyof typeof consoleErrors
