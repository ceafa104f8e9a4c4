// What a door of the engine is called with, looked at before anything else is: JavaScript has no types to say that an
// option was forgotten, and "Cannot read properties of undefined" names neither the call nor the option.

import { type ErrorVocabulary, refuser } from './engine-error.ts'

export const argumentErrors = {
  'argument.missing': '{call} was called without {argument}: {expected} is due.',
  'argument.invalid': '{argument} of {call} is {given}, but {expected} is due.',
} as const satisfies ErrorVocabulary

const refuseArgument = refuser(argumentErrors)

interface Kind {
  readonly expected: string
  readonly holds: (value: unknown) => boolean
}

type Members = Readonly<Record<PropertyKey, unknown>>

const isObject = (value: unknown): value is Members => typeof value === 'object' && value !== null
const isFunction = (value: unknown): boolean => typeof value === 'function'
const isBytes = (value: unknown): boolean => value instanceof Uint8Array
const isStream = (value: unknown): boolean => isObject(value) && isFunction(value[Symbol.asyncIterator])
const isPieces = (value: unknown): boolean => isObject(value) && isFunction(value[Symbol.iterator])
const can = (value: unknown, method: string): boolean => isObject(value) && isFunction(value[method])
/** Not `instanceof`: two copies of the package may be installed. */
const isCertificate = (value: unknown): boolean => isObject(value) && isBytes(value.tbs) && isBytes(value.der)
const isTimedAnchor = (value: unknown): boolean =>
  isObject(value) && isCertificate(value.certificate) && Array.isArray(value.periods)
const isListOf = (value: unknown, member: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(member)

/** Every kind of thing that a door takes. */
const kinds = {
  bytes: { expected: 'a Uint8Array or Buffer (the bytes, not a path or a stream)', holds: isBytes },
  place: {
    expected: 'a path or an open FileHandle',
    holds: (value) => typeof value === 'string' || can(value, 'stat'),
  },
  pdf: { expected: 'a Uint8Array, a Buffer or a PdfSource', holds: (value) => isBytes(value) || can(value, 'read') },
  stream: { expected: 'a stream of bytes', holds: isStream },
  'bytes or stream': {
    expected: 'a Uint8Array, a Buffer or a stream of bytes',
    holds: (value) => isBytes(value) || isStream(value) || isPieces(value),
  },
  'stream source': {
    expected: 'a stream of bytes, or a function that opens one',
    holds: (value) => isStream(value) || isFunction(value),
  },
  text: { expected: 'a string', holds: (value) => typeof value === 'string' },
  'object identifier': {
    expected: 'numbers joined by full stops',
    holds: (value) => typeof value === 'string' && /^\d+(\.\d+)+$/.test(value),
  },
  moment: {
    expected: 'a valid Date',
    holds: (value) => value instanceof Date && !Number.isNaN(value.getTime()),
  },
  number: { expected: 'a number', holds: (value) => typeof value === 'number' && !Number.isNaN(value) },
  boolean: { expected: 'true or false', holds: (value) => typeof value === 'boolean' },
  function: { expected: 'a function', holds: isFunction },
  object: { expected: 'an object', holds: isObject },
  list: { expected: 'an array', holds: Array.isArray },
  certificate: { expected: 'a Certificate', holds: isCertificate },
  certificates: { expected: 'an array of Certificate', holds: (value) => isListOf(value, isCertificate) },
  'anchors to be': {
    expected: 'an array of Certificate, or of a certificate with its periods',
    holds: (value) => isListOf(value, (one) => isCertificate(one) || isTimedAnchor(one)),
  },
  key: { expected: 'a KeyObject', holds: (value) => isObject(value) && typeof value.type === 'string' },
  signer: {
    expected: 'a DigestSigner (of pkcs12Signer, openPkcs11, remoteSigner or keySigner)',
    holds: (value) => can(value, 'sign') && isCertificate((value as Members).certificate),
  },
  judge: { expected: 'a judge (of createJudge or icpBrasilJudge)', holds: (value) => can(value, 'certificate') },
  timestamps: { expected: 'a client of createTimestampClient', holds: (value) => can(value, 'stampDigest') },
  anchors: { expected: 'TrustAnchors', holds: (value) => can(value, 'has') },
  policies: { expected: 'a PolicyCatalogue', holds: (value) => can(value, 'listed') },
  'trusted list': {
    expected: 'a list of openTrustedList',
    holds: (value) => isObject(value) && Array.isArray(value.services) && Array.isArray(value.pointers),
  },
  'open file': {
    expected: 'an open FileHandle, or its number',
    holds: (value) => typeof value === 'number' || (isObject(value) && typeof value.fd === 'number'),
  },
  report: { expected: 'a report of a validate… call', holds: (value) => isObject(value) && isObject(value.findings) },
  signature: { expected: 'a signature of a report', holds: (value) => isObject(value) && isObject(value.integrity) },
  check: { expected: 'a check of a report', holds: (value) => isObject(value) && typeof value.state === 'string' },
  index: { expected: 'the index of scanXml', holds: (value) => can(value, 'findAll') },
  state: {
    expected: 'the state of a prepare… call',
    holds: (value) => isObject(value) && isBytes(value.toSign) && isCertificate(value.certificate),
  },
} as const satisfies Record<string, Kind>

type KindName = keyof typeof kinds

/** What an option of that name is, in every door that has it. Names with several meanings are left to their doors. */
const optionKinds = {
  now: 'moment',
  at: 'moment',
  provenAt: 'moment',
  level: 'text',
  digest: 'text',
  chain: 'certificates',
  certificates: 'certificates',
  intermediates: 'certificates',
  judge: 'judge',
  timestamps: 'timestamps',
  policies: 'policies',
  anchors: 'anchors',
  exchange: 'function',
  content: 'bytes or stream',
  contents: 'object',
  privateKey: 'key',
  certificate: 'certificate',
  sign: 'function',
  authorities: 'list',
  stamps: 'list',
  appearance: 'object',
  module: 'text',
  fieldName: 'text',
  reason: 'text',
  location: 'text',
  signerName: 'text',
  contactInfo: 'text',
  uuid: 'text',
  length: 'number',
  size: 'number',
  timeoutMs: 'number',
  timestampBytes: 'number',
  allowExpired: 'boolean',
  downloads: 'boolean',
} as const satisfies Record<string, KindName>

type OptionName = keyof typeof optionKinds

/** An argument and its kind. */
type Given = readonly [value: unknown, kind: KindName]

/** Refuses a call that lacks an argument or one of the `needed` options, or has one of a wrong kind, and names it. */
export function requireArguments(
  call: string,
  given: Readonly<Record<string, Given>>,
  options?: unknown,
  needed: readonly OptionName[] = [],
): void {
  for (const [argument, [value, kind]] of Object.entries(given)) requireKind(call, argument, value, kind)
  if (options !== undefined) requireKind(call, 'options', options, 'object')
  const members = (options ?? {}) as Readonly<Record<string, unknown>>
  for (const name of needed) requireKind(call, `options.${name}`, members[name], optionKinds[name])
  for (const [name, value] of Object.entries(members)) requireOption(call, name, value)
}

function requireOption(call: string, name: string, value: unknown): void {
  if (value === undefined || !Object.hasOwn(optionKinds, name)) return
  requireKind(call, `options.${name}`, value, optionKinds[name as OptionName])
}

function requireKind(call: string, argument: string, value: unknown, kind: KindName): void {
  const { expected, holds } = kinds[kind]
  if (holds(value)) return
  if (value === undefined) throw refuseArgument('argument.missing', { call, argument, expected })
  throw refuseArgument('argument.invalid', { call, argument, expected, given: described(value) })
}

/** What was given instead, never its content: it may be a password. */
function described(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Promise) return 'a Promise (was `await` forgotten?)'
  if (value instanceof Date) return 'an invalid Date'
  if (typeof value !== 'object') return `of type ${typeof value}`
  return `an object of ${value.constructor?.name ?? 'no class'}`
}
