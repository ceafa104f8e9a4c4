import { commonConsoleErrors } from '@chancela/admin-console/contract'
import { errors } from './errors.ts'

const {
  EntityAlreadyExists,
  EntityIsReadOnly,
  EntityNotFound,
  EntityUnusable,
  EndUserCertificate,
  Forbidden,
  PKCertificateMalformed,
  SecurityContextNotFound,
} = errors

/** Codes of the admin page's own API: those of every console, and what the management refuses. */
export const consoleErrors = {
  ...commonConsoleErrors,
  EntityAlreadyExists,
  EntityIsReadOnly,
  EntityNotFound,
  EntityUnusable,
  EndUserCertificate,
  Forbidden,
  PKCertificateMalformed,
  SecurityContextNotFound,
} as const

export type ConsoleErrorCode = keyof typeof consoleErrors
