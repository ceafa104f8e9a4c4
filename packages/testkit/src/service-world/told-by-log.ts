import { isCpf } from '@chancela/signature-engine/x509'

/** A mail address; what the logger shortened has stars before its @. */
const ADDRESS = /[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]+/gu

/** Eleven digits, as they are or as people write them, that are no part of an id or of a longer number. */
const CPF = /(?<![\w.-])(?:\d{11}|\d{3}\.\d{3}\.\d{3}-\d{2})(?![\w-]|\.\d)/g

/** Headers that say who calls. */
const CREDENTIAL = /^(cookie|authorization|x-api-key|.*-(token|ticket))$/i

/** Shorter ones may be words. */
const SHORTEST = 16

/** Tests make values up of one character, and put the same into addresses, which logs may tell. */
const FEWEST_CHARACTERS = 4

const sent = new Set<string>()

/** Remembers the credentials of a call, so that logs can be searched for them. */
export function rememberCredentials(headers: Readonly<Record<string, string>>): void {
  const shown = Object.entries(headers).filter(([name]) => CREDENTIAL.test(name))
  for (const part of shown.flatMap(([, value]) => value.split(/;\s*/))) {
    // A cookie after its name, a key after its application, a bearer token after its scheme.
    const secret = part.replace(/^[\w-]+[=|]|^\w+ /, '')
    if (secret.length >= SHORTEST && new Set(secret).size >= FEWEST_CHARACTERS) sent.add(secret)
  }
}

/** What a log tells and must not: people's addresses and CPFs, and what callers showed. Empty when it is as it should be. */
export function toldByLog(log: string): readonly string[] {
  const found = [
    ...(log.match(ADDRESS) ?? []),
    ...(log.match(CPF) ?? []).filter((text) => isCpf(text.replaceAll(/\D/g, ''))),
    ...[...sent].filter((credential) => log.includes(credential)),
  ]
  return [...new Set(found)].map((what) => `${what} in: ${lineWith(log, what)}`)
}

const lineWith = (log: string, what: string): string => log.split('\n').find((line) => line.includes(what)) ?? ''
