import { type Static, Type } from 'typebox'

/** The request to the contestants: of the size and shape most common in our services. */
export const JobRequest = Type.Object({
  fileName: Type.String({ minLength: 1, maxLength: 200 }),
  holder: Type.String({ pattern: '^[0-9]{11}$' }),
  pages: Type.Integer({ minimum: 1 }),
  tags: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 10 }),
})

export const JobAnswer = Type.Object({
  id: Type.String(),
  fileName: Type.String(),
  holder: Type.String(),
  pages: Type.Integer(),
  status: Type.String(),
})

/** The handler of every contestant: no work of its own, so that the table shows the cost of the framework. */
export const acceptJob = (request: Static<typeof JobRequest>): Static<typeof JobAnswer> => ({
  id: `${request.holder}-${request.pages}`,
  fileName: request.fileName,
  holder: request.holder,
  pages: request.pages,
  status: 'Queued',
})

export const path = '/v1/jobs'

export const sampleRequest: Static<typeof JobRequest> = {
  fileName: 'contrato-de-prestacao-de-servicos.pdf',
  holder: '52998224725',
  pages: 12,
  tags: ['contratos', 'filial-sul'],
}

/** The message of a server that listens. */
export interface Listening {
  readonly port: number
  /** Headers a request needs to be served, such as an API key. */
  readonly headers: Readonly<Record<string, string>>
}
