import type { FastifyRequest } from 'fastify'

/** The OpenAPI security schemes that describe a way of access: name → scheme object; any one of them suffices. */
type SecuritySchemes = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/**
 * A way to recognise callers. Returns whom it recognised, or nothing: then the service's `unauthorized` is answered, the
 * same for every reason. May throw a refusal of its own where the specification tells reasons apart.
 */
export interface AccessScheme<Caller = unknown> {
  authenticate(request: FastifyRequest): Caller | undefined | Promise<Caller | undefined>
  readonly security: SecuritySchemes
}
