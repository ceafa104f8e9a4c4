// Reading the fields of a body, with the refusals of the specification.
import type { Question } from '../http.ts'
import { CscRefusal } from './refusals.ts'

type Body = Question['body']

export function stringIn(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || value === '')
    throw new CscRefusal(`Missing (or invalid type) string parameter ${name}`)
  return value
}

export function optionalStringIn(body: Body, name: string): string | undefined {
  return body[name] === undefined ? undefined : stringIn(body, name)
}

/** A field of a form or query; there everything is text. */
export function parameterIn(body: Body, name: string): string {
  const value = body[name]
  if (typeof value !== 'string' || value === '') throw new CscRefusal(`Missing parameter ${name}`)
  return value
}

/** Hashes as standard base64. */
export function hashesIn(body: Body, name: string): readonly string[] {
  const value = body[name]
  if (!Array.isArray(value)) throw new CscRefusal(`Missing (or invalid type) array parameter ${name}`)
  if (value.length === 0) throw new CscRefusal('Empty hash array')
  if (!value.every(isBase64)) throw new CscRefusal('Invalid Base64 hash string parameter')
  return value
}

const isBase64 = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && Buffer.from(value, 'base64').toString('base64') === value

/** The requested number of signatures; never more than one authorization may have. */
export function numSignaturesIn(value: unknown, multisign: number): number {
  if (!Number.isInteger(value)) throw new CscRefusal('Missing (or invalid type) integer parameter numSignatures')
  if ((value as number) < 1) throw new CscRefusal('Invalid value for parameter numSignatures')
  if ((value as number) > multisign) throw new CscRefusal('Numbers of signatures is too high')
  return value as number
}
