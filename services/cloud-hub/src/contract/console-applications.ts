// The hub's addition to keys: their redirect URIs.
import { createApplicationKey as createCommonKey, Id, Text } from '@chancela/admin-console/contract'
import Type from 'typebox'

const tags = ['Applications']
const Uri = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'Scheme, host, port and path must be the same in a call; its query is free.',
})

const RedirectUri = Type.Object({ keyId: Id, uri: Text, createdAt: Text }, { $id: 'RedirectUri' })

export const createApplicationKey = {
  ...createCommonKey,
  body: Type.Object({
    ...createCommonKey.body.properties,
    redirectUris: Type.Optional(Type.Array(Uri, { maxItems: 50 })),
  }),
  refusals: [...createCommonKey.refusals, 'REDIRECT_URI_INVALID'],
} as const

export const listRedirectUris = {
  method: 'GET',
  path: '/api/redirect-uris',
  summary: 'The redirect URIs of all keys.',
  tags,
  answer: Type.Array(RedirectUri),
  access: 'applications.read',
} as const

export const addRedirectUri = {
  method: 'POST',
  path: '/api/keys/{id}/redirect-uris',
  summary: 'Registers a redirect URI for a key; one that is there already stays.',
  tags,
  body: Type.Object({ uri: Uri }),
  answer: RedirectUri,
  access: 'applications.manage',
  refusals: ['API_KEY_NOT_FOUND', 'REDIRECT_URI_INVALID'],
} as const

export const removeRedirectUri = {
  method: 'DELETE',
  path: '/api/keys/{id}/redirect-uris',
  summary: 'Takes a redirect URI away from a key.',
  tags,
  query: Type.Object({ uri: Uri }),
  access: 'applications.manage',
  refusals: ['API_KEY_NOT_FOUND', 'REDIRECT_URI_NOT_FOUND'],
} as const
