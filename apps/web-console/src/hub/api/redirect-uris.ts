import { queryOptions } from '@tanstack/react-query'
import { queryOf } from '../../console/api/live.ts'
import { call } from '../../shared/api/request.ts'
import type { RedirectUri } from './types.ts'

const ofKey = (keyId: string) => `/api/keys/${encodeURIComponent(keyId)}/redirect-uris`

/** Those of all keys. */
export const redirectUrisQuery = queryOptions({
  queryKey: ['redirect-uris'],
  queryFn: ({ signal }) => call<RedirectUri[]>('GET', '/api/redirect-uris', { signal }),
})

export const addRedirectUri = (keyId: string, uri: string) => call<RedirectUri>('POST', ofKey(keyId), { body: { uri } })

export const removeRedirectUri = (keyId: string, uri: string) =>
  call<unknown>('DELETE', `${ofKey(keyId)}?${queryOf({ uri })}`)
