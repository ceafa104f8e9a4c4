import { createCaller } from '../core/caller.ts'
import type { CallOptions, ClientOptions } from '../core/options.ts'
import { joined, type WithCorrelation } from '../core/with-correlation.ts'
import { type Bytes, base64Of, bytesIn } from './bytes.ts'
import type {
  CertificateModel,
  ChooserModel,
  GetServiceAvailabilityResponse,
  Operations,
  ServiceSessionCreateRequest,
  SessionCreateRequest,
  SessionModel,
  SessionStatusModel,
  SignHashesRequest,
  SignHashRequest,
  TrustServiceAuthParametersModel,
  TrustServiceInfoModel,
} from './generated.ts'
import { cloudHub } from './service.ts'

/** What one authorization of the holder covers. */
export type SessionType = 'SingleSignature' | 'MultiSignature' | 'SignatureSession' | 'AuthenticationSession'

export type IdentifierType = 'CPF' | 'CNPJ'

/** A document, and the hash that will be signed for it. */
export interface ListedDocument {
  /** What the holder is shown. */
  readonly name: string
  readonly hash: Bytes
}

/** A creation with its names checked, and with hashes as bytes or base64. */
type Creation<Request> = Omit<Request, 'type' | 'identifierType' | 'hashes' | 'documents'> & {
  /** Default SingleSignature. */
  readonly type?: SessionType | undefined
  /** Hashes that will be signed, where the provider binds the authorization to them. */
  readonly hashes?: readonly Bytes[] | undefined
  /**
   * Binds the session to this list: the holder sees names and number on a page of the hub before consent; each hash is
   * signed once, and no other.
   */
  readonly documents?: readonly ListedDocument[] | undefined
}

export interface CreateSessionRequest extends Creation<SessionCreateRequest> {
  /** Default: more than 11 digits are a CNPJ. */
  readonly identifierType?: IdentifierType | undefined
}

export interface CreateServiceSessionRequest extends Creation<ServiceSessionCreateRequest> {}

/** The holder whose certificate is searched for. */
export interface Holder {
  /** CPF or CNPJ, digits only. */
  readonly identifier: string
  /** Default CPF. */
  readonly identifierType?: IdentifierType | undefined
}

interface Repeatable {
  /** The same key with the same request returns the same signature again. Default: one key per call. */
  readonly idempotencyKey?: string | undefined
}

export interface SignRequest extends Omit<SignHashRequest, 'hash'>, Repeatable {
  readonly hash: Bytes
}

export interface SignAllRequest extends Omit<SignHashesRequest, 'hashes'>, Repeatable {
  /** Their order is that of the signatures. */
  readonly hashes: readonly Bytes[]
}

export interface SessionCertificate extends CertificateModel {
  /** The certificate: DER. */
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface SessionStatus extends SessionStatusModel {
  readonly type: SessionType
}

type Answer<T> = Promise<WithCorrelation<T>>

/** The operations of a hub. Each throws `ChancelaError` or `ChancelaConnectionError`. */
export interface HubClient {
  /** Creates a session at every provider that holds a certificate for the signer; send the user to one `authUrl`. */
  createSession(request: CreateSessionRequest, options?: CallOptions): Answer<SessionModel>
  /** Creates a session at one provider. */
  createServiceSession(
    serviceName: string,
    request: CreateServiceSessionRequest,
    options?: CallOptions,
  ): Answer<TrustServiceAuthParametersModel>
  /** The same as `createSession`, with a page of the hub on which the user chooses the provider. */
  createChooser(request: CreateSessionRequest, options?: CallOptions): Answer<ChooserModel>
  /** The providers that hold a certificate for somebody; one that fails to answer is left out. */
  services(holder: Holder, options?: CallOptions): Answer<{ readonly services: readonly TrustServiceInfoModel[] }>
  /** Asks one provider whether it holds a certificate for somebody. */
  availability(serviceName: string, holder: Holder, options?: CallOptions): Answer<GetServiceAvailabilityResponse>
  /** The certificate of the holder who authorized the session. Compare its CPF with whom you expected. */
  certificate(session: string, options?: CallOptions): Answer<SessionCertificate>
  /** The customState given at creation. Compare it with the one of the user's own browser session. */
  customState(session: string, options?: CallOptions): Answer<{ readonly customState: string | null }>
  /** Signs a hash with the holder's certificate. May take two minutes. */
  signHash(request: SignRequest, options?: CallOptions): Answer<{ readonly signature: Uint8Array<ArrayBuffer> }>
  /** Signs several hashes in one call of the provider: all of them, or none. */
  signHashes(
    request: SignAllRequest,
    options?: CallOptions,
  ): Answer<{ readonly signatures: readonly Uint8Array<ArrayBuffer>[] }>
  /** What is left of a session. */
  status(session: string, options?: CallOptions): Answer<SessionStatus>
  /** Ends a session that is not needed any more. */
  end(session: string, options?: CallOptions): Promise<void>
}

/** A client of the cloud hub at an address. It holds no resources: there is nothing to close. */
export function createHubClient(options: ClientOptions): HubClient {
  const call = createCaller<Operations>(cloudHub, options)

  return {
    createSession: async (request, how) => joined(await call('createSession', { body: bodyOf(request) }, how)),
    createServiceSession: async (name, request, how) =>
      joined(await call('createServiceSession', { parameters: { name }, body: bodyOf(request) }, how)),
    createChooser: async (request, how) => joined(await call('createChooser', { body: bodyOf(request) }, how)),
    services: async (holder, how) => {
      const { answer: services, correlationId } = await call('listServices', { parameters: holder }, how)
      return { services, correlationId }
    },
    availability: async (name, holder, how) =>
      joined(await call('readAvailability', { parameters: { name, ...holder } }, how)),
    certificate: async (session, how) => {
      const { answer, correlationId } = await call('readCertificateModel', { parameters: { session } }, how)
      return { ...answer, bytes: bytesIn(answer.content), correlationId }
    },
    customState: async (session, how) => {
      const { answer: customState, correlationId } = await call('readCustomState', { parameters: { session } }, how)
      return { customState, correlationId }
    },
    signHash: async ({ hash, idempotencyKey, ...request }, how) => {
      const input = { parameters: keyed(idempotencyKey), body: { ...request, hash: base64Of(hash) } }
      const { answer, correlationId } = await call('signHash', input, how)
      return { signature: bytesIn(answer), correlationId }
    },
    signHashes: async ({ hashes, idempotencyKey, ...request }, how) => {
      const input = { parameters: keyed(idempotencyKey), body: { ...request, hashes: hashes.map(base64Of) } }
      const { answer, correlationId } = await call('signHashes', input, how)
      return { signatures: answer.signatures.map(bytesIn), correlationId }
    },
    status: async (session, how) => {
      const { answer, correlationId } = await call('readStatus', { parameters: { session } }, how)
      return { ...answer, type: answer.type as SessionType, correlationId }
    },
    end: async (session, how) => {
      await call('endSession', { body: { session } }, how)
    },
  }
}

const keyed = (idempotencyKey: string | undefined) => ({ 'Idempotency-Key': idempotencyKey })

interface WithHashes {
  readonly hashes?: readonly Bytes[] | undefined
  readonly documents?: readonly ListedDocument[] | undefined
}

const bodyOf = <Request extends WithHashes>({ hashes, documents, ...request }: Request) => ({
  ...request,
  ...(hashes && { hashes: hashes.map(base64Of) }),
  ...(documents && { documents: documents.map(({ name, hash }) => ({ name, hash: base64Of(hash) })) }),
})
