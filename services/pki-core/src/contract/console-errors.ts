import { commonConsoleErrors } from '@chancela/admin-console/contract'
import { errors } from './errors.ts'

const {
  BackgroundProcessing,
  BadSignatureSessionOperation,
  BioSubjectNotFound,
  EntityAlreadyExists,
  EntityIsReadOnly,
  EntityNotFound,
  EntityUnusable,
  EndUserCertificate,
  Forbidden,
  PKCertificateMalformed,
  SecurityContextNotFound,
  SignatureSessionNotFound,
} = errors

/** Codes of the admin page's own API: those of every console, and what the management refuses. */
export const consoleErrors = {
  ...commonConsoleErrors,
  BackgroundProcessing,
  BadSignatureSessionOperation,
  BioSubjectNotFound,
  EntityAlreadyExists,
  EntityIsReadOnly,
  EntityNotFound,
  EntityUnusable,
  EndUserCertificate,
  Forbidden,
  PKCertificateMalformed,
  SecurityContextNotFound,
  SignatureSessionNotFound,
} as const

export type ConsoleErrorCode = keyof typeof consoleErrors
