import type { Answered } from './exchange.ts'

/** An answer, with the id of its request in the server's logs; browsers may hide it from another origin. */
export type WithCorrelation<T> = T & { readonly correlationId: string | undefined }

/** The answer with its id in it. */
export const joined = <T extends object>({ answer, correlationId }: Answered<T>): WithCorrelation<T> => ({
  ...answer,
  correlationId,
})
