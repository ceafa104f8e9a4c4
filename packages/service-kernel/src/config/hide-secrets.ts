import type { TSchema } from 'typebox'
import { isSection, keywords } from './setting-schema.ts'

/** A value that may be shown to anybody: secrets only show whether they are set, URLs lose their password. */
export function withoutSecrets(schema: TSchema, value: unknown): unknown {
  const { secret, items } = keywords(schema)
  if (secret === true) return value === undefined || value === '' ? '(not set)' : '(set)'
  if (secret === 'url-password') return typeof value === 'string' ? withoutPassword(value) : value
  if (items && Array.isArray(value)) return value.map((item) => withoutSecrets(items, item))
  return isSection(schema) && typeof value === 'object' && value !== null ? hideInside(schema.properties, value) : value
}

const hideInside = (properties: Record<PropertyKey, TSchema>, value: object): object =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutSecrets(properties[name] ?? {}, one)]))

/**
 * Everything between the user's name and the last `@` goes, because a password that was not percent-encoded may hold
 * any character; so does a password among the parameters, which PostgreSQL's URLs allow.
 */
export const withoutPassword = (url: string): string =>
  url.replace(/(:\/\/[^:/?#]*:).*@/s, '$1***@').replace(/([?&][^=&]*password=)[^&]*/gi, '$1***')
