// The routes of profiles on an app of their own, called in the process.
import { createApp, problemDetails } from '@chancela/service-kernel/http'
import { errors } from '../../src/contract/errors.ts'
import { LiveTopics } from '../../src/parts/live-topics.ts'
import { serveDashboardProfiles } from '../../src/routes/dashboard/profiles.ts'
import { frameworkErrors } from '../../src/routes/framework-errors.ts'
import { serveProfiles } from '../../src/routes/full/profiles.ts'
import { operatorAccess } from '../../src/routes/operator-access.ts'
import type { SigningWorld } from './signing-world.ts'

/** The operators' key in these tests. */
export const API_KEY = 'a key of sixteen letters and more'

/** Calls routes of profiles; returns the status, the body and its text. */
export async function profilesApp({ context, profiles }: SigningWorld) {
  const app = await createApp({
    service: { name: 'batch-signer', title: 'Batch signer', version: context.version },
    dialect: problemDetails,
    vocabulary: errors,
    frameworkErrors,
    environment: 'production',
    logger: context.logger,
    schemes: { key: operatorAccess(context) },
    rateLimits: { Actions: { PermitsPerWindow: 1000, WindowSeconds: 60 } },
  })
  serveProfiles(app, profiles)
  const live = new LiveTopics()
  serveDashboardProfiles(app, profiles, live)
  return async (method: 'GET' | 'POST' | 'PUT', url: string, body?: unknown, key: string = API_KEY) => {
    const answer = await app.inject({
      method,
      url,
      headers: { 'x-api-key': key },
      ...(body !== undefined && { payload: body as object }),
    })
    return { status: answer.statusCode, body: answer.json() as never, text: answer.body }
  }
}

/** A form of a profile, complete. */
export const form = (more: Readonly<Record<string, unknown>> = {}) => ({
  enabled: true,
  inputFolder: null,
  format: 'Cades',
  method: 'Local',
  level: 'AD-RB',
  verify: true,
  validateCertificate: true,
  preserveFileExtension: false,
  saveAsPem: false,
  checkCnab240: false,
  checkCnab240PaymentDates: true,
  encrypt: false,
  encryptionCertificates: [],
  timestampAuthority: null,
  certificate: null,
  ...more,
})
