// The contract of client applications alone: the app serves it, and `@chancela/client` is generated from it.

import { errors } from './contract/errors.ts'
import {
  createChooser,
  createServiceSession,
  createSession,
  listServices,
  readAvailability,
} from './contract/sessions.ts'
import {
  endSession,
  readCertificate,
  readCertificateModel,
  readCustomState,
  readStatus,
  signHash,
  signHashes,
} from './contract/signing.ts'
import { frameworkErrors } from './routes/framework-errors.ts'
import { hubModel } from './routes/hub-model.ts'
import { hubSurface } from './surfaces.ts'

/** Surface, description and tolerances of the contract. */
export const clientContract = {
  surface: hubSurface,
  description: `A client creates a session, sends the user to a provider's \`authUrl\`, receives \`session\` at its redirect
URI, then reads the user's certificate and signs hashes with it.

Every operation takes an API key in \`X-Api-Key\`. A refusal is \`{ code, message, details }\` with status 422; what is
missing or malformed is a validation problem with status 400; a failure, often at the provider, is a short code as a JSON
string with status 500.`,
  dialect: hubModel,
  vocabulary: errors,
  frameworkErrors,
  tellsUnknownFields: true,
  // Clients of the original service send nulls and empty strings for absent values.
  tolerance: { anyCaseNames: true, nullIsAbsent: true, emptyStringIsAbsent: true, noBodyIsEmpty: true },
} as const

/** Its operations: the eight of the specification, then ours. */
export const clientRoutes = [
  createSession,
  createServiceSession,
  listServices,
  readAvailability,
  readCertificate,
  readCertificateModel,
  signHash,
  readCustomState,
  signHashes,
  createChooser,
  readStatus,
  endSession,
] as const
