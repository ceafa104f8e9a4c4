import { queryOptions } from '@tanstack/react-query'
import { ask } from './acting-for.ts'
import { addressOf, listQuery, MOST_CHOICES } from './lists.ts'
import type { CloudSigningBegun, Signer, Signing, TokenSigningBegun, WaitingDocument } from './types.ts'

export const signerQuery = queryOptions({
  queryKey: ['signer'],
  queryFn: ({ signal }) => ask<Signer>('GET', '/api/signer', { signal }),
})

export const saveSigner = (cpf: string) => ask<Signer>('PUT', '/api/signer', { body: { cpf } })

/** Documents come and go while others work. */
const REFRESH_MS = 5000

export const waitingQuery = (page: number | undefined) => ({
  ...listQuery<WaitingDocument>('signer/documents', { page, pageSize: MOST_CHOICES }),
  refetchInterval: REFRESH_MS,
})

export const beginCloud = (documentIds: readonly string[]) =>
  ask<CloudSigningBegun>('POST', '/api/signings/cloud', { body: { documentIds } })

export const beginToken = (documentIds: readonly string[]) =>
  ask<TokenSigningBegun>('POST', '/api/signings/token', { body: { documentIds } })

export const lookSigning = (id: string) => ask<Signing>('POST', `${addressOf('signings', id)}/look`)

export const cancelSigning = (id: string) => ask<unknown>('DELETE', addressOf('signings', id))

const LOOK_EVERY_MS = 1000

/** What became of a request; looked at again while something may still change. */
export const signingQuery = (id: string) =>
  queryOptions({
    queryKey: ['signings', id],
    queryFn: () => lookSigning(id),
    refetchInterval: ({ state: { data } }) =>
      data?.state === 'signing' || data?.state === 'completing' ? LOOK_EVERY_MS : false,
  })
