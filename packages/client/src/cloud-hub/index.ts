// The client of the cloud certificate hub.
//
//   const hub = createHubClient({ baseUrl: 'https://hub.example.com', apiKey })
//   const { chooserUrl } = await hub.createChooser({ redirectUri, identifier: '52998224725' })
//   // the user goes to chooserUrl and comes back to redirectUri with ?session=…
//   const { bytes } = await hub.certificate(session)
//   const { signature } = await hub.signHash({ session, hash, digestAlgorithm: 'SHA-256' })
export { ChancelaConnectionError, ChancelaError } from '../core/errors.ts'
export type { CallOptions, ClientOptions, Fetch, RetryOptions } from '../core/options.ts'
export type { WithCorrelation } from '../core/with-correlation.ts'
export type { Bytes } from './bytes.ts'
export type {
  CertificateModel,
  ChooserModel,
  ErrorCode,
  GetServiceAvailabilityResponse,
  Operations,
  SessionModel,
  TrustServiceAuthParametersModel,
  TrustServiceInfoModel,
} from './generated.ts'
export {
  type CreateServiceSessionRequest,
  type CreateSessionRequest,
  createHubClient,
  type Holder,
  type HubClient,
  type IdentifierType,
  type ListedDocument,
  type SessionCertificate,
  type SessionStatus,
  type SessionType,
  type SignAllRequest,
  type SignRequest,
} from './hub-client.ts'
export { isHubError } from './is-hub-error.ts'
export { type ReturnedSession, returnedSession } from './returned-session.ts'
