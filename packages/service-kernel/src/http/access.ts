import type { FastifyRequest } from 'fastify'

/** The OpenAPI security schemes that describe a way of access: name → scheme object; any one of them suffices. */
type SecuritySchemes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * A way to authenticate callers. Returns the caller, or undefined: then the service's `unauthorized` is answered, the
 * same for every reason. May throw its own refusal where the specification distinguishes reasons.
 */
export interface AccessScheme<Caller = unknown> {
  authenticate(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined>
  /** Names the credential of a caller: its calls have a window of their own in the limits of the client's address. */
  credentialOf(caller: Caller): string
  readonly security: SecuritySchemes
}
