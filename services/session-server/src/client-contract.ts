// The contract of client applications alone: the app serves it, and `@chancela/client` is generated from it.
import { errorEnvelope } from '@chancela/service-kernel/http'
import { cancelApproval, createApproval, readApproval, signApproved } from './contract/approvals.ts'
import { errors } from './contract/errors.ts'
import { createSession, deactivateSession, readCertificateInfo, readSessionStatus } from './contract/sessions.ts'
import { readDocument, signBatch, signDocument } from './contract/signatures.ts'
import { frameworkErrors } from './routes/framework-errors.ts'
import { sessionSurface } from './surfaces.ts'

/** Surface and description of the contract. */
export const clientContract = {
  surface: sessionSurface,
  description: `A client application opens a session with the CPF and the PIN of a holder's certificate, signs PDFs
under it, and fetches each signed PDF by its signature id.

Every operation takes an API key in \`X-API-Key\`. Errors are \`{ error: { code, message, details } }\`; dispatch on
\`code\`. Every answer carries \`X-Correlation-Id\`.`,
  dialect: errorEnvelope,
  vocabulary: errors,
  frameworkErrors,
  // Generated clients write null for what is not set.
  tolerance: { nullIsAbsent: true },
} as const

/** Its operations: the seven of the specification, and those of approvals. */
export const clientRoutes = [
  createSession,
  readSessionStatus,
  deactivateSession,
  readCertificateInfo,
  signDocument,
  signBatch,
  readDocument,
  createApproval,
  readApproval,
  signApproved,
  cancelApproval,
] as const
