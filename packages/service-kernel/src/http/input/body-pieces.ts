import type { FastifyRequest } from 'fastify'
import { FrameworkProblem } from '../../errors/index.ts'
import { discardRest } from './discard-rest.ts'

/**
 * The bytes of a route with `streamed: true`, as they arrive. Who stops reading early still answers: the rest is
 * discarded and the connection kept. Throws FrameworkProblem where the client goes away before its last byte.
 */
export async function* bodyPieces({ raw }: Pick<FastifyRequest, 'raw'>): AsyncGenerator<Buffer, void, undefined> {
  const pieces = (raw.iterator({ destroyOnReturn: false }) as AsyncIterableIterator<Buffer>)[Symbol.asyncIterator]()
  try {
    for (let piece = await next(pieces); !piece.done; piece = await next(pieces)) yield piece.value
  } finally {
    discardRest(raw)
  }
}

async function next(pieces: AsyncIterator<Buffer>): Promise<IteratorResult<Buffer>> {
  try {
    return await pieces.next()
  } catch (cause) {
    throw new FrameworkProblem('validation', { details: { body: 'The client went away.' }, cause })
  }
}
