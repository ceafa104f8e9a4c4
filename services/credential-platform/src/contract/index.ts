// The wire of the service, as data that a browser can load: routes with their schemas, models, events, error codes.
//
//   type Institute = AnswerOf<typeof readInstitute>
import type { Static, TSchema } from 'typebox'

/** What a route answers. */
export type AnswerOf<Route extends { readonly answer: TSchema }> = Static<Route['answer']>

/** What a route takes. */
export type BodyOf<Route extends { readonly body: TSchema }> = Static<Route['body']>

export { createApplicationKey, listApplicationKeys, listApplications } from './applications.ts'
export { batches } from './batches.ts'
export { putDocumentPlatform, readDocumentPlatform, testDocumentPlatform } from './document-platform.ts'
export { type ErrorCode, errors } from './errors.ts'
export { type EventType, eventTypes } from './event-types.ts'
export { listEvents } from './events.ts'
export { readInstitute } from './institutes.ts'
export { type EventModels, eventModels } from './models.ts'
export { listPartnerships, proposePartnership } from './partnerships.ts'
export { readRegistrySettings } from './registrations.ts'
export { beginCloudSigning, beginTokenSigning, lookSigning } from './remote-signing.ts'
export { courses, flows, templates } from './setup.ts'
export { listWaitingDocuments, readSigner } from './signer.ts'
export { type DocumentView, listDocuments, readInstituteCertificate, startSignature } from './signing.ts'
export { readTemplateGuide, renewDegreeRepresentation } from './template-previews.ts'
export { beginSecondFactor, changePassword, createUser, listUsers, readMe, signIn } from './users.ts'
export { type EventKind, eventKinds } from './vocabulary.ts'
export { offerDegree } from './wallet-offers.ts'
export {
  putSubscriptionWebhook,
  readInstituteIntegration,
  readSubscriptionWebhook,
  setInstituteIntegration,
} from './webhooks.ts'
