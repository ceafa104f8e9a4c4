import { queryOptions } from '@tanstack/react-query'
import { ask } from './acting-for.ts'
import { addressOf } from './lists.ts'
import type { ApplicationKey, CreatedKey, InvitedUser, NewKey } from './types.ts'

export const inviteAgain = (userId: string) => ask<InvitedUser>('POST', `${addressOf('users', userId)}/invitation`)

const keys = (applicationId: string) => `${addressOf('applications', applicationId)}/keys`

export const keysQuery = (applicationId: string) =>
  queryOptions({
    queryKey: ['applications', applicationId, 'keys'],
    queryFn: ({ signal }) => ask<readonly ApplicationKey[]>('GET', keys(applicationId), { signal }),
  })

export const createKey = (applicationId: string, body: NewKey) => ask<CreatedKey>('POST', keys(applicationId), { body })

export const revokeKey = (applicationId: string, keyId: string) =>
  ask<unknown>('DELETE', `${keys(applicationId)}/${encodeURIComponent(keyId)}`)
